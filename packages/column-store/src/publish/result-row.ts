import { strict as assert } from 'node:assert';

/** A row of a query whose numbers were cast to DOUBLE. */
export type ResultRow = Readonly<Record<string, string | number | null>>;

export function toResultRow(row: Readonly<Record<string, unknown>>): ResultRow {
  const result: Record<string, string | number | null> = {};
  for (const [name, value] of Object.entries(row)) {
    assert(value === null || typeof value === 'string' || typeof value === 'number');
    result[name] = value;
  }
  return result;
}

export function numberOf(row: ResultRow, name: string): number {
  return asNumber(row[name]);
}

/** A value that the query always returns as a number. */
export function asNumber(value: unknown): number {
  assert(typeof value === 'number');
  return value;
}

export function textOf(row: ResultRow, name: string): string {
  const value = row[name];
  assert(typeof value === 'string');
  return value;
}
