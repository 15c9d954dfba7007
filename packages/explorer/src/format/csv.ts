import { type CsvValue, csvLine } from '@locmetrics/contract/csv';

export const CSV_TYPE = 'text/csv;charset=utf-8';

/** A table as CSV with a header. A byte order mark tells Excel that it is UTF-8. */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return `\uFEFF${[columns, ...rows].map(csvLine).join('')}`;
}
