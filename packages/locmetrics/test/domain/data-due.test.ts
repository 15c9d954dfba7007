import { dataDueMs } from '@locmetrics/core/domain/data-due';
import type { Cadence } from '@locmetrics/core/domain/metric';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { expect, test } from 'vitest';
import { everySource } from '../observe/every-metric.ts';

const [version] = [...(everySource().currentVersions?.() ?? [])];

/** The day from which data until 31 January 2026 are overdue. */
function dueOf(cadences: readonly Cadence[], last: string | undefined = '2026-01-31'): string {
  if (version === undefined) throw new Error('There is no version.');
  const { lastObservationDate: _, ...rest } = version;
  const metrics = version.metrics.flatMap((metric) =>
    cadences.map((cadence) => ({ ...metric, cadence })),
  );
  const given: DatasetVersion = { ...rest, metrics, ...(last && { lastObservationDate: last }) };
  const dueMs = dataDueMs(given);
  return dueMs === undefined ? 'never' : new Date(dueMs).toISOString();
}

test('data are overdue when the next period is over and has had as long to be published', () => {
  expect(dueOf(['daily'])).toBe('2026-02-03T00:00:00.000Z');
  expect(dueOf(['weekly'])).toBe('2026-02-15T00:00:00.000Z');
  expect(dueOf(['monthly'])).toBe('2026-04-04T00:00:00.000Z');
  expect(dueOf(['yearly'])).toBe('2028-02-03T00:00:00.000Z');
});

test('the metric with the shortest period decides', () => {
  expect(dueOf(['yearly', 'monthly', 'unspecified'])).toBe('2026-04-04T00:00:00.000Z');
});

test('data without a period or a cadence are never overdue', () => {
  expect(dueOf(['unspecified'])).toBe('never');
  expect(dueOf([])).toBe('never');
  expect(dueOf(['monthly'], '')).toBe('never');
});
