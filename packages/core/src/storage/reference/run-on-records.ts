import { rankFeature } from '../../domain/feature-rank.ts';
import type { Field } from '../../domain/field.ts';
import type { Day, Predicate, ReadableVersion } from '../../domain/predicate.ts';
import { placeOfRank, rankTexts, rankValue, type SearchText } from '../../domain/search-text.ts';
import { compareValues, type PresentValue, type Value, valueText } from '../../domain/value.ts';
import { columnOf, rowOf } from '../../geometry/tile.ts';
import { chordSquared, unitVector } from '../../geometry/unit-vector.ts';
import type {
  CountPlan,
  DistinctPlan,
  DistinctPosition,
  ExtentPlan,
  NamedValuesPlan,
  NamedValuesSelection,
  OrderTerm,
  Rank,
  ReadPlan,
  RecordPosition,
  RecordsPlan,
  TilePlan,
} from '../../plan/read-plan.ts';
import { pointsOf } from '../../plan/tile-points.ts';
import { compareUtf8 } from '../../text/text-order.ts';
import {
  type DistinctPage,
  type Engine,
  type Extent,
  type NamedValue,
  type NamedValuesPage,
  type RecordsPage,
  runBy,
  type Tile,
} from '../engine.ts';
import { compareOrderValues } from './compare-order-values.ts';
import { finishGroups } from './finish-groups.ts';
import { groupRecords } from './group-records.ts';
import { type FindFeatures, type MemoryRecord, matches } from './match-predicate.ts';
import { takeFirst } from './take-first.ts';
import { openTileCells } from './tile-cells.ts';
import { withoutSmallCells } from './without-small-cells.ts';

/**
 * The records of a version that may match: at least all that pass the narrowing of the version and match the
 * predicates, each once, in any order. `reads` are the fields that are read besides those of the conditions.
 */
export type FindCandidates = (
  version: ReadableVersion,
  predicates: readonly Predicate[],
  reads: readonly Field[],
) => Iterable<NumberedRecord>;

/** A record and its ordinal in the order of the key. */
export type NumberedRecord = { readonly record: MemoryRecord; readonly row: number };

/**
 * The meaning of plans: it interprets them over records, each step in the most obvious way. An engine over
 * an index finds candidates faster, but decides nothing else.
 */
export function runOnRecords(findCandidates: FindCandidates): Engine['run'] {
  const selectWith =
    (findFeatures: FindFeatures) =>
    (version: ReadableVersion, predicates: readonly Predicate[], reads: readonly Field[]) => {
      const matchesAll = (record: MemoryRecord, all: readonly Predicate[]): boolean =>
        all.every((predicate) => matches(record, predicate, findFeatures));
      const selected: NumberedRecord[] = [];
      for (const { record, row } of findCandidates(version, predicates, reads)) {
        const seen = withoutSmallCells(record, version);
        if (!matchesAll(seen, version.narrowing?.predicates ?? [])) continue;
        if (matchesAll(seen, predicates)) selected.push({ record: seen, row });
      }
      return selected;
    };
  /** Selects the records for one plan, and finds those that they refer to. */
  const openSelection = () => {
    const findFeatures = memoizeFeatures((version, id, value, reads) => {
      const hasId: Predicate = { kind: 'in', field: id, negated: false, values: [value] };
      return select(version, [hasId], [id, ...reads]).map(({ record }) => record);
    });
    const select = selectWith(findFeatures);
    return { select, findFeatures };
  };
  const selection = () => openSelection().select;
  const selectFor = (
    { version, predicates }: Extract<ReadPlan, { readonly version: ReadableVersion }>,
    reads: readonly Field[],
  ) => selection()(version, predicates, reads);
  return runBy({
    records: async (plan) =>
      readRecords(plan, selectFor(plan, [...plan.fields, ...plan.order.flatMap(readByTerm)])),
    batch: async (plan) => {
      const inRange = selectFor(plan, plan.fields).filter(
        ({ row }) => row >= plan.from && row < plan.end,
      );
      let bytes = 0;
      let { end } = plan;
      const rows: (readonly Value[])[] = [];
      for (const { record, row } of inRange.toSorted((left, right) => left.row - right.row)) {
        const values = plan.fields.map((field) => valueIn(record, field));
        for (const value of values)
          if (typeof value === 'string') bytes += Buffer.byteLength(value);
        if (bytes > plan.textBytesMax && rows.length > 0) {
          end = row;
          break;
        }
        rows.push(values);
      }
      return { size: rows.length, end, rows };
    },
    count: async (plan) =>
      count(plan, selectFor(plan, plan.distinct === undefined ? [] : [plan.distinct.field])),
    distinct: async (plan) => readDistinct(plan, selectFor(plan, [plan.field])),
    named_values: async (plan) => readNamedValues(plan, selection()),
    named_values_count: async (plan) => rankedValues(plan, selection()).length,
    tile: async (plan) => {
      const { latitude, longitude, fields, aggregates } = plan;
      const aggregated = aggregates.map(({ field }) => field);
      return readTile(plan, selectFor(plan, [latitude, longitude, ...fields, ...aggregated]));
    },
    groups: async (plan) => {
      const { version, predicates, groups, aggregates, compared } = plan;
      const { select, findFeatures } = openSelection();
      const reads = [
        ...groups.map(({ field }) => field),
        ...aggregates.flatMap(({ field, ofPresent = [] }) => [
          ...(field ? [field] : []),
          ...ofPresent,
        ]),
      ];
      const groupsOf = (all: readonly Predicate[]) => {
        const records = select(version, all, reads).values();
        return groupRecords(
          plan,
          records.map(({ record }) => record),
          findFeatures,
        );
      };
      return finishGroups(plan, groupsOf(predicates), compared && groupsOf(compared.predicates));
    },
    extent: async (plan) =>
      readExtent(
        plan,
        selectFor(
          plan,
          [plan.start, plan.end].filter((day) => typeof day !== 'string'),
        ),
      ),
  });
}

/** Looks up each feature once for a plan: the records of a series have the same one. */
function memoizeFeatures(find: FindFeatures): FindFeatures {
  const known = new Map<string, readonly MemoryRecord[]>();
  const numbers = new Map<ReadableVersion, number>();
  return (version, id, value, reads) => {
    const number = numbers.get(version) ?? numbers.size;
    numbers.set(version, number);
    const key = `${number} ${id.name} ${typeof value} ${value} ${reads.map(({ name }) => name)}`;
    const found = known.get(key) ?? find(version, id, value, reads);
    known.set(key, found);
    return found;
  };
}

function readByTerm(term: OrderTerm): readonly Field[] {
  switch (term.kind) {
    case 'field':
      return [term.field];
    case 'rank':
      return [...term.rank.fields, ...(term.rank.words?.fields ?? [])];
    case 'near':
      return [term.latitude, term.longitude];
  }
}

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
    size: page.length,
    rows: page.map(({ record }) => plan.fields.map((field) => valueIn(record, field))),
    positionAt: (index) => itemAt(page, index).position,
    hasMore,
    total: selected.length,
  };
}

function count(plan: CountPlan, selected: readonly NumberedRecord[]): number {
  return plan.distinct === undefined
    ? selected.length
    : distinctPositions(plan.distinct.field, plan.distinct.term, selected).length;
}

function readDistinct(plan: DistinctPlan, selected: readonly NumberedRecord[]): DistinctPage {
  const byPosition = (left: DistinctPosition, right: DistinctPosition) =>
    left.rank - right.rank || compareValues(left.value, right.value) * (plan.descending ? -1 : 1);
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
  term: SearchText | undefined,
  selected: readonly NumberedRecord[],
): readonly DistinctPosition[] {
  const values = new Set<PresentValue>();
  for (const { record } of selected) {
    const value = valueIn(record, field);
    if (value !== null) values.add(value);
  }
  return [...values]
    .map((value) => ({ value, rank: term === undefined ? 0 : rankValue(valueText(value), term) }))
    .filter(({ rank }) => rank < placeOfRank('none'));
}

type SelectAll = (
  version: ReadableVersion,
  predicates: readonly Predicate[],
  reads: readonly Field[],
) => readonly NumberedRecord[];
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
    const { value: field, shortName, displayName } = source;
    const reads = [field, shortName, displayName].filter((read) => read !== undefined);
    for (const { record } of selectAll(source.version, [], reads)) {
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
      rank: rankOf([value, names.shortName, names.displayName], plan.query),
    }))
    .filter(({ value, rank }) => {
      const isWanted = plan.values === undefined || plan.values.includes(value);
      return isWanted && rank < placeOfRank('none');
    });
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

/** The rank of the text that matches the query best; 0 without a query. */
function rankOf(texts: readonly Value[], query: SearchText | undefined): number {
  if (query === undefined) return 0;
  return rankTexts(
    texts.filter((text) => typeof text === 'string'),
    query,
  );
}

/** Sorts the items and returns those of one page. */
function readTile(plan: TilePlan, selected: readonly NumberedRecord[]): Tile {
  if (selected.length <= plan.limit) {
    return { kind: 'points', rows: readRecords(pointsOf(plan), selected).rows };
  }
  const { latitude, longitude, grid, aggregates } = plan;
  const cells = openTileCells(aggregates);
  for (const { record } of selected) {
    const column = columnOf(grid, Number(valueIn(record, longitude)));
    const row = rowOf(grid, Number(valueIn(record, latitude)));
    cells.add(
      { column, row },
      aggregates.map(({ field }) => valueIn(record, field)),
    );
  }
  return { kind: 'cells', cells: cells.end() };
}

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
  const following = takeFirst(items.filter(isAfter), compare, plan.limit + 1);
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
      return rankOfRecord(term.rank, record);
    case 'near': {
      const [longitude, latitude] = [
        valueIn(record, term.longitude),
        valueIn(record, term.latitude),
      ];
      if (typeof longitude !== 'number' || typeof latitude !== 'number') return null;
      return chordSquared(unitVector(longitude, latitude), term.target);
    }
  }
}

function rankOfRecord({ fields, query, words }: Rank, record: MemoryRecord): number {
  const textsOf = (some: readonly Field[]) =>
    some.flatMap((field) => {
      const value = valueIn(record, field);
      return value === null ? [] : [valueText(value)];
    });
  const named = textsOf(fields);
  if (words === undefined) return rankTexts(named, query);
  return rankFeature({ named, texts: textsOf(words.fields) }, query, words.words);
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

function valueIn(record: MemoryRecord, field: Field): Value {
  return record[field.name] ?? null;
}
