import { expect, test } from 'vitest';
import { isLargeList, isLargeLook } from '../src/session/looking.ts';

const limits = {
  requestsPerSecond: null,
  burst: null,
  rowsPerDay: null,
  rowsPerMonth: 100_000,
  concurrentQueries: null,
};

test('a list is large if it is many of the rows to look at, or of those that looking uses up', () => {
  const apart = { limits, viewedRowsPerDay: null, viewedRowsPerMonth: 10_000 };
  expect([2500, 2501].map((rows) => isLargeList(apart, rows))).toEqual([false, true]);
  const both = { ...apart, viewedRowsPerDay: 400 };
  expect([100, 101].map((rows) => isLargeList(both, rows))).toEqual([false, true]);
  const charged = { ...apart, viewedRowsPerMonth: null };
  expect([100, 101].map((rows) => isLargeList(charged, rows))).toEqual([false, true]);
  expect(isLargeLook(charged, 1)).toBe(true);
  const free = { ...charged, limits: { ...limits, rowsPerMonth: null } };
  expect(isLargeList(free, 1_000_000)).toBe(false);
});
