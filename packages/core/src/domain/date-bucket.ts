import { dateParts, dateText, daysInMonth, dayText } from '../dates/calendar-date.ts';
import type { Period } from '../dates/period.ts';
import type { FieldType } from './field.ts';

/** The spans by which days are grouped. Weeks are those of ISO 8601, which begin on Monday. */
export const BUCKETS = [
  'DAY',
  'WEEK',
  'MONTH',
  'QUARTER',
  'YEAR',
  'DAY_OF_WEEK',
  'MONTH_OF_YEAR',
] as const;
export type Bucket = (typeof BUCKETS)[number];

/** A span is written as its first day, a day of the week or a month of the year as its number from 1. */
export function bucketType(bucket: Bucket): FieldType {
  return bucket === 'DAY_OF_WEEK' || bucket === 'MONTH_OF_YEAR' ? 'integer' : 'date';
}

/** The bucket of a day `YYYY-MM-DD`. */
export function bucketOf(day: string, bucket: Bucket): string | bigint {
  switch (bucket) {
    case 'DAY':
      return day;
    case 'WEEK': {
      const monday = Date.parse(day) - (isoDayOfWeek(day) - 1) * DAY_MS;
      return new Date(monday).toISOString().slice(0, 10);
    }
    case 'MONTH':
      return `${day.slice(0, 7)}-01`;
    case 'QUARTER': {
      const month = monthOf(day);
      return `${day.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
    }
    case 'YEAR':
      return `${day.slice(0, 4)}-01-01`;
    case 'DAY_OF_WEEK':
      return BigInt(isoDayOfWeek(day));
    case 'MONTH_OF_YEAR':
      return BigInt(monthOf(day));
  }
}

function monthOf(day: string): number {
  return Number(day.slice(5, 7));
}

/** The days of the bucket that starts on a day; undefined for a bucket that is not a span of days. */
export function bucketSpan(start: string, bucket: Bucket): Period | undefined {
  const monthsOf = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;
  switch (bucket) {
    case 'DAY':
      return { start, end: start };
    case 'WEEK':
      return { start, end: dayText(Date.parse(start) + 6 * DAY_MS) };
    case 'MONTH':
    case 'QUARTER':
    case 'YEAR': {
      const { year, month } = dateParts(start);
      const last = month + monthsOf[bucket] - 1;
      return { start, end: dateText({ year, month: last, day: daysInMonth(year, last) }) };
    }
    case 'DAY_OF_WEEK':
    case 'MONTH_OF_YEAR':
      return undefined;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** 1 for Monday to 7 for Sunday. */
function isoDayOfWeek(day: string): number {
  return new Date(Date.parse(day)).getUTCDay() || 7;
}
