import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { budgetConnections, descriptorsFor } from '../../src/processes/connection-budget.ts';
import { readDescriptorLimit } from '../../src/processes/descriptor-limit.ts';

test.each([
  ['no limit', undefined, { ofWorker: 10_000, ofClient: 5000, handed: 64, ofPrimary: 2000 }],
  ['just enough', 10_256, { ofWorker: 10_000, ofClient: 5000, handed: 64, ofPrimary: 2000 }],
  ['too low by one', 10_255, { ofWorker: 9999, ofClient: 5000, handed: 64, ofPrimary: 2000 }],
  ['a usual limit', 1024, { ofWorker: 768, ofClient: 384, handed: 64, ofPrimary: 768 }],
  ['only for files', 256, { ofWorker: 128, ofClient: 64, handed: 64, ofPrimary: 128 }],
  ['very few', 64, { ofWorker: 16, ofClient: 8, handed: 8, ofPrimary: 16 }],
  ['the lowest limit', 1, { ofWorker: 1, ofClient: 1, handed: 1, ofPrimary: 1 }],
])('connections share the descriptors with files: %s', (_, descriptorLimit, expected) => {
  const settings = { connectionsMax: 10_000, perClientMax: 5000 };
  expect(budgetConnections({ ...settings, descriptorLimit })).toEqual(expected);
});

test('the limit in the message is enough for the setting', () => {
  const descriptorLimit = descriptorsFor(10_000);
  const settings = { connectionsMax: 10_000, perClientMax: 5000 };
  expect(budgetConnections({ ...settings, descriptorLimit }).ofWorker).toBe(10_000);
});

test('the descriptor limit is the limit of this process', () => {
  const [, soft] = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  expect(String(readDescriptorLimit())).toBe(soft);
});
