import { isCalendarDate } from '../dates/calendar-date.ts';
import { compareUtf8 } from '../text/text-order.ts';
import type { FieldType } from './field.ts';

/**
 * A value of a record, absent as `null`.
 *
 * | field type | value |
 * |---|---|
 * | string | well-formed text that is not blank and holds no U+0000 |
 * | integer | `bigint` from -2^63 to 2^63 - 1 |
 * | float | finite `number`, never `-0` |
 * | boolean | `boolean` |
 * | date | text `YYYY-MM-DD`, a calendar date from 0001-01-01 to 9999-12-31 |
 */
export type Value = string | bigint | number | boolean | null;
export type PresentValue = Exclude<Value, null>;

/** The values of a field, by record. An integer that is exact as a number may be one. */
export type Column = ArrayLike<Value>;

export const INTEGER_MIN = -(2n ** 63n);
export const INTEGER_MAX = 2n ** 63n - 1n;

/** The text form of a value on the wire: JavaScript's shortest decimal for numbers, `''` for absent. */
export function valueText(value: Value): string {
  return value === null ? '' : String(value);
}

const INTEGER_TEXT = /^[+-]?[0-9]+$/;
/** Longer texts are not converted, because that takes long. */
const INTEGER_TEXT_LENGTH_MAX = 100;
const DECIMAL_TEXT = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;

/** Parses the text form of a value of the given type, or returns a description of the expected form. */
export function parseValue(
  type: FieldType,
  text: string,
): { readonly value: PresentValue } | { readonly expected: string } {
  switch (type) {
    case 'string':
      return { value: text };
    case 'integer':
      return INTEGER_TEXT.test(text)
        ? (readInteger(text) ?? { expected: EXPECTED_RANGE })
        : { expected: EXPECTED_VALUES.integer };
    case 'float': {
      const value = DECIMAL_TEXT.test(text) ? Number(text) : Number.NaN;
      // Adding 0 turns -0 into 0, so that one number has one text.
      return Number.isFinite(value) ? { value: value + 0 } : { expected: EXPECTED_VALUES.float };
    }
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { expected: EXPECTED_VALUES.boolean };
    case 'date':
      return isCalendarDate(text) ? { value: text } : { expected: EXPECTED_VALUES.date };
  }
}

/** Undefined for an integer of more than 64 bits. */
function readInteger(text: string): { readonly value: bigint } | undefined {
  if (text.length > INTEGER_TEXT_LENGTH_MAX) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return isStoredInteger(value) ? { value } : undefined;
}

/** Whether an integer has at most 64 bits. */
export function isStoredInteger(value: bigint): boolean {
  return value >= INTEGER_MIN && value <= INTEGER_MAX;
}

/** The integers that can be stored, in words. */
export const EXPECTED_RANGE = `a whole number of 64 bits, from ${INTEGER_MIN} to ${INTEGER_MAX}`;

/** A description of the values of each type, with an example. */
export const EXPECTED_VALUES: Readonly<Record<FieldType, string>> = {
  string: 'a text',
  integer: 'a whole number such as 1200',
  float: 'a finite number such as 8.331',
  boolean: 'true or false',
  date: 'a calendar date YYYY-MM-DD such as 2023-01-31',
};

/** Orders two present values of one field: text by its UTF-8 bytes, the others by size. */
export function compareValues(left: PresentValue, right: PresentValue): number {
  if (typeof left === 'string' && typeof right === 'string') return compareUtf8(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}
