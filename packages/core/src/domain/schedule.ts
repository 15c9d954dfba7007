import { PERIOD_DAYS } from './data-due.ts';
import type { Bucket } from './date-bucket.ts';
import type { Cadence } from './metric.ts';
import type { DatasetVersion } from './version.ts';

/** How often a dataset has data, and how often and how long after a period they are made. */
export type Schedule = {
  readonly cadence?: Cadence;
  readonly processingCadence?: Cadence;
  /** The days between the end of a period and the publish of its data. */
  readonly processingLagDays?: number;
};

/**
 * The schedule that the manifest declares. What it leaves out follows from the metrics of the dataset, from the starts of
 * the periods, and from the last day that the caller sees.
 */
export function scheduleOf(version: DatasetVersion): Schedule {
  const { dataset } = version;
  const cadence = known(dataset.cadence ?? cadenceOfMetrics(version) ?? cadenceOfPeriods(version));
  const processingCadence = known(dataset.processing?.cadence ?? cadence);
  const processingLagDays = dataset.processing?.lagDays ?? lagDaysOf(version, cadence);
  return {
    ...(cadence === undefined ? {} : { cadence }),
    ...(processingCadence === undefined ? {} : { processingCadence }),
    ...(processingLagDays === undefined ? {} : { processingLagDays }),
  };
}

/** The bucket that has one period of a cadence. */
export const CADENCE_BUCKETS: Readonly<Partial<Record<Cadence, Bucket>>> = {
  daily: 'DAY',
  weekly: 'WEEK',
  weekly_mon_sun: 'WEEK',
  monthly: 'MONTH',
  quarterly: 'QUARTER',
  yearly: 'YEAR',
};

function known(cadence: Cadence | undefined): Cadence | undefined {
  return cadence === 'unspecified' ? undefined : cadence;
}

/** Undefined if they differ. */
function cadenceOfMetrics({ metrics }: DatasetVersion): Cadence | undefined {
  const cadences = new Set(metrics.flatMap(({ cadence }) => known(cadence) ?? []));
  const [first] = cadences;
  return cadences.size === 1 ? first : undefined;
}

/** Not for a caller who does not see the periods. */
function cadenceOfPeriods({ dataset, cadence }: DatasetVersion): Cadence | undefined {
  return dataset.period === undefined ? undefined : cadence;
}

/** Undefined if the data are so old that the next ones are late, as in an archive: then they do not tell the lag. */
function lagDaysOf(
  { lastObservationDate, publishedTime }: DatasetVersion,
  cadence: Cadence | undefined,
): number | undefined {
  const periodDays = cadence === undefined ? undefined : PERIOD_DAYS[cadence];
  if (lastObservationDate === undefined || periodDays === undefined) return undefined;
  const published = Date.parse(publishedTime.slice(0, 'YYYY-MM-DD'.length));
  const days = (published - Date.parse(lastObservationDate)) / DAY_MS;
  return days >= 0 && days <= PERIODS_MAX * periodDays ? days : undefined;
}

const PERIODS_MAX = 2;
const DAY_MS = 86_400_000;
