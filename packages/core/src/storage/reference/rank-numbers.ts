import type { Value } from '../../domain/value.ts';
import type { GroupRank } from '../engine.ts';
import { compareOrderValues } from './compare-order-values.ts';

/** Ranks some numbers among all numbers that are added, with time for these alone. */
export function openRanks(numbers: readonly Value[]): {
  readonly add: (number: Value) => void;
  /** By the index of a number; undefined for an absent one. */
  readonly ranks: () => readonly (GroupRank | undefined)[];
} {
  const sorted = numbers
    .filter((number) => number !== null)
    .sort((left, right) => compareOrderValues(left, right, ASCENDING));
  /** How many of the added numbers are below that with this index in `sorted`, and not below the one before it. */
  const below = new Array<number>(sorted.length + 1).fill(0);
  /** How many of them are equal to it, if the one before it is not. */
  const equal = new Array<number>(sorted.length + 1).fill(0);
  let count = 0;
  return {
    add: (number) => {
      if (number === null) return;
      count += 1;
      const at = firstNotBelow(sorted, number);
      const next = sorted[at] ?? null;
      const isEqual = next !== null && compareOrderValues(next, number, ASCENDING) === 0;
      const counts = isEqual ? equal : below;
      counts[at] = (counts[at] ?? 0) + 1;
    },
    ranks: () => {
      const found = new Map<Value, GroupRank>();
      let before = 0;
      for (const [index, number] of sorted.entries()) {
        before += below[index] ?? 0;
        const same = equal[index] ?? 0;
        if (!found.has(number)) {
          found.set(number, rankOf({ below: before, equal: same, count }));
        }
        before += same;
      }
      return numbers.map((number) => found.get(number));
    },
  };
}

/** The rank of a number, given how many of all numbers are below and equal to it. */
export function rankOf({
  below,
  equal,
  count,
}: {
  readonly below: number;
  readonly equal: number;
  readonly count: number;
}): GroupRank {
  return { rank: count - below - equal + 1, percentile: (below * 100) / count };
}

const ASCENDING = { descending: false, absentFirst: false };

/** The index of the first number that is not below another; the length if there is none. */
function firstNotBelow(sorted: readonly Value[], number: Value): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareOrderValues(sorted[middle] ?? null, number, ASCENDING) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
