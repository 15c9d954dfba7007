import { expect, test } from 'vitest';
import { median, percentile, spreadOf } from '../src/results/statistics.ts';

test('the median of an odd count is the middle one, of an even count the mean of both', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(() => median([])).toThrow('no median of no numbers');
});

test('a percentile is the smallest number with enough numbers less or equal', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile(hundred, 1)).toBe(100);
  expect(percentile(Float64Array.of(3), 0.99)).toBe(3);
  expect(() => percentile(new Float64Array(), 0.5)).toThrow('no percentile of no numbers');
});

test('a percentile does not change the order of its input', () => {
  const numbers = Float64Array.of(3, 1, 2);
  percentile(numbers, 0.5);
  expect([...numbers]).toEqual([3, 1, 2]);
});

test('a spread goes from the smallest to the largest', () => {
  expect(spreadOf([3, 10, 2])).toEqual({ min: 2, max: 10 });
});
