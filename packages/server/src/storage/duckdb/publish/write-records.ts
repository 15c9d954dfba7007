import type { Dataset } from '../../../domain/dataset.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import { COLUMN_TYPES, foldColumn, RECORD_TABLE, ROW_COLUMN } from '../record-table.ts';
import { type ListRows, openFoldSql } from './fold-sql.ts';
import { asNumber } from './result-row.ts';

export type RunSql = (sql: string) => Promise<unknown>;

/** The source of the checked rows: a table, and its column for each field index. */
export type RecordSource = {
  readonly table: string;
  readonly column: (fieldIndex: number) => string;
};

/**
 * Sorts checked rows by the key into a table of their own. The connection must use the binary
 * collation and preserve the order of insertion.
 *
 * The number of a row is then its `rowid`. A `row_number()` over the sorted rows would need no second
 * table, but all later steps, the folding and the compression, would run on one core.
 */
export async function sortRecords({
  run,
  dataset,
  source,
  sortedTable,
}: {
  readonly run: RunSql;
  readonly dataset: Dataset;
  readonly source: RecordSource;
  readonly sortedTable: string;
}): Promise<void> {
  const columns = dataset.fields.map(
    (field, index) => `${source.column(index)} AS ${quoteIdentifier(field.name)}`,
  );
  const key = dataset.key.map(quoteIdentifier);
  await run(
    `CREATE TABLE ${sortedTable} AS
      SELECT ${columns.join(', ')} FROM ${source.table} ORDER BY ${key.join(', ')}`,
  );
}

/** The number of sorted records with the same key as their predecessor. */
export async function countRepeatedKeys({
  list,
  dataset,
  sortedTable,
}: {
  readonly list: ListRows;
  readonly dataset: Dataset;
  readonly sortedTable: string;
}): Promise<number> {
  const isRepeated = dataset.key
    .map(quoteIdentifier)
    .map((name) => `${name} = lag(${name}) OVER ()`);
  const [row] = await list(
    `SELECT count(*)::DOUBLE AS count
      FROM (SELECT ${isRepeated.join(' AND ')} AS is_repeated FROM ${sortedTable})
      WHERE is_repeated`,
  );
  return asNumber(row?.['count']);
}

/** Writes the record table of a version from sorted records. */
export async function writeRecords({
  run,
  list,
  dataset,
  sortedTable,
}: {
  readonly run: RunSql;
  readonly list: ListRows;
  readonly dataset: Dataset;
  readonly sortedTable: string;
}): Promise<void> {
  const fold = await openFoldSql(list);
  const names = dataset.fields.map((field) => quoteIdentifier(field.name));
  const folds = dataset.fields
    .filter((field) => field.type === 'string')
    .map((field) => fold(quoteIdentifier(field.name)));
  await run(`CREATE TABLE ${RECORD_TABLE} (${columnDefinitions(dataset).join(', ')})`);
  await run(
    `INSERT INTO ${RECORD_TABLE}
      SELECT ${['rowid', ...names, ...folds].join(', ')} FROM ${sortedTable}`,
  );
}

function columnDefinitions(dataset: Dataset): readonly string[] {
  return [
    `${ROW_COLUMN} BIGINT NOT NULL`,
    ...dataset.fields.map((field) => {
      const presence = dataset.key.includes(field.name) ? ' NOT NULL' : '';
      return `${quoteIdentifier(field.name)} ${COLUMN_TYPES[field.type]}${presence}`;
    }),
    ...dataset.fields
      .filter((field) => field.type === 'string')
      .map((field) => `${quoteIdentifier(foldColumn(field.name))} VARCHAR`),
  ];
}

/** The number of records, and the first and the last day of their periods. */
export async function summarizeRecords(
  list: ListRows,
  { period }: Dataset,
): Promise<{
  readonly rowCount: number;
  readonly firstObservationDate?: string;
  readonly lastObservationDate?: string;
}> {
  const dates =
    period === undefined
      ? ''
      : `, min(${quoteIdentifier(period.start)})::VARCHAR AS first_date,
          max(${quoteIdentifier(period.end)})::VARCHAR AS last_date`;
  const [row] = await list(`SELECT count(*)::DOUBLE AS count${dates} FROM ${RECORD_TABLE}`);
  const first = row?.['first_date'];
  const last = row?.['last_date'];
  return {
    rowCount: asNumber(row?.['count']),
    ...(typeof first === 'string' ? { firstObservationDate: first } : {}),
    ...(typeof last === 'string' ? { lastObservationDate: last } : {}),
  };
}
