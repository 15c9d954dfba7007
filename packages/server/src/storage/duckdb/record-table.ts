import type { FieldType } from '../../domain/field.ts';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';

/**
 * The shape of a version's column file: one table, sorted by `_row`.
 *
 * - `_row`: 0, 1, 2 … in the order of the key, so that one number is the tie-break of every order
 *   and the position of a page.
 * - a column for each field, absent values NULL;
 * - for each string field its folded text (see `domain/text-fold.ts`), because no engine lowers the
 *   case as the wire demands.
 *
 * Field names begin with a letter, so columns that begin with `_` never meet one.
 */
export const COLUMN_FILE = 'records.duckdb';
export const RECORD_TABLE = 'records';
export const ROW_COLUMN = '_row';

/** SQL of the table of a column file by the name it is attached under. */
export function recordTable(database: string): string {
  return `${quoteIdentifier(database)}.${quoteIdentifier(RECORD_TABLE)}`;
}

/**
 * Rows of a row group: the unit that a scan leaves out by the least and greatest value of a column.
 * Neighbours in key order are often neighbours on the map and in time, so smaller groups than
 * DuckDB's 122,880 rows halve the time of a box or a series, for some 10 % more bytes.
 */
export const ROW_GROUP_ROWS = 16_384;

export function foldColumn(fieldName: string): string {
  return `_fold_${fieldName}`;
}

export const COLUMN_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  float: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
};
