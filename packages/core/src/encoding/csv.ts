import { stringify } from 'csv-stringify/sync';

/**
 * A table as CSV (RFC 4180), with a header. A text that a spreadsheet would run as a formula gets a leading
 * apostrophe, because callers choose the ids of requests.
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
