import type { Dataset } from '../../../domain/dataset.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import { asNumber } from '../../duckdb/publish/result-row.ts';
import type { ColumnFileRecords } from './read-lines.ts';

/** ClickHouse advises against a dictionary of more texts. */
const TEXTS_MAX = 10_000;

/** The names of the string fields whose texts are few, and repeated. */
export async function fieldsOfFewTexts(
  { connection, table }: ColumnFileRecords,
  dataset: Dataset,
): Promise<ReadonlySet<string>> {
  const names = dataset.fields.filter(({ type }) => type === 'string').map(({ name }) => name);
  const counts = names.map(
    (name, index) =>
      `CAST(approx_count_distinct(${quoteIdentifier(name)}) AS DOUBLE) AS texts_${index}`,
  );
  const columns = ['CAST(count(*) AS DOUBLE) AS row_count', ...counts].join(', ');
  const [row = {}] = await connection.list(`SELECT ${columns} FROM ${table}`);
  const fewMax = Math.min(TEXTS_MAX, asNumber(row['row_count']) / 2);
  return new Set(names.filter((_, index) => asNumber(row[`texts_${index}`]) <= fewMax));
}
