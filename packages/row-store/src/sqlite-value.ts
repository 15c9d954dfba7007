import type { SQLInputValue } from 'node:sqlite';
import type { PresentValue } from '@locmetrics/core/domain/value';

/** A value as the tables of the row file have it: a boolean is 0 or 1. */
export function toSqlite(value: PresentValue): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value;
}
