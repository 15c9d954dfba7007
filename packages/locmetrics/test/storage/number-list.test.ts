import {
  addNumber,
  bytesOfList,
  commonNumbers,
  joinNumbers,
  openNumberList,
  readNumberList,
} from '@locmetrics/row-store/number-list';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';

const LIMIT = 4_000_000;

/** Ascending numbers near each other or far apart, each once. */
const randomNumbers = fc.oneof(
  fc.subarray(Array.from({ length: 300 }, (_, number) => number)),
  fc.uniqueArray(fc.nat(LIMIT - 1), { maxLength: 60 }).map((all) => all.toSorted(byNumber)),
);

function byNumber(left: number, right: number): number {
  return left - right;
}

function listOf(numbers: readonly number[]): Uint8Array {
  const list = openNumberList();
  for (const number of numbers) {
    addNumber(list, number);
    addNumber(list, number);
  }
  return bytesOfList(list);
}

test('a list has the numbers that were added, each once', () => {
  const seed = announceSeed('lists of numbers');
  const property = fc.property(randomNumbers, (numbers) => {
    expect([...readNumberList(listOf(numbers))]).toEqual(numbers);
  });
  fc.assert(property, { seed });
});

test('common numbers are those that both have, joined ones those that any has', () => {
  const seed = announceSeed('common and joined numbers');
  const property = fc.property(randomNumbers, fc.array(randomNumbers), (numbers, others) => {
    for (const other of others) {
      const both = commonNumbers(Uint32Array.from(numbers), listOf(other));
      expect([...both]).toEqual(numbers.filter((number) => other.includes(number)));
    }
    const all = new Set([numbers, ...others].flat());
    const joined = joinNumbers([numbers, ...others].map(listOf), LIMIT);
    expect([...joined]).toEqual([...all].sort(byNumber));
  });
  fc.assert(property, { seed });
});
