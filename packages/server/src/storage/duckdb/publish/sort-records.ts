import type { Dataset } from '../../../domain/dataset.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import { type ImportConnection, SORTED_TABLE } from './import-connection.ts';
import { asNumber } from './result-row.ts';

/** The source of the checked rows: a table, and its column for each field index. */
export type RecordSource = {
  readonly table: string;
  readonly column: (fieldIndex: number) => string;
};

/**
 * Sorts checked rows by the key into `SORTED_TABLE`. The connection must use the binary collation and
 * preserve the order of insertion.
 *
 * The number of a row is then its `rowid`. A `row_number()` over the sorted rows would need no second
 * table, but all later steps, the folding and the compression, would run on one core.
 */
export async function sortRecords(
  { run }: ImportConnection,
  dataset: Dataset,
  source: RecordSource,
): Promise<void> {
  const columns = dataset.fields.map(
    (field, index) => `${source.column(index)} AS ${quoteIdentifier(field.name)}`,
  );
  const key = dataset.key.map(quoteIdentifier);
  await run(
    `CREATE TABLE ${SORTED_TABLE} AS
      SELECT ${columns.join(', ')} FROM ${source.table} ORDER BY ${key.join(', ')}`,
  );
}

/** The number of sorted records with the same key as their predecessor. */
export async function countRepeatedKeys(
  { list }: ImportConnection,
  dataset: Dataset,
): Promise<number> {
  const isRepeated = dataset.key
    .map(quoteIdentifier)
    .map((name) => `${name} = lag(${name}) OVER ()`);
  const [row] = await list(
    `SELECT count(*)::DOUBLE AS count
      FROM (SELECT ${isRepeated.join(' AND ')} AS is_repeated FROM ${SORTED_TABLE})
      WHERE is_repeated`,
  );
  return asNumber(row?.['count']);
}
