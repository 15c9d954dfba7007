import { asNumber } from '@locmetrics/column-store/publish/result-row';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { TableContent } from '../record-table.ts';
import type { ColumnFileRecords } from './stored-columns.ts';

/** Counts the values and the texts of a column file, from which its table is made. */
export async function readContent(
  { connection, table }: ColumnFileRecords,
  { fields }: Dataset,
): Promise<TableContent> {
  const counts = fields.flatMap(({ name, type }, index) => [
    `CAST(count(${quoteIdentifier(name)}) AS DOUBLE) AS values_${index}`,
    ...(type === 'string'
      ? [`CAST(approx_count_distinct(${quoteIdentifier(name)}) AS DOUBLE) AS texts_${index}`]
      : []),
  ]);
  const columns = ['CAST(count(*) AS DOUBLE) AS row_count', ...counts].join(', ');
  const [row = {}] = await connection.list(`SELECT ${columns} FROM ${table}`);
  const rowCount = asNumber(row['row_count']);
  const fewMax = Math.min(TEXTS_MAX, rowCount / 2);
  const namesOf = (isOne: (index: number) => boolean): ReadonlySet<string> =>
    new Set(fields.filter((_, index) => isOne(index)).map(({ name }) => name));
  const few = namesOf(
    (index) => fields[index]?.type === 'string' && asNumber(row[`texts_${index}`]) <= fewMax,
  );
  const present = namesOf((index) => asNumber(row[`values_${index}`]) === rowCount);
  return {
    hasFewTexts: ({ name }) => few.has(name),
    isPresent: ({ name }) => present.has(name),
  };
}

/** ClickHouse advises against a dictionary of more texts. */
const TEXTS_MAX = 10_000;
