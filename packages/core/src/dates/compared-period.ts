import { dateParts, dateText, daysInMonth, dayText, isCalendarDate } from './calendar-date.ts';
import { dayNumber } from './day-number.ts';
import type { Period } from './period.ts';

export const COMPARISONS = ['PREVIOUS', 'SAME_PERIOD_LAST_YEAR', 'MEAN_OF_GROUPS'] as const;
export type Comparison = (typeof COMPARISONS)[number];
/** The comparisons of a group with the same group of another period. */
export type PeriodComparison = Exclude<Comparison, 'MEAN_OF_GROUPS'>;

/** How far a period is from the one that it is compared with. */
export type PeriodStep =
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'months'; readonly months: number }
  /** To the week of ISO 8601 with the same number. */
  | { readonly kind: 'week_of_last_year' };

/**
 * The step from a period to the one before it or that of last year. The period before one of whole months has as many
 * months, and the one before any other has as many days.
 */
export function stepOf(
  period: Period,
  comparison: PeriodComparison,
  { isWeekly }: { readonly isWeekly: boolean },
): PeriodStep {
  const days = dayNumber(period.end) - dayNumber(period.start) + 1;
  if (comparison === 'SAME_PERIOD_LAST_YEAR') {
    const isWeek = days === DAYS_OF_WEEK && (isWeekly || isMonday(period.start));
    return isWeek ? { kind: 'week_of_last_year' } : { kind: 'months', months: MONTHS_OF_YEAR };
  }
  return hasWholeMonths(period)
    ? { kind: 'months', months: monthNumber(period.end) - monthNumber(period.start) + 1 }
    : { kind: 'days', days };
}

/** The period that is so much earlier; undefined if there is none, as for 29 February. */
export function earlierPeriod(period: Period, step: PeriodStep): Period | undefined {
  const earlier = shift(period, step);
  const exists =
    earlier !== undefined &&
    isCalendarDate(earlier.start) &&
    isCalendarDate(earlier.end) &&
    earlier.start <= earlier.end;
  return exists ? earlier : undefined;
}

const DAYS_OF_WEEK = 7;
const MONTHS_OF_YEAR = 12;
const DAY_MS = 24 * 60 * 60 * 1000;

function shift({ start, end }: Period, step: PeriodStep): Period | undefined {
  switch (step.kind) {
    case 'days':
      return { start: addDays(start, -step.days), end: addDays(end, -step.days) };
    case 'months':
      return start === end
        ? singleDay(earlierMonth(start, step.months), start)
        : {
            start: earlierStart(start, step.months),
            end: earlierEnd(end, step.months, hasWholeMonths({ start, end })),
          };
    case 'week_of_last_year': {
      const first = weekOfLastYear(start);
      const length = dayNumber(end) - dayNumber(start);
      return first === undefined ? undefined : { start: first, end: addDays(first, length) };
    }
  }
}

type Month = { readonly year: number; readonly month: number; readonly days: number };

function earlierMonth(day: string, months: number): Month {
  const number = monthNumber(day) - months;
  const [year, month] = [Math.floor(number / MONTHS_OF_YEAR), (number % MONTHS_OF_YEAR) + 1];
  return { year, month, days: daysInMonth(year, month) };
}

function singleDay({ year, month, days }: Month, from: string): Period | undefined {
  const { day } = dateParts(from);
  if (day > days) return undefined;
  const text = dateText({ year, month, day });
  return { start: text, end: text };
}

/** A start that the month does not have is the first day after the month. */
function earlierStart(from: string, months: number): string {
  const { day } = dateParts(from);
  const { year, month, days } = earlierMonth(from, months);
  return day <= days
    ? dateText({ year, month, day })
    : addDays(dateText({ year, month, day: days }), 1);
}

function earlierEnd(from: string, months: number, isWhole: boolean): string {
  const { year, month, days } = earlierMonth(from, months);
  return dateText({ year, month, day: isWhole ? days : Math.min(dateParts(from).day, days) });
}

/** The same day of the ISO week with the same number in the year before; undefined if that year has 52. */
function weekOfLastYear(day: string): string | undefined {
  const sinceMonday = (new Date(Date.parse(day)).getUTCDay() + 6) % DAYS_OF_WEEK;
  const monday = addDays(day, -sinceMonday);
  // The year of an ISO week is that of its Thursday.
  const { year } = dateParts(addDays(monday, 3));
  const week = (dayNumber(monday) - dayNumber(firstMonday(year))) / DAYS_OF_WEEK;
  const earlier = addDays(firstMonday(year - 1), week * DAYS_OF_WEEK);
  return earlier < firstMonday(year) ? addDays(earlier, sinceMonday) : undefined;
}

/** The Monday of week 1, which has 4 January. */
function firstMonday(year: number): string {
  const fourth = dateText({ year, month: 1, day: 4 });
  return addDays(fourth, -((new Date(Date.parse(fourth)).getUTCDay() + 6) % DAYS_OF_WEEK));
}

function hasWholeMonths({ start, end }: Period): boolean {
  const { year, month, day } = dateParts(end);
  return dateParts(start).day === 1 && day === daysInMonth(year, month);
}

function isMonday(day: string): boolean {
  return new Date(Date.parse(day)).getUTCDay() === 1;
}

function monthNumber(day: string): number {
  const { year, month } = dateParts(day);
  return year * MONTHS_OF_YEAR + month - 1;
}

function addDays(day: string, days: number): string {
  return dayText(Date.parse(day) + days * DAY_MS);
}
