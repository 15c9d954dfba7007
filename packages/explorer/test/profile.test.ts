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

test('a request profiles 25 fields; of a large table it has the ranges of 25 or the distinct values of 5', () => {
  const fields = Array.from({ length: 60 }, (_, index) => ({
    name: `f${index}`,
    sourceColumn: '',
    type: 'COLUMN_TYPE_STRING' as const,
    description: '',
    filters: { supportedOperators: [] },
    exampleValue: '',
    includedByDefault: true,
  }));
  const sizesOf = (rowCount: number) =>
    partsOf({ fields, rowCount }).map(
      (part) => `${part.fields.length} ${part.aggregations.join(' ')}`,
    );
  const ranges = [25, 25, 10].map((size) => `${size} COUNT MIN MAX`);
  expect(sizesOf(1000)).toEqual(ranges.map((part) => `${part} COUNT_DISTINCT`));
  const distinct = Array.from({ length: 12 }, () => '5 COUNT_DISTINCT');
  expect(sizesOf(1_000_000)).toEqual([...ranges, ...distinct]);
});
