export type CsvValue = string | number | boolean | null;

export const CSV_TYPE = 'text/csv;charset=utf-8';

/**
 * A table as CSV (RFC 4180) with a header, for spreadsheets. A text that one would run as a formula gets an apostrophe
 * before it; numbers stay as they are, with a point and no separators. A byte order mark tells Excel that it is UTF-8.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  const lines = [columns, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`);
  return `\uFEFF${lines.join('')}`;
}

/** The first characters of a formula, also in their full width, which spreadsheets take for the same. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

function toCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
