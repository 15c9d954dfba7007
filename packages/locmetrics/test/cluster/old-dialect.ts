import type { Bucket } from '@locmetrics/core/domain/date-bucket';
import type { FieldType } from '@locmetrics/core/domain/field';
import { clickhouseDialect, parameterName } from '@locmetrics/core/sql/clickhouse-dialect';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { SqlDialect } from '@locmetrics/core/sql/sql-dialect';

/**
 * The dialect of ClickHouse 18.16: what that server lacks is written in another way. The columns of each table are quoted, as
 * the table is.
 */
export function oldDialect(
  layout: Parameters<typeof clickhouseDialect>[0],
  columnsOf: ReadonlyMap<string, readonly string[]>,
): SqlDialect {
  const dialect = clickhouseDialect(layout);
  return {
    ...dialect,
    // It has no REPLACE in a list of columns.
    replaceColumns: (table, columns) => {
      const replaced = columns.map((column) => /AS ("(?:[^"]|"")*")$/.exec(column)?.[1]);
      const kept = columnsIn(table, columnsOf).filter((name) => !replaced.includes(name));
      return `(SELECT ${[...kept, ...columns].join(', ')} FROM ${table})`;
    },
    textOf,
    fieldText: (field) => textOf(field.type, quoteIdentifier(field.name)),
    searchedText: (field, rule) =>
      field.type === 'string'
        ? dialect.searchedText(field, rule)
        : textOf(field.type, quoteIdentifier(field.name)),
    // It has no accurate casts. The function keeps the text of a long expression short.
    wholeNumber: (expression) =>
      `arrayMap(_n -> if(_n >= -9223372036854775808. AND _n < 9223372036854775808., toInt64(trunc(_n)), NULL), [${expression}])[1]`,
    // It zips no arrays.
    listTable: (columns) => {
      const names = columns.map(({ name }) => quoteIdentifier(name));
      const lists = columns.map(
        ({ number }, at) => `{${parameterName(number)}:Array(Int64)} AS _list${at}`,
      );
      const joined = names.map((name, at) => `_list${at} AS ${name}`);
      return `(SELECT ${names.join(', ')} FROM (SELECT ${lists.join(', ')}) ARRAY JOIN ${joined.join(', ')})`;
    },
    wide: (expression) => `toDecimal128(${expression}, 0)`,
    // It has no Int128, but decimals of 38 digits, which its JSON writes as numbers.
    sum: (expression) => `toString(sum(toDecimal128(${expression}, 0)))`,
    bucketKey: bucketOfDay,
    // It has no window functions.
    countOfAll: undefined,
    // It cannot unite a constant with a column, so this is none: no record has a negative ordinal.
    noText: `if(${dialect.rowColumn} < 0, '', NULL)`,
    selectValue: (type, expression) =>
      type === 'boolean' ? `concat('${BOOLEAN_MARK}', toString(${expression}))` : expression,
  };
}

/** The columns of a table, and those of marks that a query adds to it. */
function columnsIn(
  table: string,
  columnsOf: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const own = columnsOf.get(table);
  if (own !== undefined) return own;
  const [, columns = []] = [...columnsOf].find(([name]) => table.endsWith(` FROM ${name})`)) ?? [];
  const marks = table.matchAll(/ END AS ("(?:[^"]|"")*")(?=,| FROM )/g);
  return [...columns, ...[...marks].map(([, name = '']) => name)];
}

/** The beginning of a text that the driver reads as a boolean: the old server has no type for it. */
export const BOOLEAN_MARK = 'the boolean with the number ';

function textOf(type: FieldType, expression: string): string {
  switch (type) {
    case 'string':
      return expression;
    case 'float':
      return `replaceRegexpOne(toString(${expression}), 'e([0-9])', 'e+\\\\1')`;
    case 'integer':
      return `toString(${expression})`;
    case 'boolean':
      return `CASE WHEN ${expression} = 1 THEN 'true' WHEN ${expression} = 0 THEN 'false' END`;
    case 'date':
      return dayText(expression);
  }
}

/** From 0000-03-01 to 1970-01-01. */
const DAYS_TO_1970 = 719_468;
/** 2003-03-01, since 1970: the first day of a year from March to February that ends with a 29th. */
const MARCH_2003 = 12_112;

/**
 * The parts of a number of days since 1970. The dates of the old server begin in 1970, so the year is computed, with
 * years that begin in March; the month and the day are those of the same day of another year.
 */
function partsOfDay(days: string) {
  const day = `(${days} + ${DAYS_TO_1970})`;
  const century = `intDiv(4 * ${day} + 3, 146097)`;
  const dayOfCentury = `(${day} - intDiv(146097 * ${century}, 4))`;
  const yearOfCentury = `intDiv(4 * ${dayOfCentury} + 3, 1461)`;
  const dayOfYear = `(${dayOfCentury} - intDiv(1461 * ${yearOfCentury}, 4))`;
  const sameDay = `toDate(${MARCH_2003} + ${dayOfYear})`;
  const year = `(100 * ${century} + ${yearOfCentury} + (toYear(${sameDay}) = 2004))`;
  return { day, dayOfYear, sameDay, year };
}

/** `YYYY-MM-DD` of a number of days since 1970. */
function dayText(days: string): string {
  const { sameDay, year } = partsOfDay(days);
  const padded = `substring(concat('000', toString(${year})), -4)`;
  return `concat(${padded}, formatDateTime(${sameDay}, '-%m-%d'))`;
}

function bucketOfDay(bucket: Bucket, days: string): string {
  const { day, dayOfYear, sameDay, year } = partsOfDay(days);
  const minus = (count: string) => `toInt32(${days} - (${count}))`;
  const isLeap = `(${year} % 4 = 0 AND (${year} % 100 != 0 OR ${year} % 400 = 0))`;
  const dayFromJanuary = `if(toYear(${sameDay}) = 2004, ${dayOfYear} - 306, ${dayOfYear} + 59 + ${isLeap})`;
  switch (bucket) {
    case 'DAY':
      return days;
    case 'WEEK':
      return minus(`(${day} + 2) % 7`);
    case 'MONTH':
      return minus(`toDayOfMonth(${sameDay}) - 1`);
    case 'QUARTER': {
      const quarterFromMarch = `arrayElement([31, 122, 214], toQuarter(${sameDay}) - 1)`;
      return minus(
        `if(toQuarter(${sameDay}) = 1, ${dayFromJanuary}, ${dayOfYear} - ${quarterFromMarch})`,
      );
    }
    case 'YEAR':
      return minus(dayFromJanuary);
    case 'DAY_OF_WEEK':
      return `toInt64((${day} + 2) % 7 + 1)`;
    case 'MONTH_OF_YEAR':
      return `toInt64(toMonth(${sameDay}))`;
  }
}
