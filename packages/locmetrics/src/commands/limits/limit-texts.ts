import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { LIMIT_NAMES, type LimitName } from '@locmetrics/server/auth/limits';

/** The names of each limit on the command line. */
export const LIMIT_TEXTS: Readonly<
  Record<LimitName, { readonly flag: string; readonly column: string; readonly noun: string }>
> = {
  requestsPerSecond: {
    flag: '--requests-per-second',
    column: 'REQUESTS/S',
    noun: 'requests per second',
  },
  burst: { flag: '--burst', column: 'BURST', noun: 'at once' },
  rowsPerDay: { flag: '--rows-per-day', column: 'ROWS/DAY', noun: 'rows per day' },
  rowsPerMonth: { flag: '--rows-per-month', column: 'ROWS/MONTH', noun: 'rows per month' },
  concurrentQueries: {
    flag: '--concurrent',
    column: 'CONCURRENT',
    noun: 'requests at the same time',
  },
  viewedRowsPerDay: {
    flag: '--viewed-rows',
    column: 'VIEWED/DAY',
    noun: 'rows to look at per day',
  },
};

/** The limits in words. */
export function limitsText(limits: OrganisationLimits): string {
  const parts = LIMIT_NAMES.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [`${limit} ${LIMIT_TEXTS[name].noun}`];
  });
  return parts.length === 0 ? 'none' : parts.join(', ');
}
