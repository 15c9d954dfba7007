import { stringify } from 'csv-stringify/sync';

/**
 * A table as CSV (RFC 4180), with the names of its columns first. A text that a spreadsheet would run as
 * a formula gets an apostrophe before it: ids of requests are what callers chose.
 */
export function encodeCsv(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return stringify([[...columns], ...rows.map((row) => [...row])], {
    record_delimiter: 'windows',
    escape_formulas: true,
  });
}
