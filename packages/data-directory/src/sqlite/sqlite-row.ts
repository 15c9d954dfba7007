import type { SQLOutputValue } from 'node:sqlite';

/** A row as returned by node:sqlite. The readers below convert a column to the type of its schema. */
export type SqliteRow = Readonly<Record<string, SQLOutputValue>>;

export function readText(row: SqliteRow, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : unexpected(column, 'text', value);
}

/** A text, or undefined if the column is NULL. */
export function readOptionalText(row: SqliteRow, column: string): string | undefined {
  return row[column] === null ? undefined : readText(row, column);
}

export function readInteger(row: SqliteRow, column: string): number {
  const value = row[column];
  return typeof value === 'number' ? value : unexpected(column, 'an integer', value);
}

/** An integer, or undefined if the column is NULL. */
export function readOptionalInteger(row: SqliteRow, column: string): number | undefined {
  return row[column] === null ? undefined : readInteger(row, column);
}

/** A whole number or a fraction, or undefined if the column is NULL. */
export function readOptionalNumber(row: SqliteRow, column: string): number | undefined {
  const value = row[column];
  if (value === null) return undefined;
  return typeof value === 'number' ? value : unexpected(column, 'a number', value);
}

export function readBlob(row: SqliteRow, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : unexpected(column, 'a blob', value);
}

/** JSON that only the service has written. */
export function readJson(row: SqliteRow, column: string): unknown {
  const text = readText(row, column);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StoredValueError(`The database has a text in column '${column}' that is not JSON.`, {
      cause,
    });
  }
}

/** A value that the service has not written: the file is damaged, or there is a mistake in a query. */
export class StoredValueError extends Error {
  override readonly name = 'StoredValueError';
}

/** The tables are STRICT, so another type is a mistake in a query or a damaged file. */
function unexpected(column: string, expected: string, value: unknown): never {
  const found = value === null ? 'NULL' : typeof value;
  throw new StoredValueError(
    `The database has ${found} in column '${column}' instead of ${expected}.`,
  );
}
