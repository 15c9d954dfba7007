import type { FieldType } from '../../../domain/field.ts';
import type { Column, Value } from '../../../domain/value.ts';
import { openBlock } from '../record-block.ts';
import { dayOf, daysOf } from '../stored-day.ts';

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
  /** The most memory that it takes with all its values. */
  readonly bytes: number;
};

/** The columns of blocks of entries. The first has the ordinals, then there is one for each covered field. */
export type EntryColumns = {
  readonly types: readonly FieldType[];
  /** The number of the column of each field. */
  readonly indexOf: ReadonlyMap<string, number>;
};

/** A value is decoded when it is first needed, and then kept. */
export function openEntryBlock(data: Buffer, { types, indexOf }: EntryColumns): EntryBlock {
  const block = openBlock(data, types);
  const { count } = block;
  const values: (ArrayLike<Value> | undefined)[] = [];
  const keys: (Column | undefined)[] = [];
  const columnOf = (fieldName: string): number => {
    const index = indexOf.get(fieldName);
    if (index === undefined) throw new Error(`Entries have no ${fieldName}.`);
    return index;
  };
  const keysIn = (column: number): Column => {
    const known = keys[column] ?? block.keysOf(column);
    keys[column] = known;
    return known;
  };
  return {
    count,
    ordinalAt: (index) => Number(keysIn(0)[index]),
    valuesOf: (fieldName) => {
      const column = columnOf(fieldName);
      const known = values[column] ?? block.valuesOf(column);
      values[column] = known;
      return known;
    },
    keysOf: (fieldName) => keysIn(columnOf(fieldName)),
    isSame: (fieldName) => block.isSame(columnOf(fieldName)),
    bytes: types.reduce(
      (sum, type, column) => sum + (block.isSame(column) ? 2 * 8 : VALUE_BYTES[type]) * count,
      REST_BYTES + data.length,
    ),
  };
}

/** The memory of a value as such and as a key: a place for each, and what it refers to. */
const VALUE_BYTES: Readonly<Record<FieldType, number>> = {
  string: 64,
  integer: 40,
  float: 16,
  date: 16,
  boolean: 16,
};
const REST_BYTES = 1024;

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
