import type { MetricAggregatesRow } from '@locmetrics/client';
import type { Sort, SortKey } from '../../data/metric-view.ts';
import { foldText } from '../../format/words.ts';

/** A row of the list: a place or a group of places with its value in the period. */
export type RankedRow = {
  readonly id: string;
  readonly name: string;
  /** Tells places of equal names apart: the area that they are in. */
  readonly detail: string;
  /** Null: there is no value, or it is withheld. */
  readonly value: number | null;
  readonly compared: number | undefined;
  readonly change: number | undefined;
  readonly percent: number | undefined;
  readonly periodsWithValues: number;
  readonly periods: number;
};

/** Rows of an answer, whose first group is the place, and whose second one, if any, is its area. */
export function toRankedRow({
  groupsList,
  valuesList,
  periodsWithValues,
  periods,
}: MetricAggregatesRow): RankedRow {
  const [group, ...others] = groupsList;
  const [value] = valuesList;
  const area = others.find(({ kind }) => kind !== 'PERIOD');
  const name = group?.displayName || group?.value || 'none';
  return {
    id: group?.value ?? '',
    name,
    detail: area === undefined || area.displayName === name ? '' : area.displayName,
    value: value?.count ?? value?.number ?? null,
    compared: value?.compared,
    change: value?.change,
    percent: value?.percent,
    periodsWithValues,
    periods,
  };
}

/** The values of a period compared with those of another, which was asked for by itself. */
export function compareRows(
  rows: readonly RankedRow[],
  others: readonly RankedRow[],
): readonly RankedRow[] {
  const before = new Map(others.map(({ id, value }) => [id, value]));
  return rows.map((row) => {
    const compared = before.get(row.id) ?? undefined;
    if (compared === undefined || row.value === null) return { ...row, compared };
    const change = row.value - compared;
    return {
      ...row,
      compared,
      change,
      percent: compared === 0 ? undefined : (change / Math.abs(compared)) * 100,
    };
  });
}

export function sortKey(sort: Sort): SortKey {
  // Only the sign is cut off, so that the rest is a key.
  return (sort.startsWith('-') ? sort.slice(1) : sort) as SortKey;
}

export function isDescending(sort: Sort): boolean {
  return sort.startsWith('-');
}

/** The order that a first click on a heading gives: the largest values, the largest falls, names from A to Z. */
export function firstSort(key: SortKey): Sort {
  return key === 'value' ? '-value' : key;
}

const NAMES = new Intl.Collator('en-US', { numeric: true });

/** The rows in an order; those without the number come last, in either direction. */
export function sortRows(rows: readonly RankedRow[], sort: Sort): readonly RankedRow[] {
  const key = sortKey(sort);
  const sign = isDescending(sort) ? -1 : 1;
  return rows.toSorted((one, other) => {
    const byName = NAMES.compare(one.name, other.name) || (one.id < other.id ? -1 : 1);
    if (key === 'name') return sign * byName;
    const [a, b] = [one[key] ?? undefined, other[key] ?? undefined];
    if (a === undefined || b === undefined) {
      return a === b ? byName : a === undefined ? 1 : -1;
    }
    return a === b ? byName : sign * (a - b);
  });
}

export type Ranked = { readonly row: RankedRow; readonly rank: number | undefined };

/** The rows with their ranks in this order: equal numbers share one, and those without a number have none. */
export function rankRows(rows: readonly RankedRow[], sort: Sort): readonly Ranked[] {
  const key = sortKey(sort);
  let rank = 0;
  return rows.map((row, index) => {
    if (key === 'name') return { row, rank: index + 1 };
    const number = row[key] ?? undefined;
    if (number === undefined) return { row, rank: undefined };
    if (index === 0 || rows[index - 1]?.[key] !== number) rank = index + 1;
    return { row, rank };
  });
}

/** The rows whose name, area or id has a text; accents and cases do not matter. */
export function searchRows(rows: readonly Ranked[], text: string): readonly Ranked[] {
  const wanted = foldText(text);
  if (wanted === '') return rows;
  return rows.filter(({ row: { name, detail, id } }) =>
    foldText(`${name} ${detail} ${id}`).includes(wanted),
  );
}
