import { dayText } from '../dates/calendar-date.ts';
import { memoize } from '../runtime/memoize.ts';
import { toPart } from './byte-writer.ts';

const MS_PER_DAY = 86_400_000;
const KEPT_DAYS_MAX = 10_000;

/** The text `YYYY-MM-DD` of a number of days since 1970. */
export const dayPart = memoize((days: number) => toPart(dayText(days * MS_PER_DAY)), KEPT_DAYS_MAX);
