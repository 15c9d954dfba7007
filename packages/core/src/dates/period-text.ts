import { daysInMonth, isCalendarDate } from './calendar-date.ts';
import type { Period } from './period.ts';

/**
 * Parses a text such as `2024`, `2024-01`, `2024-01-05`, or two of them separated by a slash: the period
 * goes from the first day of the first to the last day of the second. Undefined if the text is invalid.
 */
export function readPeriodText(text: string): Period | undefined {
  const [first, last, ...rest] = text.split('/').map(readSpan);
  if (first === undefined || rest.length > 0) return undefined;
  if (!text.includes('/')) return first;
  if (last === undefined || last.end < first.start) return undefined;
  return { start: first.start, end: last.end };
}

/** The shortest text of a period. */
export function periodText({ start, end }: Period): string {
  for (const short of [start.slice(0, 4), start.slice(0, 7), start]) {
    const span = readSpan(short);
    if (span?.start === start && span.end === end) return short;
  }
  return `${start}/${end}`;
}

function readSpan(text: string): Period | undefined {
  const [, year, month, day] = /^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const lastMonth = month ?? '12';
  const lastDay = day ?? String(daysInMonth(Number(year), Number(lastMonth)));
  const span = {
    start: `${year}-${month ?? '01'}-${day ?? '01'}`,
    end: `${year}-${lastMonth}-${lastDay}`,
  };
  return isCalendarDate(span.start) && isCalendarDate(span.end) ? span : undefined;
}
