import type { CallerLimits } from '@locmetrics/client';

export type LimitName = keyof CallerLimits | 'viewedRowsPerDay' | 'viewedRowsPerMonth';

/** The name and the unit of each limit, in words. */
export const LIMIT_WORDS: Readonly<
  Record<LimitName, { readonly label: string; readonly meaning: string }>
> = {
  rowsPerMonth: {
    label: 'Rows in a month',
    meaning: 'Rows of answers in a calendar month, UTC',
  },
  rowsPerDay: { label: 'Rows in a day', meaning: 'Rows of answers in a day, UTC' },
  viewedRowsPerMonth: {
    label: 'Rows to look at in a month',
    meaning: 'Rows that the explorer shows, besides the limits of rows',
  },
  viewedRowsPerDay: {
    label: 'Rows to look at in a day',
    meaning: 'Rows that the explorer shows, besides the limits of rows',
  },
  requestsPerSecond: {
    label: 'Requests a second',
    meaning: 'On average; all tokens share them',
  },
  burst: { label: 'Requests at once', meaning: 'How many may arrive together' },
  concurrentQueries: {
    label: 'Requests answered together',
    meaning: 'How many may be answered at the same time',
  },
};
