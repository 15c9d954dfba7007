import type { Dataset } from '../../domain/dataset.ts';
import type { Field, FieldType } from '../../domain/field.ts';
import type { ReadableVersion } from '../../domain/predicate.ts';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';

/**
 * The layout of a version in ClickHouse: one table of its own, so that a version is dropped in an instant and no query
 * reads rows of another one.
 *
 * - `_row`: 0, 1, 2 … in the order of the key: the tie-break of every order, and the position of a page.
 * - a column for each field, `Nullable` unless it is part of the key. Days are numbers since 1970 (`Int32`): a `Date32`
 *   has no days before 1900.
 * - the folded text of each string field (see `domain/text-fold.ts`).
 *
 * The table is sorted by `_row`. This is the order of the key too, so the rows of a series are neighbours, and a page in
 * the order of the key is read without sorting. For each field a skip index has the least and the greatest value of
 * every granule of 8,192 rows. Values of the key's first field lie in ascending ranges, so its index leaves the one or
 * two granules of a series, as a sorting key of this field would; and it serves every other field that is more or less
 * in the order of the key, such as the days of a table by day. A sorting key of the key's fields would have served the
 * series alone.
 */
export const ROW_COLUMN = '_row';

export function foldColumn(fieldName: string): string {
  return `_fold_${fieldName}`;
}

/** The quoted name of the table of a version. */
export function recordTable(
  database: string,
  { dataset, version }: Pick<ReadableVersion, 'dataset' | 'version'>,
): string {
  return `${quoteIdentifier(database)}.${quoteIdentifier(`${dataset.name}/${version}`)}`;
}

/**
 * The statement that creates a table. The fields of few different texts are stored as numbers of a dictionary, which is
 * smaller, and faster to filter and to group by. With very many texts it is neither.
 */
export function createTableSql(
  table: string,
  dataset: Dataset,
  hasFewTexts: (field: Field) => boolean,
): string {
  const columns = dataset.fields.flatMap((field) => {
    const isKey = dataset.key.includes(field.name);
    const type = columnType(field, { isKey, hasFewTexts });
    const own = `${quoteIdentifier(field.name)} ${type}`;
    return field.type === 'string'
      ? [own, `${quoteIdentifier(foldColumn(field.name))} ${type}`]
      : [own];
  });
  const indexes = dataset.fields.map(
    ({ name }) =>
      `INDEX ${quoteIdentifier(`_range_${name}`)} ${quoteIdentifier(name)} TYPE minmax GRANULARITY 1`,
  );
  const definitions = [`${ROW_COLUMN} Int64`, ...columns, ...indexes].join(', ');
  return `CREATE TABLE ${table} (${definitions}) ENGINE = MergeTree ORDER BY ${ROW_COLUMN}`;
}

function columnType(
  field: Field,
  {
    isKey,
    hasFewTexts,
  }: { readonly isKey: boolean; readonly hasFewTexts: (field: Field) => boolean },
): string {
  const type = COLUMN_TYPES[field.type];
  const whole = isKey ? type : `Nullable(${type})`;
  return field.type === 'string' && hasFewTexts(field) ? `LowCardinality(${whole})` : whole;
}

const COLUMN_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'String',
  integer: 'Int64',
  float: 'Float64',
  boolean: 'Bool',
  date: 'Int32',
};
