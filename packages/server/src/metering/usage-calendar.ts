export const DAY_MS = 86_400_000;

/** The day (UTC) of a time in ms since 1970, counted from 1970-01-01. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** The first moment of the next day. */
export function endOfDay(day: number): number {
  return (day + 1) * DAY_MS;
}

/** The first moments of the month of a day, and of the next month. */
export function monthOf(day: number): { readonly startMs: number; readonly endMs: number } {
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
}
