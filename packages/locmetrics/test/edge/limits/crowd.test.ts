import { openCrowd } from '@locmetrics/server/edge/listening/crowd';
import { expect, test } from 'vitest';

const leaveAll = (crowd: ReturnType<typeof openCrowd<string>>): readonly string[] => {
  const left: string[] = [];
  for (let next = crowd.first(); next !== undefined; next = crowd.first()) {
    left.push(next);
    crowd.remove(next);
  }
  return left;
};

test('the oldest of the largest group leaves, until the groups are equally large', () => {
  const crowd = openCrowd<string>();
  crowd.add('caller', 'a');
  for (const member of ['1', '2', '3']) crowd.add(member, 'flood');
  expect(leaveAll(crowd).slice(0, 2)).toEqual(['1', '2']);
});

test('a renewed member is the youngest of its group, and an expendable one leaves before all', () => {
  const crowd = openCrowd<string>();
  for (const member of ['1', '2', '3']) crowd.add(member, 'a');
  crowd.renew('1');
  crowd.expend('3');
  expect(crowd.firstOf('a')).toBe('3');
  expect(leaveAll(crowd)).toEqual(['3', '2', '1']);
});

test('members without a group leave after those of a group of two', () => {
  const crowd = openCrowd<string>();
  crowd.add('proxied', undefined);
  crowd.add('proxied too', undefined);
  crowd.add('1', 'a');
  crowd.add('2', 'a');
  expect(crowd.first()).toBe('1');
});
