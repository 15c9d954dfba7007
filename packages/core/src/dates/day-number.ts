import { memoize } from '../runtime/memoize.ts';

const MS_PER_DAY = 86_400_000;
const KEPT_DAYS_MAX = 10_000;

/** The number of days since 1970 of a calendar date `YYYY-MM-DD`. A table has few different ones. */
export const dayNumber = memoize((day: string) => Date.parse(day) / MS_PER_DAY, KEPT_DAYS_MAX);
