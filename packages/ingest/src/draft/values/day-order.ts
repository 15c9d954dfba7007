import type { KnownDateFormat } from '../files/date-formats.ts';

export function isMonthFirstFormat(format: string | undefined): format is string {
  return format !== undefined && /^M{1,2}[/-]D/.test(format);
}

export function isDayFirstFormat(format: string | undefined): format is string {
  return format !== undefined && /^D{1,2}[/-]M/.test(format);
}

/** What the other columns of the file say about its days. */
export type WrittenDays = {
  /** Whether semicolons divide the values. */
  readonly hasSemicolons: boolean;
  /** Whether the rows have hours. */
  readonly hasHours: boolean;
};

/**
 * The formats that read all texts, the best first. If both the day and the month can be first, days that follow each
 * other tell which one it is, and else semicolons between the values: programs write them where the day is first.
 */
export function dayOrder(
  formats: readonly KnownDateFormat[],
  texts: readonly string[],
  { hasSemicolons = false, hasHours = false }: Partial<WrittenDays>,
): { readonly formats: readonly KnownDateFormat[]; readonly why: string | undefined } {
  const monthFirst = formats.some(({ format }) => isMonthFirstFormat(format));
  const dayFirst = formats.filter(({ format }) => isDayFirstFormat(format));
  const unchanged = { formats, why: undefined };
  if (!monthFirst || dayFirst.length === 0) return unchanged;
  const parts = texts.map((text) => /^\s*(\d{1,2})[/-](\d{1,2})[/-](\d{2,4})/.exec(text));
  const read = (day: 1 | 2) =>
    parts.map((part) => ({
      day: Number(part?.[day]),
      month: Number(part?.[3 - day]),
      year: Number(part?.[3]),
    }));
  const [ofDays, ofMonths] = [read(1), read(2)];
  const areDays = hasHours || texts.some((text) => TIME.test(text));
  const why = areRun(ofDays, areDays)
    ? 'because the days then follow each other'
    : areFirsts(ofDays) && !areFirsts(ofMonths) && !areRun(ofMonths, areDays)
      ? 'because the days then are the first ones of months that follow each other'
      : hasSemicolons && !areRun(ofMonths, areDays)
        ? 'because semicolons divide the values'
        : undefined;
  if (why === undefined) return unchanged;
  return { formats: [...dayFirst, ...formats.filter((one) => !dayFirst.includes(one))], why };
}

type Day = { readonly day: number; readonly month: number; readonly year: number };

/** A time other than midnight. */
const TIME = /\d[ T]+(?!0?0:00(:00)?|12:00(:00)? ?AM)\d{1,2}:\d\d/i;

/** Whether several days follow each other. Without hours, days of January can be the first ones of months. */
function areRun(days: readonly Day[], areDays: boolean): boolean {
  const numbers = days.map(({ year, month, day }) => Date.UTC(year, month - 1, day) / 86_400_000);
  const distinct = new Set(numbers);
  const span = Math.max(...numbers) - Math.min(...numbers) + 1;
  const areMonths = !areDays && days.every(({ month }) => month === 1);
  return distinct.size >= DAYS_MIN && span === distinct.size && !areMonths;
}

/** Whether all are first days of months that follow each other. */
function areFirsts(days: readonly Day[]): boolean {
  const months = days.map(({ year, month }) => year * 12 + month);
  const distinct = new Set(months);
  const span = Math.max(...months) - Math.min(...months) + 1;
  return days.every(({ day }) => day === 1) && distinct.size >= DAYS_MIN && span === distinct.size;
}

const DAYS_MIN = 4;
