import type { ChartData } from './chart-data.ts';

/**
 * What is on the screen as CSV for spreadsheets: numbers with a point and no separators, absent values empty. A byte
 * order mark tells Excel that the text is UTF-8.
 */
export function toCsv({ points, series, pointWord, isByYear, unit }: ChartData): string {
  const names = series.map(({ name, title }) => {
    const id = isByYear || title === name ? '' : ` (${title})`;
    return `${name}${id}${unit === '' ? '' : `, ${unit}`}`;
  });
  const head = isByYear ? [pointWord, ...names] : ['First day', 'Last day', ...names];
  const rows = points.map(({ key, last, label }, index) => [
    ...(isByYear ? [label] : [key, last]),
    ...series.map(({ values }) => values[index]),
  ]);
  return `\uFEFF${[head, ...rows].map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`;
}

/** A spreadsheet runs a text that begins like a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

function toCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
