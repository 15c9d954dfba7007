import type { Dataset } from '@locmetrics/core/domain/dataset';
import { type Field, type FieldType, isFolded } from '@locmetrics/core/domain/field';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { VECTOR_COLUMNS } from '@locmetrics/core/sql/compile-chord';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { tableIndexes } from './table-indexes.ts';

/**
 * The layout of a version in ClickHouse: one table of its own, so that a version is dropped in an instant and no query
 * reads rows of another one.
 *
 * - `_row`: 0, 1, 2 … in the order of the key: the tie-break of every order, and the position of a page.
 * - a column for each field, `Nullable` if a record has no value. Days are numbers since 1970 (`Int32`): a `Date32`
 *   has no days before 1900.
 * - the folded text of each string field (see `core/text/text-fold.ts`), and of a dataset with search rule 2 the text
 *   folded for searches (see `core/text/search-fold.ts`), which has the text index.
 * - the unit vector of the point, of a dataset that has vectors (see `core/geometry/unit-vector.ts`).
 *
 * The table is sorted by `_row`. This is the order of the key too, so the rows of a series are neighbours, and a page in
 * the order of the key is read without sorting. For each field a skip index has the least and the greatest value of
 * every granule of 1,024 rows. Values of the key's first field lie in ascending ranges, so its index leaves the one or
 * two granules of a series, as a sorting key of this field would; and it serves every other field that is more or less
 * in the order of the key, such as the days of a table by day. A page in the order of a field reads the granules whose
 * greatest value can be on it, unless the field is `Nullable`. A sorting key of the key's fields would have served the
 * series alone. The other indexes are in `table-indexes.ts`.
 */
export const ROW_COLUMN = '_row';

export function foldColumn(fieldName: string): string {
  return `_fold_${fieldName}`;
}

export function searchColumn(fieldName: string): string {
  return `_search_${fieldName}`;
}

/** The quoted name of the table of a version. */
export function recordTable(database: string, version: TableName): string {
  return `${quoteIdentifier(database)}.${quoteIdentifier(tableName(version))}`;
}

/** The name of the table of a version in its database. */
export function tableName({ dataset, version }: TableName): string {
  return `${dataset.name}/${version}`;
}

/** The parts of the name of a table. */
export type TableName = {
  readonly dataset: Pick<Dataset, 'name'>;
  readonly version: ReadableVersion['version'];
};

/** The facts about the records of a version that decide how its table is made. */
export type TableContent = {
  /** Whether a string field has few texts, each in several records. */
  readonly hasFewTexts: (field: Field) => boolean;
  /** Whether every record has a value of the field. */
  readonly isPresent: (field: Field) => boolean;
};

/**
 * The statement that creates a table. The fields of few different texts are stored as numbers of a dictionary, which is
 * smaller, and faster to filter and to group by. With very many texts it is neither. Few texts need no text index either.
 */
export function createTableSql(
  table: string,
  dataset: Dataset,
  {
    content,
    hasTextIndexes,
    onCluster,
    engine = 'MergeTree',
  }: {
    readonly content: TableContent;
    /** Whether all servers with the table have text indexes. */
    readonly hasTextIndexes: boolean;
    /** The clause that makes the table on all servers of a cluster. */
    readonly onCluster?: string | undefined;
    readonly engine?: string | undefined;
  },
): string {
  const columns = dataset.fields.flatMap((field) => {
    const isKey = dataset.key.includes(field.name);
    const type = columnType(field, {
      isPresent: isKey || content.isPresent(field),
      hasFewTexts: content.hasFewTexts(field),
    });
    const own = `${quoteIdentifier(field.name)} ${type}`;
    if (!isFolded(field)) return [own];
    const folded = dataset.searchRule === 2 ? [foldColumn, searchColumn] : [foldColumn];
    return [own, ...folded.map((nameOf) => `${quoteIdentifier(nameOf(field.name))} ${type}`)];
  });
  const vectors =
    dataset.vectors === undefined
      ? []
      : Object.values(VECTOR_COLUMNS).map((name) => `${name} Nullable(Float64)`);
  const indexes = tableIndexes({
    dataset,
    hasTextIndex: (field) =>
      hasTextIndexes &&
      field.type === 'string' &&
      field.searchable === true &&
      !content.hasFewTexts(field),
    foldColumn,
    searchColumn: dataset.searchRule === 2 ? searchColumn : undefined,
  });
  const definitions = [`${ROW_COLUMN} Int64`, ...columns, ...vectors, ...indexes].join(', ');
  const isReplicated = engine.startsWith('Replicated');
  const window = `${isReplicated ? '' : 'non_'}replicated_deduplication_window`;
  const settings = { [window]: REMEMBERED_INSERTS, ...SMALL_READS };
  const assignments = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const where = onCluster === undefined ? table : `${table} ${onCluster}`;
  return `CREATE TABLE ${where} (${definitions}) ENGINE = ${engine} ORDER BY ${ROW_COLUMN} SETTINGS ${assignments.join(', ')}`;
}

/** The window of inserts that a table deduplicates when a load resumes. */
const REMEMBERED_INSERTS = 10_000;

/**
 * The least that is read: a granule, of which ClickHouse decompresses whole blocks. Most answers have few records. The
 * defaults are 8,192 rows and blocks of 64 KiB to 1 MiB, which are a little smaller on disk.
 */
const SMALL_READS = {
  index_granularity: 1024,
  min_compress_block_size: 8 * 1024,
  max_compress_block_size: 16 * 1024,
  // For a projection in the order of a field that some records lack.
  allow_nullable_key: 1,
};

function columnType(
  field: Field,
  { isPresent, hasFewTexts }: { readonly isPresent: boolean; readonly hasFewTexts: boolean },
): string {
  const type = COLUMN_TYPES[field.type];
  const whole = isPresent ? type : `Nullable(${type})`;
  return field.type === 'string' && hasFewTexts ? `LowCardinality(${whole})` : whole;
}

const COLUMN_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'String',
  integer: 'Int64',
  float: 'Float64',
  boolean: 'Bool',
  date: 'Int32',
};
