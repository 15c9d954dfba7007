import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { attachNewSql } from '@locmetrics/column-store/attach-database';
import { createRecordsSql } from '@locmetrics/column-store/publish/column-writer';
import type { WatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import { recordTable as columnFileTable } from '@locmetrics/column-store/record-table';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { ClickhouseDriver } from '../clickhouse-driver.ts';
import { READ_SETTINGS } from '../query-settings.ts';
import { ROW_COLUMN } from '../record-table.ts';
import { compareContent } from './compare-content.ts';
import { listPieces } from './pieces.ts';
import { storedColumns } from './stored-columns.ts';
import type { TableVersion } from './version-tables.ts';

/**
 * Makes the column file of a version from its table, in a folder that has none. Afterwards all values of both are
 * compared: returns how they differ, as the end of a sentence about the table; undefined if they do not.
 */
export async function restoreColumnFile({
  driver,
  table,
  version: { dataset, rowCount },
  connection,
  folder,
  temporaryDirectory,
  onFraction,
  signal,
}: {
  readonly driver: ClickhouseDriver;
  /** The quoted name of the table. */
  readonly table: string;
  readonly version: TableVersion & { readonly rowCount: number };
  /** The file stays attached to it. */
  readonly connection: Pick<WatchedConnection, 'run' | 'list'>;
  readonly folder: string;
  /** An existing folder for the file of one piece. */
  readonly temporaryDirectory: string;
  /** Called with the progress, from 0 to 1. */
  readonly onFraction?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}): Promise<string | undefined> {
  const columns = storedColumns(dataset);
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  const restored = columns.map((one) => one.restored).join(', ');
  const target = columnFileTable(RESTORED);
  await connection.run(attachNewSql(folder, RESTORED));
  await connection.run(createRecordsSql(target, dataset));
  const pieces = listPieces(rowCount);
  for (const { number, first, end } of pieces) {
    const path = join(temporaryDirectory, `piece-${number}.parquet`);
    const rows = `SELECT ${names} FROM ${table} WHERE ${ROW_COLUMN} >= ${first} AND ${ROW_COLUMN} < ${end} ORDER BY ${ROW_COLUMN}`;
    try {
      await driver.writeFile(rows, path, { settings: READ_SETTINGS, signal });
      await connection.run(
        `INSERT INTO ${target} SELECT ${restored} FROM read_parquet(${quoteLiteral(path)}) ORDER BY ${ROW_COLUMN}`,
      );
    } finally {
      await rm(path, { force: true });
    }
    onFraction?.((number + 1) / pieces.length);
  }
  await connection.run(`CHECKPOINT ${quoteIdentifier(RESTORED)}`);
  return compareContent({ driver, table }, { connection, table: target }, dataset);
}

const RESTORED = 'restored';
