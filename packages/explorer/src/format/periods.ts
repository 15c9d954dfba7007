import type { CalendarDate, MetricSpec, Period } from '@locmetrics/client';
import { formatDay } from './dates.ts';

export type Cadence = MetricSpec['cadence'];

const WORDS: Readonly<Record<Cadence, string>> = {
  UNSPECIFIED: 'irregular',
  HOURLY: 'every hour',
  DAILY: 'every day',
  WEEKLY: 'every week',
  WEEKLY_MON_SUN: 'every week, Monday to Sunday',
  WEEKLY_TUE_MON: 'every week, Tuesday to Monday',
  MONTHLY: 'every month',
  TRIMONTHLY: 'every three months',
  QUARTERLY: 'every quarter',
  YEARLY: 'every year',
};

const PERIOD_WORDS: Readonly<Record<Cadence, string>> = {
  UNSPECIFIED: 'Period',
  HOURLY: 'Day',
  DAILY: 'Day',
  WEEKLY: 'Week',
  WEEKLY_MON_SUN: 'Week',
  WEEKLY_TUE_MON: 'Week',
  MONTHLY: 'Month',
  TRIMONTHLY: 'Three months',
  QUARTERLY: 'Quarter',
  YEARLY: 'Year',
};

const MONTH = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** How often a metric has values, in words: every month. */
export function cadenceWords(cadence: Cadence): string {
  return WORDS[cadence];
}

/** The word for one period, such as the heading of a column: Month. */
export function periodWord(cadence: Cadence): string {
  return PERIOD_WORDS[cadence];
}

/** The word for several periods in a sentence: months. */
export function periodsOf(cadence: Cadence): string {
  return cadence === 'TRIMONTHLY' ? 'periods' : `${PERIOD_WORDS[cadence].toLowerCase()}s`;
}

/** A date as YYYY-MM-DD. */
export function toDay({ year, month, day }: CalendarDate): string {
  const pad = (part: number, length: number): string => String(part).padStart(length, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** A period in words, as short as its cadence allows: Jul 2023. */
export function formatPeriod({ start, end }: Period, cadence: Cadence): string {
  const [first, last] = [toDay(start), toDay(end)];
  switch (cadence) {
    case 'YEARLY':
      return start.month === 1 && start.day === 1 ? String(start.year) : formatRange(first, last);
    case 'QUARTERLY':
      return `Q${Math.ceil(start.month / 3)} ${start.year}`;
    case 'MONTHLY':
      return MONTH.format(Date.parse(first));
    case 'TRIMONTHLY':
      return `${MONTH.format(Date.parse(first))} – ${MONTH.format(Date.parse(last))}`;
    case 'HOURLY':
    case 'DAILY':
      return formatDay(first);
    case 'WEEKLY':
    case 'WEEKLY_MON_SUN':
    case 'WEEKLY_TUE_MON':
    case 'UNSPECIFIED':
      return formatRange(first, last);
  }
}

/** Days from one to another in words. */
export function formatRange(first: string, last: string): string {
  return first === last ? formatDay(first) : `${formatDay(first)} – ${formatDay(last)}`;
}
