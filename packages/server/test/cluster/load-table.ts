import type { DatasetVersion } from '../../src/domain/version.ts';
import type { ClickhouseDriver } from '../../src/storage/clickhouse/clickhouse-driver.ts';
import { loadVersion } from '../../src/storage/clickhouse/publish/load-version.ts';
import { openVersionTables } from '../../src/storage/clickhouse/publish/open-version-tables.ts';
import { attachReadOnlySql } from '../../src/storage/duckdb/attach-database.ts';
import { openWatchedConnection } from '../../src/storage/duckdb/publish/watched-connection.ts';
import { recordTable } from '../../src/storage/duckdb/record-table.ts';
import type { DataDirectory } from '../../src/versions/data-directory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { TEST_CLUSTER } from './start-cluster.ts';

/** Few enough for the memory that the old driver needs to write them as `RowBinary`. */
const PIECE_ROWS = 100_000;

/** Loads a version of a data directory into the tables of a cluster. */
export async function loadTable(
  place: { readonly driver: ClickhouseDriver; readonly database: string },
  directory: DataDirectory,
  version: DatasetVersion,
): Promise<void> {
  const tables = openVersionTables({ ...place, cluster: TEST_CLUSTER });
  const temporaryDirectory = temporaryFolder();
  const connection = await openWatchedConnection({
    temporaryDirectory: '',
    memoryLimitBytes: 2 ** 28,
    threads: 1,
    signal: undefined,
  });
  try {
    const folder = directory.version(version.dataset.name, version.version);
    await connection.run(attachReadOnlySql(folder, 'loaded'));
    const problem = await loadVersion({
      driver: place.driver,
      tables,
      version,
      records: { connection, table: recordTable('loaded') },
      temporaryDirectory,
      pieceRows: PIECE_ROWS,
    });
    if (problem !== undefined) throw new Error(`The table of ${version.dataset.name} ${problem}.`);
    await tables.complete(version);
  } finally {
    await connection.close();
  }
}
