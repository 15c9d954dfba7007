import type {
  CompareOperator,
  Predicate,
  ReadableVersion,
} from '@locmetrics/core/domain/predicate';
import type { Value } from '@locmetrics/core/domain/value';
import { type BoundingBox, crossesAntimeridian } from '@locmetrics/core/geometry/bounding-box';
import { isInRing } from '@locmetrics/core/geometry/is-in-ring';
import { fieldsReadBy } from '@locmetrics/core/plan/fields-read-by';
import { isInCircle, isInside, matches } from '@locmetrics/core/storage/reference/match-predicate';
import type { RowFacts } from '../row-file.ts';
import { type EntryBlock, toKey } from './entry-block.ts';

/** The entries of a block from `from` up to `to`, not included, that match all conditions of a plan. */
export type EntryFilter = (block: EntryBlock, from: number, to: number) => FoundEntries;

/** The first `size` of the indexes are those of the entries, in order. They are valid until the filter is used again. */
export type FoundEntries = { readonly indexes: Int32Array; readonly size: number };

/** The conditions that the records of a plan must match, with those of the caller's rights. */
export function conditionsOf(
  { narrowing }: Pick<ReadableVersion, 'narrowing'>,
  predicates: readonly Predicate[],
): readonly Predicate[] {
  return [...predicates, ...(narrowing?.predicates ?? [])];
}

/** Whether entries have all that the conditions compare. */
export function isCovered(
  { narrowing }: Pick<ReadableVersion, 'narrowing'>,
  conditions: readonly Predicate[],
  { covered }: Pick<RowFacts, 'covered'>,
): boolean {
  const suppressed = narrowing?.suppressed ?? [];
  return (
    conditions.every((condition) => !refersToFeatures(condition)) &&
    fieldsReadBy(conditions).every(
      ({ name }) => covered.includes(name) && suppressed.every((field) => field.name !== name),
    )
  );
}

export function refersToFeatures(predicate: Predicate): boolean {
  if (predicate.kind === 'any') return predicate.alternatives.flat().some(refersToFeatures);
  if (predicate.kind === 'not') return predicate.predicates.some(refersToFeatures);
  return predicate.kind === 'feature';
}

/** Applies conditions to blocks: comparisons of numbers by their keys, all others as the reference does. */
export function openEntryFilter(conditions: readonly Predicate[]): EntryFilter {
  // Numbers are the fastest to compare, so that texts are read only of the points in the box.
  const filters = [...conditions].sort(byCost).map(filterBy);
  let indexes = new Int32Array(0);
  return (block, from, to) => {
    if (indexes.length < to - from) indexes = new Int32Array(to - from);
    let size = to - from;
    for (let place = 0; place < size; place += 1) indexes[place] = from + place;
    for (const filter of filters) {
      if (size === 0) break;
      size = filter(block, indexes, size);
    }
    return { indexes, size };
  };
}

function byCost(left: Predicate, right: Predicate): number {
  return costOf(left) - costOf(right);
}

function costOf({ kind }: Predicate): number {
  return kind === 'box' ? 0 : kind === 'polygon' || kind === 'circle' ? 2 : 1;
}

/** Keeps those of the first `size` indexes whose entries match, in order, and returns how many these are. */
type Filter = (block: EntryBlock, indexes: Int32Array, size: number) => number;

function filterBy(predicate: Predicate): Filter {
  if (predicate.kind === 'box') return filterByBox(predicate);
  if (predicate.kind === 'polygon') {
    const { ring } = predicate;
    return filterByPoint(predicate, (longitude, latitude) => isInRing(longitude, latitude, ring));
  }
  if (predicate.kind === 'circle') {
    return filterByPoint(predicate, (longitude, latitude) =>
      isInCircle(longitude, latitude, predicate),
    );
  }
  const byNumber = predicate.kind === 'compare' ? filterByNumber(predicate) : undefined;
  if (byNumber !== undefined) return byNumber;
  const fields = fieldsReadBy([predicate]);
  const [first, ...others] = [...new Set(fields.map(({ name }) => name))];
  if (first !== undefined && others.length === 0) return filterByValue(predicate, first);
  return (block, indexes, size) => {
    const columns = fields.map(({ name }) => [name, block.valuesOf(name)] as const);
    return keepWhere(indexes, size, (index) => {
      const record = Object.fromEntries(
        columns.map(([name, values]) => [name, values[index] ?? null]),
      );
      return matches(record, predicate, findNone);
    });
  };
}

function keepWhere(indexes: Int32Array, size: number, isKept: (index: number) => boolean): number {
  let kept = 0;
  for (let place = 0; place < size; place += 1) {
    const index = indexes[place] ?? 0;
    if (isKept(index)) indexes[kept++] = index;
  }
  return kept;
}

function filterByBox({ longitude, latitude, box }: PredicateOf<'box'>): Filter {
  return (block, indexes, size) => {
    const longitudes = block.keysOf(longitude.name);
    const latitudes = block.keysOf(latitude.name);
    return longitudes instanceof Float64Array && latitudes instanceof Float64Array
      ? keepInside(indexes, size, { longitudes, latitudes, box })
      : keepWhere(indexes, size, (index) =>
          isInside(longitudes[index] ?? null, latitudes[index] ?? null, box),
        );
  };
}

function filterByPoint(
  { longitude, latitude }: Pick<PredicateOf<'polygon'>, 'longitude' | 'latitude'>,
  isKept: (longitude: number, latitude: number) => boolean,
): Filter {
  return (block, indexes, size) => {
    const longitudes = block.keysOf(longitude.name);
    const latitudes = block.keysOf(latitude.name);
    return keepWhere(indexes, size, (index) => {
      const [lng, lat] = [longitudes[index], latitudes[index]];
      return typeof lng === 'number' && typeof lat === 'number' && isKept(lng, lat);
    });
  };
}

/** Nearly all blocks have all their points: this loop makes no object for a number. */
function keepInside(
  indexes: Int32Array,
  size: number,
  {
    longitudes,
    latitudes,
    box,
  }: {
    readonly longitudes: Float64Array;
    readonly latitudes: Float64Array;
    readonly box: BoundingBox;
  },
): number {
  const { minLng, minLat, maxLng, maxLat } = box;
  const crosses = crossesAntimeridian(box);
  let kept = 0;
  for (let place = 0; place < size; place += 1) {
    const index = indexes[place] ?? 0;
    const latitude = latitudes[index] ?? 0;
    if (latitude < minLat || latitude > maxLat) continue;
    const longitude = longitudes[index] ?? 0;
    const [isEast, isWest] = [longitude >= minLng, longitude <= maxLng];
    if (crosses ? isEast || isWest : isEast && isWest) indexes[kept++] = index;
  }
  return kept;
}

/** Compares numbers and dates by their keys; undefined for a predicate that compares others. */
function filterByNumber({ field, operator, value }: PredicateOf<'compare'>): Filter | undefined {
  const { name, type } = field;
  const operand = toKey(value, type);
  if (typeof operand !== 'number') return undefined;
  const matching = MATCHING_ORDERS[operator];
  return (block, indexes, size) => {
    const keys = block.keysOf(name);
    if (block.isSame(name)) return isMatching(keys[0] ?? null, operand, matching) ? size : 0;
    return keys instanceof Float64Array
      ? keepMatching(indexes, size, { keys, operand, matching })
      : keepWhere(indexes, size, (index) => isMatching(keys[index] ?? null, operand, matching));
  };
}

/** The same for a block in which no value is absent. */
function keepMatching(
  indexes: Int32Array,
  size: number,
  {
    keys,
    operand,
    matching,
  }: {
    readonly keys: Float64Array;
    readonly operand: number;
    readonly matching: MatchingOrders;
  },
): number {
  let kept = 0;
  for (let place = 0; place < size; place += 1) {
    const index = indexes[place] ?? 0;
    if (isMatching(keys[index] ?? null, operand, matching)) indexes[kept++] = index;
  }
  return kept;
}

function isMatching(key: Value, operand: number, { less, equal, more }: MatchingOrders): boolean {
  if (typeof key !== 'number' && typeof key !== 'bigint') return false;
  return key < operand ? less : key > operand ? more : equal;
}

/** Whether a value matches that is less than the operand, equal to it, and more. */
type MatchingOrders = { readonly less: boolean; readonly equal: boolean; readonly more: boolean };

const MATCHING_ORDERS: Readonly<Record<CompareOperator, MatchingOrders>> = {
  '==': { less: false, equal: true, more: false },
  '!=': { less: true, equal: false, more: true },
  '<': { less: true, equal: false, more: false },
  '<=': { less: true, equal: true, more: false },
  '>': { less: false, equal: false, more: true },
  '>=': { less: false, equal: true, more: true },
};

/** Few values are in many entries, so each value is compared once. */
function filterByValue(predicate: Predicate, field: string): Filter {
  const known = new Map<Value, boolean>();
  // Neighbours mostly have the same value.
  let last: { readonly value: Value; readonly isMatch: boolean } | undefined;
  const isMatch = (value: Value): boolean => {
    if (last?.value === value) return last.isMatch;
    const result = known.get(value) ?? matches({ [field]: value }, predicate, findNone);
    known.set(value, result);
    last = { value, isMatch: result };
    return result;
  };
  return (block, indexes, size) => {
    const values = block.valuesOf(field);
    if (block.isSame(field)) return isMatch(values[0] ?? null) ? size : 0;
    return keepWhere(indexes, size, (index) => isMatch(values[index] ?? null));
  };
}

type PredicateOf<Kind extends Predicate['kind']> = Extract<Predicate, { readonly kind: Kind }>;

/** Conditions on features are not covered. */
export function findNone(): never {
  throw new Error('A condition on a feature was compared with an entry.');
}
