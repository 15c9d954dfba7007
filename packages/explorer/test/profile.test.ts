import { expect, test } from 'vitest';
import { partsOf, toBars } from '../src/data/profile-queries.ts';

const sizes = (points: readonly number[], count: number) =>
  toBars(points, count).map(({ size }) => Number(size.toFixed(3)));

test('values that are evenly spread have bars of equal size', () => {
  expect(toBars([0, 5, 10], 2)).toEqual([
    { from: 0, to: 5, size: 0.5 },
    { from: 5, to: 10, size: 0.5 },
  ]);
});

test('half of the values in a tenth of the range are half of the bars', () => {
  expect(sizes([0, 1, 10], 10)).toEqual([0.5, ...Array.from({ length: 9 }, () => 0.056)]);
});

test('a value that many records share is in one bar, and all bars together are everything', () => {
  expect(sizes([0, 0, 0, 4], 4)).toEqual([0.75, 0.083, 0.083, 0.083]);
  expect(sizes([0, 2, 2, 4], 2)).toEqual([0.667, 0.333]);
  expect(sizes([0, 4, 4, 4], 4)).toEqual([0.083, 0.083, 0.083, 0.75]);
});

test('a request profiles 25 fields, and 5 of a large table', () => {
  const fields = Array.from({ length: 60 }, (_, index) => ({
    name: `f${index}`,
    sourceColumn: '',
    type: 'COLUMN_TYPE_STRING' as const,
    description: '',
    filters: { supportedOperators: [] },
    exampleValue: '',
    includedByDefault: true,
  }));
  const sizesOf = (rowCount: number) => partsOf({ fields, rowCount }).map((part) => part.length);
  expect(sizesOf(1000)).toEqual([25, 25, 10]);
  expect(sizesOf(1_000_000)).toEqual(Array.from({ length: 12 }, () => 5));
});
