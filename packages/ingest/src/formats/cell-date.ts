/** Whether numbers in a format of Excel are shown as dates or times. Durations such as [h]:mm are not. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN.some(([from, to]) => id >= from && id <= to);
  if (/\[(h+|m+|s+)\]/i.test(code)) return false;
  const plain = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '');
  return /[dmyhs]/i.test(plain) && !/general/i.test(plain);
}

/** The formats of dates and times that a workbook does not describe (ECMA-376, part 1, 18.8.30). */
const BUILT_IN: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
];

/** The text of a day that is counted from 1900 or 1904: YYYY-MM-DD, with a time as YYYY-MM-DD HH:mm:ss. */
export function dateText(serial: number, is1904: boolean): string {
  const days = Math.floor(serial);
  const seconds = Math.round((serial - days) * SECONDS_PER_DAY);
  if (days === 0 && !is1904) return timeText(seconds);
  // Excel has a February 29 in 1900, which no date is.
  if (!is1904 && (days < 0 || days === 60)) return String(serial);
  const epoch = is1904 ? EPOCH_1904 : days < 60 ? EPOCH_1900 + 1 : EPOCH_1900;
  const date = new Date((epoch + days) * SECONDS_PER_DAY * 1000 + seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(serial);
  const text = date.toISOString();
  return seconds === 0 ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

const SECONDS_PER_DAY = 86_400;
/** The days before the first one, from 1970-01-01. */
const EPOCH_1900 = Date.UTC(1899, 11, 30) / SECONDS_PER_DAY / 1000;
const EPOCH_1904 = Date.UTC(1904, 0, 1) / SECONDS_PER_DAY / 1000;
