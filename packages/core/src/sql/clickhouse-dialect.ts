import type { Bucket } from '../domain/date-bucket.ts';
import type { Field, FieldType } from '../domain/field.ts';
import type { ReadableVersion } from '../domain/predicate.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect } from './sql-dialect.ts';

/**
 * The dialect of ClickHouse, for the table layout in `cluster/clickhouse/record-table.ts`. It needs the settings in
 * `cluster/clickhouse/query-settings.ts`.
 */
export function clickhouseDialect(layout: {
  readonly recordTable: (version: ReadableVersion) => string;
  readonly rowColumn: string;
  readonly foldColumn: (fieldName: string) => string;
  readonly searchColumn: (fieldName: string) => string;
}): SqlDialect {
  const foldColumn = (field: Field) => quoteIdentifier(layout.foldColumn(field.name));
  const fieldText = (field: Field) => textOf(field.type, quoteIdentifier(field.name));
  return {
    placeholder: (number, type) => `{${parameterName(number)}:${PARAMETER_TYPES[type]}}`,
    listPlaceholder: (number, type) =>
      `(SELECT arrayJoin({${parameterName(number)}:Array(${PARAMETER_TYPES[type]})}))`,
    // An element of an array has no absent number.
    listItem: (number, type, item) =>
      `{${parameterName(number)}:Array(${PARAMETER_TYPES[type]})}[ifNull(${item}, 0)]`,
    listTable: (columns) => {
      const lists = columns.map(({ number }) => `{${parameterName(number)}:Array(Int64)}`);
      const values = columns.map(({ name }, at) => `_item.${at + 1} AS ${quoteIdentifier(name)}`);
      return `(SELECT ${values.join(', ')} FROM (SELECT arrayJoin(arrayZip(${lists.join(', ')})) AS _item))`;
    },
    recordTable: layout.recordTable,
    replaceColumns: (table, columns) => `(SELECT * REPLACE (${columns.join(', ')}) FROM ${table})`,
    rowColumn: quoteIdentifier(layout.rowColumn),
    foldColumn,
    textMatch: (match, text, folded, term = '') => {
      switch (match) {
        case 'contains':
          // A text index serves LIKE and not position(), which is faster where the index leaves most texts.
          return term.length < INDEXED_TERM_LENGTH
            ? `position(${text}, ${folded}) > 0`
            : `${text} LIKE concat('%', ${escapePattern(folded)}, '%')`;
        case 'starts_with':
          return `startsWith(${text}, ${folded})`;
        case 'ends_with':
          return `endsWith(${text}, ${folded})`;
      }
    },
    matchesPattern: (text, pattern) => `match(${text}, ${pattern})`,
    betweenLineFeeds: (texts) =>
      `concat('\\n', ${texts.map((text) => `ifNull(${text}, ''), '\\n'`).join(', ')})`,
    textOf,
    fieldText,
    searchedText: (field, rule) => {
      if (field.type !== 'string') return fieldText(field);
      return rule === 1 ? foldColumn(field) : quoteIdentifier(layout.searchColumn(field.name));
    },
    valueAtLeast: (value, least) => `argMin(${value}, ${least})`,
    wholeNumber: (expression) => `accurateCastOrNull(trunc(${expression}), 'Int64')`,
    double: (expression) => `toFloat64(${expression})`,
    wide: (expression) => `toInt128(${expression})`,
    wholeQuotient: (dividend, divisor) => `intDiv(${dividend}, ${divisor})`,
    // A sum of Int64 would wrap around.
    sum: (expression) => `sum(toInt128(${expression}))`,
    sortedItem: (expression, index) =>
      `arraySort(groupArray(${expression}))[ifNull(${index}, 0) + 1]`,
    countOfAll: 'count(*) OVER ()',
    bucketKey: bucketOfDay,
    bucketOfKey: (_bucket, key) => key,
    uncorrelated: { dayOrNone: (expression) => `ifNull(${expression}, ${NO_DAY})` },
    textBytes: (text) => `length(${text})`,
    noText: 'CAST(NULL AS Nullable(String))',
    // The driver writes the text of a day. In SQL it would cost each query a millisecond, before a row is read.
    selectValue: (_type, expression) => expression,
  };
}

/** Shorter terms are in the texts of most granules. */
const INDEXED_TERM_LENGTH = 5;

/** A constant text as part of a pattern of LIKE, in which `%`, `_` and `\\` have a meaning. */
function escapePattern(text: string): string {
  return String.raw`replaceRegexpAll(${text}, '[\\\\%_]', '\\\\\\0')`;
}

/** The name of a parameter in a statement, by its number from 1. */
export function parameterName(number: number): string {
  return `p${number}`;
}

/** Days are numbers since 1970: a Date32 would silently become 1900-01-01 before that day. */
const PARAMETER_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'String',
  integer: 'Int64',
  float: 'Float64',
  boolean: 'Bool',
  date: 'Int32',
};

/** A number of days that no date has. */
const NO_DAY = 'toInt32(-2147483648)';

function textOf(type: FieldType, expression: string): string {
  switch (type) {
    case 'string':
      return expression;
    case 'float':
      // The digits and the places of the exponent are those of JavaScript, which writes its sign too.
      return `replaceRegexpOne(toString(${expression}), 'e([0-9])', 'e+\\\\1')`;
    case 'integer':
    case 'boolean':
      return `toString(${expression})`;
    case 'date':
      return dayText(expression);
  }
}

/** The days of 400 years, after which the calendar repeats itself. */
const CYCLE_DAYS = 146_097;
/** From 1900-01-01, the first day of a Date32, to 1970-01-01. */
const DAYS_TO_1970 = 25_567;
/** Cycles that are added so that no number is negative: division rounds towards zero. */
const CYCLES_ADDED = 5;

/** The bucket of a number of days since 1970, from the same day of another cycle, which has as many whole weeks. */
function bucketOfDay(bucket: Bucket, days: string): string {
  const day = `(${days} + ${DAYS_TO_1970 + CYCLES_ADDED * CYCLE_DAYS})`;
  const dayOfCycle = `addDays(toDate32('1900-01-01'), ${day} % ${CYCLE_DAYS})`;
  // The functions for the start of a bucket return a Date, which begins in 1970, and toDayOfYear has an error in 2299.
  const minus = (count: string) => `toInt32(${days} - (${count}))`;
  const since = (month: string) =>
    minus(`toInt32(${dayOfCycle}) - toInt32(makeDate32(toYear(${dayOfCycle}), ${month}, 1))`);
  switch (bucket) {
    case 'DAY':
      return days;
    case 'WEEK':
      return minus(`toDayOfWeek(${dayOfCycle}) - 1`);
    case 'MONTH':
      return minus(`toDayOfMonth(${dayOfCycle}) - 1`);
    case 'QUARTER':
      return since(`toQuarter(${dayOfCycle}) * 3 - 2`);
    case 'YEAR':
      return since('1');
    case 'DAY_OF_WEEK':
      return `toInt64(toDayOfWeek(${dayOfCycle}))`;
    case 'MONTH_OF_YEAR':
      return `toInt64(toMonth(${dayOfCycle}))`;
  }
}

/** `YYYY-MM-DD` of a number of days since 1970: that of the same day of another cycle, with its own year. */
function dayText(days: string): string {
  const day = `(${days} + ${DAYS_TO_1970 + CYCLES_ADDED * CYCLE_DAYS})`;
  const dayOfCycle = `addDays(toDate32('1900-01-01'), ${day} % ${CYCLE_DAYS})`;
  const year = `toYear(${dayOfCycle}) + 400 * (intDiv(${day}, ${CYCLE_DAYS}) - ${CYCLES_ADDED})`;
  return `concat(leftPad(toString(${year}), 4, '0'), formatDateTime(${dayOfCycle}, '-%m-%d'))`;
}
