/*
 * The rules of every CSV that the service, its commands and the explorer write (RFC 4180), for spreadsheets and for
 * programs alike.
 *
 * - Lines end with CR LF. A cell is quoted only if it must be.
 * - A text that a spreadsheet would run as a formula gets an apostrophe before it. Numbers stay as they are.
 * - An absent value is an empty cell. A line of one empty cell is `""`, because readers skip empty lines.
 */

export type CsvValue = string | number | bigint | boolean | null;

/** A line with its line end. */
export function csvLine(values: readonly CsvValue[]): string {
  const line = values.map(csvCell).join(',');
  return `${line === '' ? LONE_EMPTY_CELL : line}${CSV_LINE_END}`;
}

export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? csvText(value) : String(value);
}

export const CSV_LINE_END = '\r\n';
export const LONE_EMPTY_CELL = '""';

/** The first characters of a formula, also in their full width, which spreadsheets take for the same. */
export const FORMULA_STARTS = [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\uFF1D',
  '\uFF0B',
  '\uFF0D',
  '\uFF20',
] as const;

const FORMULA = new RegExp(`^[${FORMULA_STARTS.join('').replace('-', '\\-')}]`);
const QUOTED = /[",\r\n]/;

function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
