import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { VersionWriter } from '../../duckdb/publish/version-writer.ts';
import {
  BLOCK_SIZES,
  type BlockSizes,
  coveredFields,
  createTablesSql,
  PAGE_BYTES,
  ROW_FILE,
  type RowFacts,
  seriesFieldOf,
} from '../row-file.ts';
import { countValues } from './count-values.ts';
import { writeOrders } from './write-orders.ts';
import { writePoints } from './write-points.ts';
import { writeSearches } from './write-searches.ts';
import { writeSeries } from './write-series.ts';

/** Writes the row file, with blocks of these sizes. */
export const openRowWriter = (sizes: BlockSizes): VersionWriter => ({
  files: [ROW_FILE],
  isDerived: true,
  write: async ({ connection, dataset, folder }) => {
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
      const facts: RowFacts = {
        fields: dataset.fields.map(({ name, type }) => ({ name, type })),
        sizes,
        seriesField: seriesField.name,
        covered: coveredFields(dataset).map(({ name }) => name),
        ...(await writeSeries(database, connection, { dataset, sizes })),
        orders: await writeOrders(database, connection, { dataset, sizes }),
        searches: await writeSearches(database, connection, { dataset, sizes }),
        ...(await writePoints(database, connection, { dataset, sizes })),
        counters: await countValues(connection, dataset),
      };
      database.prepare('INSERT INTO facts VALUES (?)').run(JSON.stringify(facts));
      database.exec('COMMIT');
    } finally {
      database.close();
    }
  },
});

export const rowWriter = openRowWriter(BLOCK_SIZES);
