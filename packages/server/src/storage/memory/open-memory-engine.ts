import type { Field } from '../../domain/field.ts';
import type { Day, Predicate, ReadableVersion } from '../../domain/predicate.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { foldText } from '../../domain/text-fold.ts';
import { compareUtf8 } from '../../domain/text-order.ts';
import { compareValues, type PresentValue, type Value, valueText } from '../../domain/value.ts';
import {
  type CountPlan,
  type DistinctPlan,
  type DistinctPosition,
  type ExtentPlan,
  type NamedValuesPlan,
  type NamedValuesSelection,
  type OrderTerm,
  QUERY_RANKS,
  type RecordPosition,
  type RecordsPlan,
} from '../../plan/read-plan.ts';
import {
  type DistinctPage,
  type Engine,
  type Extent,
  type NamedValue,
  type NamedValuesPage,
  type RecordsPage,
  runBy,
} from '../engine.ts';
import { type MemoryRecord, matches } from './match-predicate.ts';

/**
 * The reference engine: it interprets a plan over arrays, each step in the most obvious way, without
 * regard for speed. `records` returns the records of a version in any order.
 */
export function openMemoryEngine(
  records: (version: ReadableVersion) => readonly MemoryRecord[] | undefined,
): Engine {
  const recordsOf = (version: ReadableVersion): readonly MemoryRecord[] => {
    const found = records(version);
    if (found !== undefined) return found;
    throw new ServiceError('VERSION_NOT_FOUND', `The version ${version.version} is not kept.`);
  };
  const inKeyOrder = (version: ReadableVersion): readonly NumberedRecord[] =>
    [...recordsOf(version)]
      .sort((left, right) => compareByKey(left, right, version.dataset.key))
      .map((record, row) => ({ record, row }));
  const narrowed = (version: ReadableVersion): readonly NumberedRecord[] =>
    inKeyOrder(version)
      .map(({ record, row }) => ({ record: withoutSmallCells(record, version), row }))
      .filter(({ record }) => matchesAll(record, version.narrowing?.predicates ?? []));
  const matchesAll = (record: MemoryRecord, predicates: readonly Predicate[]): boolean =>
    predicates.every((predicate) =>
      matches(record, predicate, (version) => narrowed(version).map((seen) => seen.record)),
    );
  const select = (version: ReadableVersion, predicates: readonly Predicate[]) =>
    narrowed(version).filter(({ record }) => matchesAll(record, predicates));
  return {
    run: runBy({
      records: async (plan) => readRecords(plan, select(plan.version, plan.predicates)),
      count: async (plan) => count(plan, select(plan.version, plan.predicates)),
      distinct: async (plan) => readDistinct(plan, select(plan.version, plan.predicates)),
      named_values: async (plan) => readNamedValues(plan, (version) => select(version, [])),
      named_values_count: async (plan) =>
        rankedValues(plan, (version) => select(version, [])).length,
      extent: async (plan) => readExtent(plan, select(plan.version, plan.predicates)),
    }),
    close: async () => {},
  };
}

function withoutSmallCells(record: MemoryRecord, { narrowing }: ReadableVersion): MemoryRecord {
  const withheld = (narrowing?.suppressed ?? []).filter((field) => {
    const value = valueIn(record, field);
    return value !== null && Number(value) < (field.suppressBelow ?? Number.POSITIVE_INFINITY);
  });
  return { ...record, ...Object.fromEntries(withheld.map(({ name }) => [name, null])) };
}

type NumberedRecord = { readonly record: MemoryRecord; readonly row: number };

function readRecords(plan: RecordsPlan, selected: readonly NumberedRecord[]): RecordsPage {
  const byPosition = (left: RecordPosition, right: RecordPosition): number =>
    compareOrder(plan.order, left, right) || (left.row - right.row) * (plan.keyDescending ? -1 : 1);
  const { page, hasMore } = takePage({
    items: selected.map(({ record, row }) => ({
      record,
      position: { row, orderValues: plan.order.map((term) => orderValue(term, record)) },
    })),
    plan,
    compare: (left, right) => byPosition(left.position, right.position),
    isAfter: ({ position }) => plan.after === undefined || byPosition(position, plan.after) > 0,
  });
  return {
    rows: page.map(({ record }) => plan.fields.map((field) => valueIn(record, field))),
    positionAt: (index) => itemAt(page, index).position,
    hasMore,
  };
}

function count(plan: CountPlan, selected: readonly NumberedRecord[]): number {
  return plan.distinct === undefined
    ? selected.length
    : distinctPositions(plan.distinct.field, plan.distinct.term, selected).length;
}

function readDistinct(plan: DistinctPlan, selected: readonly NumberedRecord[]): DistinctPage {
  const byPosition = (left: DistinctPosition, right: DistinctPosition) =>
    Number(right.startsWithTerm) - Number(left.startsWithTerm) ||
    compareValues(left.value, right.value) * (plan.descending ? -1 : 1);
  const { page, hasMore } = takePage({
    items: distinctPositions(plan.field, plan.term, selected),
    plan,
    compare: byPosition,
    isAfter: (position) => plan.after === undefined || byPosition(position, plan.after) > 0,
  });
  return {
    values: page.map(({ value }) => value),
    positionAt: (index) => itemAt(page, index),
    hasMore,
  };
}

function distinctPositions(
  field: Field,
  term: string | undefined,
  selected: readonly NumberedRecord[],
): readonly DistinctPosition[] {
  const values = new Set<PresentValue>();
  for (const { record } of selected) {
    const value = valueIn(record, field);
    if (value !== null) values.add(value);
  }
  return [...values]
    .filter((value) => foldText(valueText(value)).includes(term ?? ''))
    .map((value) => ({ value, startsWithTerm: foldText(valueText(value)).startsWith(term ?? '') }));
}

type SelectAll = (version: ReadableVersion) => readonly NumberedRecord[];
type RankedValue = NamedValue & { readonly rank: number };

function readNamedValues(plan: NamedValuesPlan, selectAll: SelectAll): NamedValuesPage {
  const byPosition = (
    left: Pick<RankedValue, 'rank' | 'value'>,
    right: Pick<RankedValue, 'rank' | 'value'>,
  ) => left.rank - right.rank || compareUtf8(left.value, right.value);
  const { page, hasMore } = takePage({
    items: rankedValues(plan, selectAll),
    plan,
    compare: byPosition,
    isAfter: (value) => plan.after === undefined || byPosition(value, plan.after) > 0,
  });
  return {
    values: page.map(({ value, shortName, displayName }) => ({ value, shortName, displayName })),
    positionAt: (index) => {
      const { rank, value } = itemAt(page, index);
      return { rank, value };
    },
    hasMore,
  };
}

function rankedValues(plan: NamedValuesSelection, selectAll: SelectAll): readonly RankedValue[] {
  const named = new Map<string, { shortName: string | null; displayName: string | null }>();
  for (const source of plan.sources) {
    for (const { record } of selectAll(source.version)) {
      const value = valueIn(record, source.value);
      if (value === null) continue;
      const known = named.get(valueText(value));
      named.set(valueText(value), {
        shortName: leastName(known?.shortName, record, source.shortName),
        displayName: leastName(known?.displayName, record, source.displayName),
      });
    }
  }
  return [...named]
    .map(([value, names]) => ({
      value,
      ...names,
      rank: rankOf([value, names.shortName, names.displayName], plan.query ?? ''),
    }))
    .filter(({ value, rank }) => {
      const isWanted = plan.values === undefined || plan.values.includes(value);
      return isWanted && rank < QUERY_RANKS.indexOf('none');
    })
    .map((found) => (plan.query === undefined ? { ...found, rank: 0 } : found));
}

function leastName(
  known: string | null | undefined,
  record: MemoryRecord,
  field: Field | undefined,
): string | null {
  const name = field === undefined ? null : valueIn(record, field);
  if (typeof name !== 'string') return known ?? null;
  return typeof known === 'string' && compareUtf8(known, name) < 0 ? known : name;
}

function readExtent(plan: ExtentPlan, selected: readonly NumberedRecord[]): Extent {
  const daysOf = (day: Day): readonly string[] =>
    selected
      .map(({ record }) => (typeof day === 'string' ? day : valueIn(record, day)))
      .filter((value) => typeof value === 'string')
      .sort();
  return {
    firstDay: daysOf(plan.start)[0] ?? null,
    lastDay: daysOf(plan.end).at(-1) ?? null,
    count: selected.length,
  };
}

/** The index in `QUERY_RANKS` of the text that matches the folded query best. */
function rankOf(texts: readonly Value[], query: string): number {
  const folded = texts.filter((text) => typeof text === 'string').map(foldText);
  if (folded.includes(query)) return QUERY_RANKS.indexOf('equals');
  if (folded.some((text) => text.startsWith(query))) return QUERY_RANKS.indexOf('starts_with');
  if (folded.some((text) => text.includes(query))) return QUERY_RANKS.indexOf('contains');
  return QUERY_RANKS.indexOf('none');
}

/** Sorts the items and returns those of one page. */
function takePage<Item>({
  items,
  plan,
  compare,
  isAfter,
}: {
  readonly items: readonly Item[];
  readonly plan: { readonly limit: number };
  readonly compare: (left: Item, right: Item) => number;
  readonly isAfter: (item: Item) => boolean;
}): { readonly page: readonly Item[]; readonly hasMore: boolean } {
  const following = [...items].sort(compare).filter(isAfter);
  return { page: following.slice(0, plan.limit), hasMore: following.length > plan.limit };
}

function itemAt<Item>(page: readonly Item[], index: number): Item {
  const item = page[index];
  if (item === undefined) throw new RangeError(`The page has no item ${index}.`);
  return item;
}

function orderValue(term: OrderTerm, record: MemoryRecord): Value {
  switch (term.kind) {
    case 'field':
      return valueIn(record, term.field);
    case 'rank':
      return rankOf(
        term.rank.fields.map((field) => valueIn(record, field)),
        term.rank.query,
      );
  }
}

function compareOrder(
  order: readonly OrderTerm[],
  left: RecordPosition,
  right: RecordPosition,
): number {
  for (const [index, term] of order.entries()) {
    const [one, other] = [left.orderValues[index] ?? null, right.orderValues[index] ?? null];
    const isField = term.kind === 'field';
    const result = compareOrderValues(one, other, {
      descending: isField && term.descending,
      absentFirst: isField && term.absentFirst,
    });
    if (result !== 0) return result;
  }
  return 0;
}

function compareOrderValues(
  left: Value,
  right: Value,
  { descending, absentFirst }: { readonly descending: boolean; readonly absentFirst: boolean },
): number {
  if (left === null || right === null) {
    return (Number(left === null) - Number(right === null)) * (absentFirst ? -1 : 1);
  }
  return compareValues(left, right) * (descending ? -1 : 1);
}

function compareByKey(left: MemoryRecord, right: MemoryRecord, key: readonly string[]): number {
  for (const name of key) {
    const order = compareOrderValues(left[name] ?? null, right[name] ?? null, {
      descending: false,
      absentFirst: false,
    });
    if (order !== 0) return order;
  }
  return 0;
}

function valueIn(record: MemoryRecord, field: Field): Value {
  return record[field.name] ?? null;
}
