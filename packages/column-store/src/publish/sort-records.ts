import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import { type ImportConnection, SORTED_TABLE } from './import-connection.ts';
import { asNumber } from './result-row.ts';

/** The source of the checked rows: a table, and its column for each field index. */
export type RecordSource = {
  readonly table: string;
  readonly column: (fieldIndex: number) => string;
};

/**
 * Sorts checked rows by the key into `SORTED_TABLE`, with `sortedColumn` for each field. The connection must use the binary collation and
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
    (_, index) => `${source.column(index)} AS ${sortedColumn(index)}`,
  );
  await run(
    `CREATE TABLE ${SORTED_TABLE} AS
      SELECT ${columns.join(', ')} FROM ${source.table} ORDER BY ${keyColumns(dataset).join(', ')}`,
  );
}

/** The column of a field in the sorted table. A field can be named `rowid`, which here is the ordinal. */
export function sortedColumn(fieldIndex: number): string {
  return `_field_${fieldIndex}`;
}

/** The fields of the key, in its order. */
export function keyFields({ key, fields }: Dataset): readonly Field[] {
  return key.flatMap((name) => fields.filter((field) => field.name === name));
}

/** Their columns in the sorted table. */
export function keyColumns(dataset: Dataset): readonly string[] {
  return keyFields(dataset).map((field) => sortedColumn(dataset.fields.indexOf(field)));
}

/** The number of sorted records with the same key as their predecessor. */
export async function countRepeatedKeys(
  { list }: ImportConnection,
  dataset: Dataset,
): Promise<number> {
  const isRepeated = keyColumns(dataset).map((column) => `${column} = lag(${column}) OVER ()`);
  const [row] = await list(
    `SELECT count(*)::DOUBLE AS count
      FROM (SELECT ${isRepeated.join(' AND ')} AS is_repeated FROM ${SORTED_TABLE})
      WHERE is_repeated`,
  );
  return asNumber(row?.['count']);
}
