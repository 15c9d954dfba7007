import { expect, test } from 'vitest';
import { remember } from '../../src/runtime/remember.ts';

test('a result is computed once for each object, even if it is undefined', () => {
  const seen: object[] = [];
  const compute = remember((input: object) => void seen.push(input));
  const [one, other] = [{}, {}];
  for (const input of [one, other, one, other]) compute(input);
  expect(seen).toEqual([one, other]);
});

test('an error is not kept', () => {
  let times = 0;
  const compute = remember((_input: object) => {
    times += 1;
    if (times === 1) throw new Error('not yet');
    return times;
  });
  const input = {};
  expect(() => compute(input)).toThrow('not yet');
  expect([compute(input), compute(input)]).toEqual([2, 2]);
});
