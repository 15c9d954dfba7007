const DATE_TEXT = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;

/** Whether the text is a calendar date `YYYY-MM-DD` from 0001-01-01 to 9999-12-31 that exists. */
export function isCalendarDate(text: string): boolean {
  const match = DATE_TEXT.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export type DateParts = { readonly year: number; readonly month: number; readonly day: number };

/** The text of a date given in parts; invalid parts result in an invalid text. */
export function dateText({ year, month, day }: DateParts): string {
  const digits = (number: number, count: number) => String(number).padStart(count, '0');
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/** The parts of a calendar date `YYYY-MM-DD`. */
export function dateParts(text: string): DateParts {
  return { year: wholeAt(text, 0, 4), month: wholeAt(text, 5, 7), day: wholeAt(text, 8, 10) };
}

/** The number that the digits from one index to another write. Pages have thousands of dates, so no text is made. */
function wholeAt(text: string, from: number, to: number): number {
  let number = 0;
  for (let index = from; index < to; index += 1) {
    number = number * 10 + text.charCodeAt(index) - DIGIT_0;
  }
  return number;
}
const DIGIT_0 = 48;

/** The day (UTC) of a time in ms since 1970. */
export function dayText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
