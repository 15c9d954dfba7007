import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { restoreColumnFile } from '@locmetrics/cluster/clickhouse/publish/restore-column-file';
import { recordTable } from '@locmetrics/cluster/clickhouse/record-table';
import { openWatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import {
  DatabaseError,
  findTableProblem,
} from '@locmetrics/data-directory/versions/version-database';
import {
  readVersionFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type { FetchColumns } from '@locmetrics/data-directory/versions/version-store';
import type { Config } from '../config/settings.ts';
import { toDatabaseError } from './clickhouse-error.ts';
import { openConfiguredClickhouse } from './configured-clickhouse.ts';
import type { OpenedClickhouse } from './open-clickhouse.ts';
import type { OpenedDirectory } from './open-data.ts';

/** Makes the column file of a version from its table, in an existing folder; throws if not all values are the same. */
export async function restoreColumns(
  { datasetName, version }: LeasedVersion,
  {
    config,
    clickhouse: { database, driver, databaseName },
    file,
    folder,
    onFraction,
    signal,
  }: {
    readonly config: Config;
    readonly clickhouse: OpenedClickhouse;
    readonly file: VersionFile;
    readonly folder: string;
    readonly onFraction?: (fraction: number) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const tables = await database.list();
  const { dataset, rowCount } = file.version;
  const problem = findTableProblem(tables, { datasetName, version, rowCount }, database);
  const table = tables.find((one) => one.datasetName === datasetName && one.version === version);
  if (problem !== undefined || table === undefined) {
    throw new DatabaseError(
      `The column file of ${datasetName} ${version} cannot be made. ${problem}`,
      'Run this command where the column file is, then try again.',
    );
  }
  const connection = await openWatchedConnection({
    temporaryDirectory: join(folder, 'spills'),
    memoryLimitBytes: config.publishMemoryBytes,
    threads: config.threads,
    signal,
  });
  try {
    const difference = await restoreColumnFile({
      driver,
      table: recordTable(databaseName, file.version),
      version: { dataset, version, rowCount: table.rows },
      connection,
      folder,
      temporaryDirectory: folder,
      onFraction,
      signal,
    });
    if (difference !== undefined) {
      throw new DatabaseError(
        `The table of ${datasetName} ${version} in ${database.name} ${difference} that was made from it.`,
        'Try again. If this happens again, please report it: both should have the same values.',
      );
    }
  } finally {
    await connection.close();
  }
}

/** Fetches column files from the ClickHouse of the settings, for a publish. */
export function columnFetcher({ config, directory }: OpenedDirectory): FetchColumns {
  return async (one, { folder, signal }) => {
    const clickhouse = await openConfiguredClickhouse(config, directory);
    const file = readVersionFile(directory.version(one.datasetName, one.version));
    if (clickhouse === undefined || file === undefined) return;
    try {
      await restoreColumns(one, { config, clickhouse, file, folder, signal });
    } catch (error) {
      throw toDatabaseError(error, clickhouse.database.name);
    } finally {
      await clickhouse.database.close();
      await rm(join(folder, 'spills'), { recursive: true, force: true });
    }
  };
}
