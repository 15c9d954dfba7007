import { keepNewest, memoize } from '@locmetrics/core/runtime/memoize';
import { expect, test } from 'vitest';

test('a result is computed once for each object, even if it is undefined', () => {
  const seen: object[] = [];
  const compute = memoize((input: object) => void seen.push(input));
  const [one, other] = [{}, {}];
  for (const input of [one, other, one, other]) compute(input);
  expect(seen).toEqual([one, other]);
});

test('an error is not kept', () => {
  let times = 0;
  const compute = memoize((_input: object) => {
    times += 1;
    if (times === 1) throw new Error('not yet');
    return times;
  });
  const input = {};
  expect(() => compute(input)).toThrow('not yet');
  expect([compute(input), compute(input)]).toEqual([2, 2]);
});

test('beyond the limit all results of values are dropped', () => {
  const seen: number[] = [];
  const compute = memoize((input: number) => seen.push(input), 2);
  for (const input of [1, 2, 1, 2, 3, 3, 1]) compute(input);
  expect(seen).toEqual([1, 2, 3, 1]);
});

test('a limit of one keeps the result of the last input', () => {
  const seen: number[] = [];
  const compute = memoize((input: number) => seen.push(input), 1);
  for (const input of [1, 1, 2, 2, 1]) compute(input);
  expect(seen).toEqual([1, 2, 1]);
});

test('a cache drops its oldest entries, and an entry that is kept again is the newest', () => {
  const cache = new Map<string, number>();
  const keep = (key: string, value: number) => keepNewest(cache, { key, value }, 2);
  keep('a', 1);
  keep('b', 2);
  keep('a', 3);
  keep('c', 4);
  expect([...cache]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
