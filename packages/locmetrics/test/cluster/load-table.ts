import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { loadVersion } from '@locmetrics/cluster/clickhouse/publish/load-version';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import { attachReadOnlySql } from '@locmetrics/column-store/attach-database';
import { openWatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import { recordTable } from '@locmetrics/column-store/record-table';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
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
