import { memoize } from '../runtime/memoize.ts';
import { dayText } from './calendar-date.ts';

const MS_PER_DAY = 86_400_000;
const KEPT_DAYS_MAX = 10_000;

/** The text of a day that is stored as the number of days since 1970. */
export const dayOf = memoize((days: number) => dayText(days * MS_PER_DAY), KEPT_DAYS_MAX);

/** The number of days since 1970 of the text of a day. */
export function daysOf(day: string): number {
  return Date.parse(day) / MS_PER_DAY;
}
