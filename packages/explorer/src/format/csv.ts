export type CsvValue = string | number | boolean | null;

/**
 * A table as CSV (RFC 4180) with a header. A text that a spreadsheet would run as a formula gets an apostrophe before
 * it; numbers stay as they are.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

/** The first signs of a formula, also in their full width, which spreadsheets take for the same. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

function toCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
