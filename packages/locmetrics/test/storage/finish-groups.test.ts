import { GROUPS_MAX, type GroupsPlan } from '@locmetrics/core/plan/read-plan';
import { type FoundGroup, finishGroups } from '@locmetrics/core/storage/reference/finish-groups';
import { expect, test } from 'vitest';
import { defineTable } from '../conformance/table.ts';

const { version } = defineTable({
  name: 'conformance.visits',
  fields: { place: 'integer', visits: 'integer' },
  rows: [],
});
const [place] = version.dataset.fields;

function planOf(): GroupsPlan {
  if (place === undefined) throw new Error('The table has fields.');
  return {
    kind: 'groups',
    version,
    predicates: [],
    groups: [{ name: 'place', field: place }],
    aggregates: [{ name: 'visits', aggregation: 'COUNT', field: undefined, quantile: 0 }],
    compared: { predicates: [] },
    conditions: [],
    order: [{ index: 1, part: 'change', descending: true }],
    after: 0,
    limit: 10,
  };
}

function* groupsWith(count: number): Iterable<FoundGroup> {
  for (let number = 0; number < count; number += 1) {
    yield { values: [BigInt(number)], parts: [[1n]] };
  }
}

test('too many groups to compare with are cut off, as too many groups are', {
  tags: 'slow',
}, () => {
  const plan = planOf();
  const few = finishGroups(plan, groupsWith(1), groupsWith(GROUPS_MAX));
  expect([few.isCutOff ?? false, few.rows, few.compared]).toEqual([false, [[0n, 1n]], [[1n]]]);
  expect(finishGroups(plan, groupsWith(1), groupsWith(GROUPS_MAX + 1)).isCutOff).toBe(true);
  expect(finishGroups(plan, groupsWith(GROUPS_MAX + 1), groupsWith(1)).isCutOff).toBe(true);
});
