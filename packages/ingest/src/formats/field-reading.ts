import type { FieldType } from '@locmetrics/core/domain/field';
import { INTEGER_MAX, INTEGER_MIN } from '@locmetrics/core/domain/value';

/**
 * The reading of one field from a column of a file, as SQL expressions over that column.
 *
 * - `value`: the typed value, NULL if it is absent or refused;
 * - `isAbsent`: whether the value is absent;
 * - `shown`: the original as text, for a message;
 * - `reason`: why it was refused. It is only computed for refused values, so it may be slow.
 */
export type FieldReading = {
  /** Expressions that the others use more than once, each computed once for a row, in this order. */
  readonly prepared?: readonly { readonly name: string; readonly sql: string }[];
  readonly value: string;
  readonly isAbsent: string;
  readonly shown: string;
  readonly reason: string;
};

/** Reads a field from a column of text, as CSV and most texts in the other formats are read. */
export function readText(type: FieldType, text: string): FieldReading {
  const common = { isAbsent: `(${text} IS NULL OR ${isBlank(text)})`, shown: text };
  switch (type) {
    case 'string':
      return {
        ...common,
        value: `CASE WHEN NOT ${isBlank(text)} AND NOT contains(${text}, chr(0)) THEN ${text} END`,
        reason: `'contains the character U+0000'`,
      };
    case 'integer':
      return {
        ...common,
        value: `CASE WHEN ${matches(text, INTEGER)} THEN TRY_CAST(${text} AS BIGINT) END`,
        reason: `CASE WHEN ${matches(text, INTEGER)} THEN '${INTEGER_RANGE_REASON}'
          ELSE '${NOT_INTEGER_REASON}' END`,
      };
    case 'float':
      return {
        ...common,
        value: `CASE WHEN ${matches(text, DECIMAL)}
          THEN ${finiteFloat(`TRY_CAST(${text} AS DOUBLE)`)} END`,
        reason: `CASE WHEN ${matches(text, DECIMAL)} THEN '${NOT_FINITE_REASON}'
          ELSE '${NOT_FLOAT_REASON}' END`,
      };
    case 'boolean':
      return {
        ...common,
        value: `CASE WHEN ${matches(text, TRUE)} THEN true WHEN ${matches(text, FALSE)} THEN false END`,
        reason: `'${NOT_BOOLEAN_REASON}'`,
      };
    case 'date':
      return {
        ...common,
        value: `CASE WHEN ${matches(text, DATE)}
          THEN ${knownDate(`TRY_CAST(${text} AS DATE)`)} END`,
        reason: `CASE WHEN ${matches(text, DATE)} THEN '${NO_SUCH_DATE_REASON}'
          ELSE '${NOT_DATE_REASON}' END`,
      };
  }
}

export const INTEGER_RANGE_REASON = `is not between ${INTEGER_MIN} and ${INTEGER_MAX}`;
export const NOT_INTEGER_REASON = 'is not a whole number';
export const NOT_FLOAT_REASON = 'is not a number';
export const NOT_FINITE_REASON = 'is not a finite number';
export const NOT_BOOLEAN_REASON = 'is not true or false';
export const NOT_DATE_REASON = 'is not a date YYYY-MM-DD';
export const NO_SUCH_DATE_REASON = 'is not a day of the calendar from 0001-01-01 to 9999-12-31';

/** Restricts the reading of a latitude to its range. The reason tells if it could be the longitude of its row. */
export function withinLatitudes(
  reading: FieldReading,
  longitude: FieldReading | undefined,
): FieldReading {
  const within = withinDegrees(reading, 90);
  if (longitude === undefined) return within;
  return {
    ...within,
    reason: `CASE WHEN (${reading.value}) BETWEEN -180 AND 180 AND (${longitude.value}) BETWEEN -90 AND 90
      THEN '${EXCHANGED_REASON}' ELSE (${within.reason}) END`,
  };
}

export const EXCHANGED_REASON = 'is not between -90 and 90, but the longitude is';

/** Restricts the reading of a number to a range, for the degrees of a point. */
export function withinDegrees(reading: FieldReading, limit: 90 | 180): FieldReading {
  return {
    ...reading,
    value: `(CASE WHEN (${reading.value}) BETWEEN -${limit} AND ${limit} THEN (${reading.value}) END)`,
    reason: `CASE WHEN (${reading.value}) IS NULL THEN (${reading.reason})
      ELSE 'is not between -${limit} and ${limit}' END`,
  };
}

/** Only finite numbers, and 0 for -0. `x + 0.0` has the same meaning, but an optimizer may drop it. */
export function finiteFloat(float: string): string {
  return `CASE WHEN isfinite(${float}) THEN CASE WHEN ${float} = 0 THEN 0.0 ELSE ${float} END END`;
}

/** DuckDB also has dates before the year 1 and infinite dates; these are refused. */
export function knownDate(date: string): string {
  return `CASE WHEN ${date} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN ${date} END`;
}

/** Whether the whole text matches. The pattern must not contain a quote. */
export function matches(text: string, pattern: string): string {
  return `regexp_full_match(${text}, '${pattern}')`;
}

// ASCII white space may surround the value, as in the casts of DuckDB. A trim would cost more than all the
// rest.
export const SPACE = '[\\t-\\r ]*';
const INTEGER = `${SPACE}[+-]?[0-9]+${SPACE}`;
export const DECIMAL = `${SPACE}[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?${SPACE}`;
const DATE = `${SPACE}[0-9]{4}-[0-9]{2}-[0-9]{2}${SPACE}`;
const TRUE = `${SPACE}[Tt][Rr][Uu][Ee]${SPACE}`;
const FALSE = `${SPACE}[Ff][Aa][Ll][Ss][Ee]${SPACE}`;

/** The white space of ECMAScript. So blank means the same as `text.trim() === ''`. */
const WHITE_SPACE_CODE_POINTS = [
  0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
];
const BLANK = `[${WHITE_SPACE_CODE_POINTS.map((point) => `\\x{${point.toString(16)}}`).join('')}]*`;

/**
 * Whether the text is only white space. Nearly all texts start with a visible ASCII character; that character
 * decides without the regular expression.
 */
export function isBlank(text: string): string {
  return `(NOT (${text} >= '!' AND ${text} < chr(128)) AND ${matches(text, BLANK)})`;
}
