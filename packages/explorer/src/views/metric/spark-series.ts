import type { Metric, MetricAggregatesRow } from '@locmetrics/client';
import type { Bucket } from './to-aggregates.ts';

/** More points than this cannot be seen in a small line. */
const POINTS_MAX = 48;

/** How periods are put together in a small line; undefined: not at all. `none`: there is no line. */
export function sparkBucket({
  spec,
  firstObservationDate: first,
  lastObservationDate: last,
}: Pick<Metric, 'spec' | 'firstObservationDate' | 'lastObservationDate'>):
  | Bucket
  | undefined
  | 'none' {
  if (spec.cadence === 'UNSPECIFIED' || first === '') return 'none';
  const days = (Date.parse(last) - Date.parse(first)) / (24 * 3600 * 1000);
  const steps: readonly (readonly [days: number, bucket: Bucket | undefined])[] = [
    [DAYS[spec.cadence], undefined],
    [7, 'WEEK'],
    [30.4, 'MONTH'],
    [91.3, 'QUARTER'],
    [365.25, 'YEAR'],
  ];
  const fitting = steps.find(
    ([length]) => length >= DAYS[spec.cadence] && days / length <= POINTS_MAX,
  );
  return fitting === undefined ? 'YEAR' : fitting[1];
}

const DAYS: Readonly<Record<Metric['spec']['cadence'], number>> = {
  UNSPECIFIED: 0,
  HOURLY: 1,
  DAILY: 1,
  WEEKLY: 7,
  WEEKLY_MON_SUN: 7,
  WEEKLY_TUE_MON: 7,
  MONTHLY: 30.4,
  TRIMONTHLY: 91.3,
  QUARTERLY: 91.3,
  YEARLY: 365.25,
};

/** The lines of an answer by the ids of their rows: a value for each bucket that any of them has, null for a gap. */
export function toSparks(
  rows: readonly MetricAggregatesRow[],
): ReadonlyMap<string, readonly (number | null)[]> {
  const starts = [...new Set(rows.map(startOf))].sort();
  const indexes = new Map(starts.map((start, index) => [start, index]));
  const sparks = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const id = row.groupsList[0]?.value ?? '';
    const values = sparks.get(id) ?? starts.map(() => null);
    const [value] = row.valuesList;
    values[indexes.get(startOf(row)) ?? 0] = value?.count ?? value?.number ?? null;
    sparks.set(id, values);
  }
  return sparks;
}

function startOf({ groupsList }: MetricAggregatesRow): string {
  return groupsList.find(({ kind }) => kind === 'PERIOD')?.value ?? '';
}
