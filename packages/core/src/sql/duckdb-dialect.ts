import { FORMULA_STARTS, LONE_EMPTY_CELL } from '@locmetrics/contract/csv';
import type { Bucket } from '../domain/date-bucket.ts';
import type { Field, FieldType } from '../domain/field.ts';
import type { ReadableVersion } from '../domain/predicate.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect, TypedExpression } from './sql-dialect.ts';

/** The dialect of DuckDB, for the table layout in `column-store/record-table.ts`. */
export function duckdbDialect(layout: {
  readonly recordTable: (version: ReadableVersion) => string;
  readonly rowColumn: string;
  readonly foldColumn: (fieldName: string) => string;
}): SqlDialect {
  const foldColumn = (field: Field) => quoteIdentifier(layout.foldColumn(field.name));
  return {
    placeholder: (number, type) => `CAST($${number} AS ${PARAMETER_TYPES[type]})`,
    listPlaceholder: (number, type) =>
      `(SELECT unnest(CAST($${number} AS ${PARAMETER_TYPES[type]}[])))`,
    listItem: (parameter, type, number) =>
      `CAST($${parameter} AS ${PARAMETER_TYPES[type]}[])[${number}]`,
    recordTable: layout.recordTable,
    replaceColumns: (table, columns) => `(SELECT * REPLACE (${columns.join(', ')}) FROM ${table})`,
    rowColumn: quoteIdentifier(layout.rowColumn),
    foldColumn,
    textMatch: (match, text, folded) => {
      switch (match) {
        case 'contains':
          return `contains(${text}, ${folded})`;
        case 'starts_with':
          return `starts_with(${text}, ${folded})`;
        case 'ends_with':
          return `suffix(${text}, ${folded})`;
      }
    },
    textOf,
    fieldText: (field) => textOf(field.type, quoteIdentifier(field.name)),
    // Only texts have a case: numbers, dates and booleans are written in lower case.
    foldedText: (field) =>
      field.type === 'string' ? foldColumn(field) : textOf(field.type, quoteIdentifier(field.name)),
    valueAtLeast: (value, least) => `arg_min(${value}, ${least})`,
    wholeNumber: (expression) => `TRY_CAST(trunc(${expression}) AS BIGINT)`,
    double: (expression) => `CAST(${expression} AS DOUBLE)`,
    wide: (expression) => `CAST(${expression} AS HUGEINT)`,
    wholeQuotient: (dividend, divisor) => `(${dividend} // ${divisor})`,
    sum: (expression) => `sum(${expression})`,
    sortedItem: (expression, index) =>
      `list_sort(list(${expression}) FILTER (${expression} IS NOT NULL))[${index} + 1]`,
    valueNear: (expression, quantile) =>
      `quantile_disc(${expression}, CAST(${quantile} AS DOUBLE))`,
    countOfAll: 'count(*) OVER ()',
    bucketKey,
    bucketOfKey,
    lines: {
      csvLine,
      join: (line, order) => `encode(string_agg(${line}, '' ORDER BY ${order}))`,
    },
    noText: 'CAST(NULL AS VARCHAR)',
    // The driver would return a DATE as an object; the wire needs its text.
    selectValue: (type, expression) => (type === 'date' ? textOf('date', expression) : expression),
  };
}

function textOf(type: FieldType, expression: string): string {
  switch (type) {
    case 'string':
      return expression;
    case 'float':
      return javaScriptNumberText(expression);
    case 'integer':
    case 'boolean':
    case 'date':
      return `CAST(${expression} AS VARCHAR)`;
  }
}

/** A line that has a value in some cell, or several cells. */
function csvLine(cells: readonly TypedExpression[]): string {
  const texts = cells.map(csvCell);
  const [only = ''] = texts;
  const shown = texts.length === 1 ? [`coalesce(${only}, '${LONE_EMPTY_CELL}')`] : texts;
  // Absent values are left out by the function.
  return `concat(${shown.join(", ',', ")}, chr(13) || chr(10))`;
}

/** Only texts can hold what must be quoted, or start a formula. */
function csvCell({ type, expression }: TypedExpression): string {
  const text = textOf(type, expression);
  if (type !== 'string') return text;
  const isFormula = `regexp_matches(${text}, '${FORMULA}')`;
  const isQuoted = `regexp_matches(${text}, '${QUOTED}')`;
  const apostrophe = `CASE WHEN ${isFormula} THEN '''' ELSE '' END`;
  const quoted = `'"' || ${apostrophe} || replace(${text}, '"', '""') || '"'`;
  // Nearly all texts stay as they are: a single comparison says so.
  return `CASE
    WHEN NOT regexp_matches(${text}, '${FORMULA}|${QUOTED}') THEN ${text}
    WHEN ${isQuoted} THEN ${quoted}
    ELSE ${apostrophe} || ${text}
  END`;
}

const FORMULA = `^[${FORMULA_STARTS.map((start) => `\\x{${start.charCodeAt(0).toString(16)}}`).join('')}]`;
const QUOTED = '[",\\r\\n]';

/** Monday, so many weeks before which no date is. */
const SOME_MONDAY = "DATE '1970-01-05'";
const WEEKS_BEFORE = 200_000;

/** Groups by small numbers are found eight times faster than by `date_trunc`, which makes a timestamp of each day. */
function bucketKey(bucket: Bucket, day: string): string {
  switch (bucket) {
    case 'DAY':
      return day;
    case 'WEEK':
      return `(${day} - ${SOME_MONDAY} + ${WEEKS_BEFORE * 7}) // 7`;
    case 'MONTH':
      return `year(${day}) * 12 + month(${day}) - 1`;
    case 'QUARTER':
      return `year(${day}) * 4 + quarter(${day}) - 1`;
    case 'YEAR':
      return `year(${day})`;
    case 'DAY_OF_WEEK':
      return `isodow(${day})`;
    case 'MONTH_OF_YEAR':
      return `month(${day})`;
  }
}

function bucketOfKey(bucket: Bucket, key: string): string {
  switch (bucket) {
    case 'DAY':
    case 'DAY_OF_WEEK':
    case 'MONTH_OF_YEAR':
      return key;
    case 'WEEK':
      return `${SOME_MONDAY} + CAST((${key} - ${WEEKS_BEFORE}) * 7 AS INTEGER)`;
    case 'MONTH':
      return `make_date(${key} // 12, ${key} % 12 + 1, 1)`;
    case 'QUARTER':
      return `make_date(${key} // 4, ${key} % 4 * 3 + 1, 1)`;
    case 'YEAR':
      return `make_date(${key}, 1, 1)`;
  }
}

const PARAMETER_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  float: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
};

/**
 * The text of a DOUBLE as JavaScript writes it. Both write the shortest decimal digits that read
 * back as the same number; DuckDB writes an exponent below 1e-4 and from 1e16 and `.0` after whole
 * numbers, JavaScript (ECMA-262, Number::toString) an exponent below 1e-6 and from 1e21.
 */
function javaScriptNumberText(column: string): string {
  const text = `CAST(${column} AS VARCHAR)`;
  const mantissa = `split_part(${text}, 'e', 1)`;
  const exponent = `CAST(split_part(${text}, 'e', 2) AS INTEGER)`;
  const sign = `CASE WHEN ${column} < 0 THEN '-' ELSE '' END`;
  const digits = `regexp_replace(replace(ltrim(${mantissa}, '-'), '.', ''), '0+$', '')`;
  const shortMantissa = `regexp_replace(${mantissa}, '\\.0$', '')`;
  return `CASE
    WHEN ${column} = trunc(${column}) AND abs(${column}) < 1e15 THEN CAST(CAST(${column} AS BIGINT) AS VARCHAR)
    WHEN abs(${column}) >= 1e-4 AND abs(${column}) < 1e15 THEN ${text}
    WHEN NOT contains(${text}, 'e') THEN regexp_replace(${text}, '\\.0$', '')
    WHEN ${exponent} BETWEEN 16 AND 20 THEN ${sign} || rpad(${digits}, ${exponent} + 1, '0')
    WHEN ${exponent} BETWEEN -6 AND -5 THEN ${sign} || '0.' || repeat('0', -${exponent} - 1) || ${digits}
    WHEN ${exponent} > 0 THEN ${shortMantissa} || 'e+' || ${exponent}
    ELSE ${shortMantissa} || 'e' || ${exponent}
  END`;
}
