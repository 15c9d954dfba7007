import { dayOf, daysOf } from '@locmetrics/core/dates/stored-day';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { Column, Value } from '@locmetrics/core/domain/value';
import { openBlock } from '../record-block.ts';

/** Entries of an order or of points: the ordinals of records, and the values of the covered fields. */
export type EntryBlock = {
  readonly count: number;
  readonly ordinalAt: (index: number) => number;
  /** The values of a covered field, each a value for each entry. */
  readonly valuesOf: (fieldName: string) => ArrayLike<Value>;
  /** The same as keys (see `toKey`). */
  readonly keysOf: (fieldName: string) => Column;
  /** Whether all entries have the same value of a covered field. */
  readonly isSame: (fieldName: string) => boolean;
};

/** The columns of blocks of entries. The first has the ordinals, then there is one for each covered field. */
export type EntryColumns = {
  readonly types: readonly FieldType[];
  /** The number of the column of each field. */
  readonly indexOf: ReadonlyMap<string, number>;
};

/** A value is decoded when it is first needed, and then kept; `onDecoded` receives the memory that this takes. */
export function openEntryBlock(
  data: Buffer,
  { types, indexOf }: EntryColumns,
  onDecoded: (bytes: number) => void,
): EntryBlock {
  const block = openBlock(data, types);
  const values: (Column | undefined)[] = [];
  const keys: (Column | undefined)[] = [];
  const columnOf = (fieldName: string): number => {
    const index = indexOf.get(fieldName);
    if (index === undefined) throw new Error(`Entries have no ${fieldName}.`);
    return index;
  };
  const find = (
    known: (Column | undefined)[],
    index: number,
    decode: (index: number) => Column,
  ): Column => {
    const before = known[index];
    if (before !== undefined) return before;
    const column = decode(index);
    known[index] = column;
    onDecoded(memoryOf(column));
    return column;
  };
  const keysIn = (index: number): Column => find(keys, index, block.keysOf);
  onDecoded(REST_BYTES + data.length);
  return {
    count: block.count,
    ordinalAt: (index) => Number(keysIn(0)[index]),
    valuesOf: (fieldName) => find(values, columnOf(fieldName), block.valuesOf),
    keysOf: (fieldName) => keysIn(columnOf(fieldName)),
    isSame: (fieldName) => block.isSame(columnOf(fieldName)),
  };
}

/** About the memory of an opened block without its bytes. */
const REST_BYTES = 1024;

/** About the memory of a decoded column. */
function memoryOf(column: Column): number {
  if (column instanceof Float64Array) return column.byteLength;
  let bytes = column.length * PLACE_BYTES;
  for (let index = 0; index < column.length; index += 1) {
    const value = column[index];
    if (typeof value === 'bigint') bytes += OBJECT_BYTES;
    // Short texts are shared, and so are days.
    else if (typeof value === 'string' && value.length > 2) bytes += OBJECT_BYTES + value.length;
  }
  return bytes;
}

const PLACE_BYTES = 8;
const OBJECT_BYTES = 24;

/**
 * A value as it is ordered and compared fastest: an integer that is exact as a number is one, a date is the number of days
 * since 1970. Two values of a field compare as their keys do.
 */
export function toKey(value: Value, type: FieldType): Value {
  if (type === 'date' && typeof value === 'string') return daysOf(value);
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The value of a key. */
export function fromKey(key: Value, type: FieldType): Value {
  if (typeof key !== 'number') return key;
  if (type === 'integer') return BigInt(key);
  return type === 'date' ? dayOf(key) : key;
}
