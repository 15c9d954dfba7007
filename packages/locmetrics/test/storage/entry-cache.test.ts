import type { FieldType } from '@locmetrics/core/domain/field';
import { fromKey, toKey } from '@locmetrics/row-store/engine/entry-block';
import { openEntryCache } from '@locmetrics/row-store/engine/entry-cache';
import { openBlockEncoder } from '@locmetrics/row-store/record-block';
import { expect, test } from 'vitest';

const TYPES: readonly FieldType[] = ['integer', 'string', 'integer'];
const COLUMNS = {
  types: TYPES,
  indexOf: new Map([
    ['name', 1],
    ['size', 2],
  ]),
};
const ENTRIES = 100;

/** A block of a table has its number as the ordinals, and in texts of some length. */
function openCache(bytesMax: number) {
  const read: string[] = [];
  const cache = openEntryCache({
    read: (table, numbers) =>
      numbers.map((number) => {
        read.push(`${table} ${number}`);
        const ordinals = new Array<bigint>(ENTRIES).fill(BigInt(number));
        const names = ordinals.map((_, index) => `${table} ${number} ${index}`.padEnd(100));
        const sizes = ordinals.map((_, index) => BigInt(index));
        const block = openBlockEncoder(TYPES).encode([ordinals, names, sizes], ENTRIES);
        return Buffer.from(block);
      }),
    columns: COLUMNS,
    bytesMax,
  });
  return { cache, read };
}

test('blocks are read once, and those of two tables are not mixed up', () => {
  const { cache, read } = openCache(2 ** 20);
  for (const numbers of [
    [0, 1],
    [1, 2],
    [2, 0],
  ]) {
    for (const table of ['points', 'order_0']) {
      const blocks = cache.find(table, numbers);
      expect(blocks.map((block) => block.ordinalAt(5)).sort()).toEqual(numbers.toSorted());
      for (const block of blocks) {
        const name = `${table} ${block.ordinalAt(0)} 7`.padEnd(100);
        expect(block.valuesOf('name')[7]).toBe(name);
      }
    }
  }
  expect(read.toSorted()).toEqual([0, 1, 2].flatMap((n) => [`order_0 ${n}`, `points ${n}`]).sort());
});

test('the memory has a bound, with the values that were decoded since; the first blocks are dropped', () => {
  const bytesMax = 2 ** 20;
  const { cache, read } = openCache(bytesMax);
  for (let number = 0; number < 200; number += 1) {
    const [block] = cache.find('points', [number]);
    const before = cache.bytes();
    block?.valuesOf('name');
    block?.keysOf('size');
    if (number < 10) expect(cache.bytes()).toBeGreaterThan(before + ENTRIES * 100);
    expect(cache.bytes()).toBeLessThanOrEqual(bytesMax);
  }
  expect(cache.bytes()).toBeGreaterThan(bytesMax / 2);
  cache.find('points', [199, 0]);
  expect(read.slice(200)).toEqual(['points 0']);
  cache.clear();
  expect(cache.bytes()).toBe(0);
  expect(cache.find('points', [3]).map((block) => block.ordinalAt(0))).toEqual([3]);
});

test('more blocks than fit are all found, and decoding a dropped one does not count', () => {
  const { cache } = openCache(100_000);
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const blocks = cache.find('points', numbers);
  expect(blocks.map((block) => block.ordinalAt(0)).sort((a, b) => a - b)).toEqual(numbers);
  for (const block of blocks) block.valuesOf('name');
  expect(cache.bytes()).toBeLessThanOrEqual(100_000);
});

test.each([
  ['integer', 5n, 5],
  ['integer', 2n ** 53n - 1n, 2 ** 53 - 1],
  ['integer', 2n ** 53n, 2n ** 53n],
  ['date', '1970-01-02', 1],
  ['date', '0001-01-01', -719_162],
  ['float', 1.5, 1.5],
  ['string', 'a', 'a'],
  ['boolean', true, true],
  ['integer', null, null],
] as const)('the %s %s has the key %s, which has this value', (type, value, key) => {
  expect(toKey(value, type)).toBe(key);
  expect(fromKey(key, type)).toBe(value);
});
