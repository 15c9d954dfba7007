import type { Value } from '@locmetrics/core/domain/value';
import type { RecordsPage } from '@locmetrics/core/storage/engine';

/** About the memory of a value without the characters of its text. */
const VALUE_BYTES = 16;

/** About the memory that the values of records take. */
export function bytesOfValues({
  rows,
  columns = rows,
}: Pick<RecordsPage, 'rows' | 'columns'>): number {
  let bytes = 0;
  for (const values of columns) {
    bytes += values.length * VALUE_BYTES;
    for (let index = 0; index < values.length; index += 1) bytes += charactersOf(values[index]);
  }
  return bytes;
}

function charactersOf(value: Value | undefined): number {
  return typeof value === 'string' ? value.length : 0;
}
