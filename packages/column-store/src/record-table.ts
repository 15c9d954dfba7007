import type { FieldType } from '@locmetrics/core/domain/field';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';

/**
 * The layout of a version's column file: one table, sorted by `_row`.
 *
 * - `_row`: 0, 1, 2 … in the order of the key, so that one number is the tie-break of every order
 *   and the position of a page.
 * - a column for each field, absent values NULL;
 * - the folded text of each string field (see `core/text/text-fold.ts`), because no engine folds the case
 *   as the interface requires;
 * - for each string field of a dataset with search rule 2 the text folded for searches (see `core/text/search-fold.ts`),
 *   NULL where that is the folded text, as it is for all of ASCII;
 * - the unit vector of the point, of a dataset that has vectors (see `core/geometry/unit-vector.ts`).
 *
 * Field names start with a letter, so columns that start with `_` never collide with them.
 */
export const COLUMN_FILE = 'records.duckdb';
export const RECORD_TABLE = 'records';
export const ROW_COLUMN = '_row';

/** The SQL name of the table in a column file, by the name of the attached database. */
export function recordTable(database: string): string {
  return `${quoteIdentifier(database)}.${quoteIdentifier(RECORD_TABLE)}`;
}

/**
 * The rows of a row group: the unit that a scan skips by the minimum and maximum of a column. Neighbours
 * in key order are often neighbours on the map and in time, so groups smaller than DuckDB's default of
 * 122,880 rows halve the time of a box or a series, for about 10 % more bytes.
 */
export const ROW_GROUP_ROWS = 16_384;

export function foldColumn(fieldName: string): string {
  return `_fold_${fieldName}`;
}

export function searchColumn(fieldName: string): string {
  return `_search_${fieldName}`;
}

export const COLUMN_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  float: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
};
