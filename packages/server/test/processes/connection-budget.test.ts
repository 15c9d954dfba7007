import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { budgetConnections, descriptorsFor } from '../../src/processes/connection-budget.ts';
import { readDescriptorLimit } from '../../src/processes/descriptor-limit.ts';

test.each([
  ['no limit', undefined, { ofWorker: 10_000, ofPrimary: 2000 }],
  ['a limit that is just enough', 10_256, { ofWorker: 10_000, ofPrimary: 2000 }],
  ['a limit that is too low by one', 10_255, { ofWorker: 9999, ofPrimary: 2000 }],
  ['a usual limit', 1024, { ofWorker: 768, ofPrimary: 768 }],
  ['a limit that files alone would use up', 256, { ofWorker: 128, ofPrimary: 128 }],
  ['the lowest limit', 1, { ofWorker: 1, ofPrimary: 1 }],
])('connections share the descriptors with files: %s', (_, descriptorLimit, expected) => {
  expect(budgetConnections({ connectionsMax: 10_000, descriptorLimit })).toEqual(expected);
});

test('the limit in the message is enough for the setting', () => {
  const descriptorLimit = descriptorsFor(10_000);
  expect(budgetConnections({ connectionsMax: 10_000, descriptorLimit }).ofWorker).toBe(10_000);
});

test('the descriptor limit is the limit of this process', () => {
  const [, soft] = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  expect(String(readDescriptorLimit())).toBe(soft);
});
