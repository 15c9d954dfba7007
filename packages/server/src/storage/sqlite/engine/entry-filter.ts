import type { Predicate, ReadableVersion } from '../../../domain/predicate.ts';
import type { Value } from '../../../domain/value.ts';
import { fieldsReadBy } from '../../../plan/fields-read-by.ts';
import { isInside, matches } from '../../reference/match-predicate.ts';
import type { RowFacts } from '../row-file.ts';
import type { EntryBlock } from './open-row-file.ts';

/** Which entries of a block match all conditions of a plan, by their index, in order. */
export type EntryFilter = (block: EntryBlock, from: number, to: number) => readonly number[];

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

function refersToFeatures(predicate: Predicate): boolean {
  if (predicate.kind === 'any') return predicate.alternatives.flat().some(refersToFeatures);
  return predicate.kind === 'feature';
}

/** Applies conditions to blocks, each as the reference does. */
export function openEntryFilter(conditions: readonly Predicate[]): EntryFilter {
  // Floats are the fastest to read, so that texts are read only of the points in the box.
  const filters = [...conditions].sort(byCost).map(filterBy);
  return (block, from, to) => {
    let indexes: readonly number[] = rangeOf(from, to);
    for (const filter of filters) {
      if (indexes.length === 0) return indexes;
      indexes = filter(block, indexes);
    }
    return indexes;
  };
}

function byCost(left: Predicate, right: Predicate): number {
  return Number(left.kind !== 'box') - Number(right.kind !== 'box');
}

function rangeOf(from: number, to: number): readonly number[] {
  const indexes: number[] = [];
  for (let index = from; index < to; index += 1) indexes.push(index);
  return indexes;
}

type Filter = (block: EntryBlock, indexes: readonly number[]) => readonly number[];

function filterBy(predicate: Predicate): Filter {
  const fields = fieldsReadBy([predicate]);
  const [first, ...others] = [...new Set(fields.map(({ name }) => name))];
  if (predicate.kind === 'box') {
    const { longitude, latitude, box } = predicate;
    return (block, indexes) => {
      const longitudes = block.valuesOf(longitude.name);
      const latitudes = block.valuesOf(latitude.name);
      const found: number[] = [];
      for (const index of indexes) {
        if (isInside(longitudes[index] ?? null, latitudes[index] ?? null, box)) found.push(index);
      }
      return found;
    };
  }
  if (first !== undefined && others.length === 0) {
    // Few values are in many entries, so each value is compared once.
    const known = new Map<Value, boolean>();
    const isMatch = (value: Value): boolean => {
      const before = known.get(value);
      if (before !== undefined) return before;
      const result = matches({ [first]: value }, predicate, findNone);
      known.set(value, result);
      return result;
    };
    return (block, indexes) => {
      if (block.isSame(first)) return isMatch(block.valueAt(first, 0)) ? indexes : [];
      const values = block.valuesOf(first);
      const found: number[] = [];
      for (const index of indexes) if (isMatch(values[index] ?? null)) found.push(index);
      return found;
    };
  }
  return (block, indexes) => {
    const columns = fields.map(({ name }) => [name, block.valuesOf(name)] as const);
    return indexes.filter((index) => {
      const record = Object.fromEntries(
        columns.map(([name, values]) => [name, values[index] ?? null]),
      );
      return matches(record, predicate, findNone);
    });
  };
}

/** Conditions on features are not covered. */
export function findNone(): never {
  throw new Error('A condition on a feature was compared with an entry.');
}
