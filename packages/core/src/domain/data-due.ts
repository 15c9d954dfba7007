import type { Cadence } from './metric.ts';
import type { DatasetVersion } from './version.ts';

/**
 * When a dataset should have newer data: the period after its last one is over, and a publish had as long as a period
 * takes. Undefined without a period, or without a metric that says how often there is one.
 */
export function dataDueMs({ metrics, lastObservationDate }: DatasetVersion): number | undefined {
  const days = metrics.flatMap(({ cadence }) => PERIOD_DAYS[cadence] ?? []);
  if (lastObservationDate === undefined || days.length === 0) return undefined;
  return Date.parse(lastObservationDate) + (1 + 2 * Math.min(...days)) * DAY_MS;
}

const DAY_MS = 86_400_000;

/** The longest that a period takes. */
export const PERIOD_DAYS: Readonly<Partial<Record<Cadence, number>>> = {
  hourly: 1,
  daily: 1,
  weekly: 7,
  weekly_mon_sun: 7,
  weekly_tue_mon: 7,
  monthly: 31,
  trimonthly: 92,
  quarterly: 92,
  yearly: 366,
};
