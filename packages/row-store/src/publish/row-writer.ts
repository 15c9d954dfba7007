import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { linkFile } from '@locmetrics/column-store/publish/link-file';
import type { NewRecords, VersionWriter } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE, ROW_COLUMN } from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import {
  BLOCK_SIZES,
  type BlockSizes,
  coveredFields,
  createTablesSql,
  type OrderFacts,
  PAGE_BYTES,
  ROW_FILE,
  ROW_LAYOUT,
  ROW_LAYOUT_MIN,
  type RowFacts,
  seriesFieldOf,
  withoutOutlines,
} from '../row-file.ts';
import { countGroups, countValues } from './count-groups.ts';
import { extendSeries } from './extend-series.ts';
import { writeEntries } from './write-entries.ts';
import { writeOutlines } from './write-outlines.ts';
import { writePoints } from './write-points.ts';
import { writeSearches } from './write-searches.ts';
import { writeSeries } from './write-series.ts';

/** Writes the row file, with blocks of these sizes. */
export const openRowWriter = (sizes: BlockSizes): VersionWriter => ({
  files: [ROW_FILE],
  isDerived: true,
  write: async ({ base, connection, dataset: published, folder, ...notify }) => {
    const dataset = withoutOutlines(published);
    const extended = openExtended(base, dataset, sizes);
    if (extended !== undefined && base?.isSame === true) {
      extended.close();
      await linkFile(ROW_FILE, { from: base.folder, to: folder });
      return;
    }
    const database = new DatabaseSync(join(folder, ROW_FILE));
    try {
      // Nobody reads the file before it is complete, and it is synced once then.
      database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
      database.exec('PRAGMA journal_mode = OFF');
      database.exec('PRAGMA synchronous = OFF');
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      const seriesField = seriesFieldOf(dataset);
      for (const statement of createTablesSql(seriesField)) database.exec(statement);
      database.exec('BEGIN');
      const counters = await countValues(connection, dataset);
      const facts: RowFacts = {
        fields: dataset.fields.map(({ name, type }) => ({ name, type })),
        sizes,
        seriesField: seriesField.name,
        covered: coveredFields(dataset).map(({ name }) => name),
        ...(extended === undefined
          ? await writeSeries(database, connection, { dataset, sizes })
          : await extendSeries(database, connection, { dataset, sizes, extended })),
        orders: await writeOrders(database, connection, { dataset, sizes }),
        searches: await writeSearches(database, connection, { dataset, sizes }),
        ...(await writePoints(database, connection, { dataset, sizes })),
        ...(await writeOutlines(database, connection, { dataset: published, ...notify })),
        counters,
        groups: await countGroups({ connection, dataset, ...notify }, counters),
      };
      database.prepare('INSERT INTO facts VALUES (?)').run(JSON.stringify(facts));
      database.exec('COMMIT');
    } finally {
      database.close();
      extended?.close();
    }
  },
});

/** The row file of the base, if all its records are in the new version and it has them in the same form. */
function openExtended(
  base: NewRecords['base'],
  dataset: Dataset,
  sizes: BlockSizes,
): DatabaseSync | undefined {
  if (base === undefined) return undefined;
  // With a key of one field a new record changes all later blocks.
  const isExtendable = base.replaced === undefined && dataset.key.length > 1;
  if (!base.isSame && !isExtendable) return undefined;
  if (!base.wholeFiles.includes(ROW_FILE)) return undefined;
  const database = new DatabaseSync(join(base.folder, ROW_FILE), { readOnly: true });
  const layout = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (Number(layout) >= ROW_LAYOUT_MIN && Number(layout) <= ROW_LAYOUT) {
    const text = database.prepare('SELECT facts FROM facts').get()?.['facts'];
    // The checksum of the file is right, so it has what a publish wrote.
    const facts = JSON.parse(String(text)) as RowFacts;
    const fields = dataset.fields.map(({ name, type }) => ({ name, type }));
    if (
      isDeepStrictEqual(facts.fields, fields) &&
      isDeepStrictEqual(facts.sizes, sizes) &&
      facts.seriesField === dataset.key[0]
    ) {
      return database;
    }
  }
  database.close();
  return undefined;
}

export const rowWriter = openRowWriter(BLOCK_SIZES);

/** Writes the order of each field that is marked `sorted`. */
async function writeOrders(
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
