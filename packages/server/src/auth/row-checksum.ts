import { hash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** A checksum has 52 bits, so that it is a whole number in JavaScript and in both databases. */
export const CHECKSUM_MASK = 2 ** 52 - 1;

const CHECKSUM_HEX_DIGITS = 13;

/**
 * Gives a connection the function `row_checksum(table, value, …)`, which the triggers of the control store call. PostgreSQL
 * has the same function, so both give the same number for the same row.
 */
export function addRowChecksum(database: DatabaseSync): void {
  const options = { varargs: true, deterministic: true, useBigIntArguments: true };
  database.function('row_checksum', options, (...values) => BigInt(rowChecksum(values)));
}

function rowChecksum(values: readonly SQLOutputValue[]): number {
  const text = values.map(partOf).join('');
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, CHECKSUM_HEX_DIGITS), 16);
}

/** With its length, so that no two rows have the same parts. */
function partOf(value: SQLOutputValue): string {
  if (value === null) return 'n';
  const text = textOf(value);
  return `${Buffer.byteLength(text)}:${text}`;
}

function textOf(value: Exclude<SQLOutputValue, null>): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return bytesOf(value).toString('hex');
  return Buffer.from(value).toString('hex');
}

/** The databases write a fraction as different texts, but have the same bytes. */
function bytesOf(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
