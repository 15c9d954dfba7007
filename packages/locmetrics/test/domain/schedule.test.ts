import { findCadence } from '@locmetrics/core/domain/find-cadence';
import { scheduleOf } from '@locmetrics/core/domain/schedule';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { expect, test } from 'vitest';
import { everySource } from '../observe/every-metric.ts';

test.each([
  ['daily', ['2023-12-31', '2024-01-01', '2024-01-02']],
  ['daily', ['2024-02-28', '2024-02-29', '2024-03-05']],
  ['weekly', ['2024-01-01', '2024-01-08', '2024-01-29']],
  ['monthly', ['2023-11-01', '2023-12-01', '2024-02-01']],
  ['monthly', ['2024-02-15', '2024-03-15']],
  ['quarterly', ['2023-10-01', '2024-01-01', '2024-07-01']],
  ['yearly', ['2020-01-01', '2022-01-01', '2023-01-01']],
  // No two of them are one month apart.
  [undefined, ['2024-01-01', '2024-03-01', '2024-05-01']],
  [undefined, ['2024-01-01', '2024-01-15', '2024-02-01']],
  // A week and two days.
  [undefined, ['2024-01-01', '2024-01-08', '2024-01-10']],
  [undefined, ['2024-01-01']],
  [undefined, []],
] as const)('the cadence is %s of periods that start on %j', (cadence, starts) => {
  expect(findCadence(starts)).toBe(cadence);
});

/** A version with a monthly metric, data until 31 January 2024 and a publish some days later. */
function versionWith(changes: Partial<DatasetVersion> = {}): DatasetVersion {
  const [version] = [...(everySource().currentVersions?.() ?? [])];
  if (version === undefined) throw new Error('There is no version.');
  return {
    ...version,
    dataset: { ...version.dataset, period: { start: 'day', end: 'day' } },
    metrics: [],
    lastObservationDate: '2024-01-31',
    publishedTime: '2024-02-05T23:59:59.999Z',
    ...changes,
  };
}

const withDataset = (changes: Partial<DatasetVersion['dataset']>, version = versionWith()) => ({
  ...version,
  dataset: { ...version.dataset, ...changes },
});

test('a schedule is what the manifest declares', () => {
  const processing = { cadence: 'quarterly', lagDays: 40 } as const;
  expect(scheduleOf(withDataset({ cadence: 'weekly_mon_sun', processing }))).toEqual({
    cadence: 'weekly_mon_sun',
    processingCadence: 'quarterly',
    processingLagDays: 40,
  });
  const declared = withDataset({ cadence: 'unspecified' }, versionWith({ cadence: 'daily' }));
  expect(scheduleOf(declared)).toEqual({});
});

test('a schedule that is not declared follows from the metrics, else from the periods', () => {
  const [metric] = [...(everySource().currentVersions?.() ?? [])].flatMap(({ metrics }) => metrics);
  if (metric === undefined) throw new Error('There is no metric.');
  const metrics = [{ ...metric, cadence: 'monthly' }] as const;
  const monthly = { cadence: 'monthly', processingCadence: 'monthly', processingLagDays: 5 };
  expect(scheduleOf(versionWith({ metrics, cadence: 'daily' }))).toEqual(monthly);
  expect(scheduleOf(versionWith({ cadence: 'monthly' }))).toEqual(monthly);
  const differing = [...metrics, { ...metric, cadence: 'yearly' }] as const;
  expect(scheduleOf(versionWith({ metrics: differing }))).toEqual({});
});

test('a version of an earlier release, without metrics, has no schedule', () => {
  expect(scheduleOf(versionWith())).toEqual({});
});

test.each([
  ['2024-01-31T00:00:00.000Z', 0],
  ['2024-01-30T00:00:00.000Z', undefined],
  ['2024-04-02T00:00:00.000Z', 62],
  ['2024-04-03T00:00:00.000Z', undefined],
])(
  'data until 31 January that are published on %s have a lag of %s days',
  (publishedTime, days) => {
    const { processingLagDays } = scheduleOf(versionWith({ cadence: 'monthly', publishedTime }));
    expect(processingLagDays).toBe(days);
  },
);

test('a caller who does not see the periods gets no cadence of them', () => {
  const { lastObservationDate: _, ...version } = versionWith({ cadence: 'monthly' });
  const { period: _period, ...dataset } = version.dataset;
  expect(scheduleOf({ ...version, dataset })).toEqual({});
});
