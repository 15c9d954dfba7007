import { csvLine } from '@locmetrics/contract/csv';

/** A table as CSV, with a header. */
export function encodeCsv(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [columns, ...rows].map(csvLine).join('');
}
