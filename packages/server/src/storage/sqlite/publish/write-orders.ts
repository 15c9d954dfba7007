import type { DatabaseSync } from 'node:sqlite';
import type { Dataset } from '../../../domain/dataset.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import type { NewRecords } from '../../duckdb/publish/version-writer.ts';
import { RECORD_TABLE, ROW_COLUMN } from '../../duckdb/record-table.ts';
import type { BlockSizes, OrderFacts } from '../row-file.ts';
import { writeEntries } from './write-entries.ts';

/** Writes the order of each field that is marked `sorted`. */
export async function writeOrders(
  database: DatabaseSync,
  connection: NewRecords['connection'],
  { dataset, sizes }: { readonly dataset: Dataset; readonly sizes: BlockSizes },
): Promise<readonly OrderFacts[]> {
  const orders: OrderFacts[] = [];
  for (const { name } of dataset.fields.filter(({ sorted }) => sorted === true)) {
    const table = `order_${orders.length}`;
    const column = quoteIdentifier(name);
    await writeEntries(database, connection, {
      dataset,
      table,
      rest: `ORDER BY ${column} ASC NULLS LAST, ${quoteIdentifier(ROW_COLUMN)}`,
      blockEntries: sizes.order,
    });
    const [row] = await connection.list(
      `SELECT count(${column})::DOUBLE AS present FROM ${RECORD_TABLE}`,
    );
    orders.push({ field: name, table, present: Number(row?.['present']) });
  }
  return orders;
}
