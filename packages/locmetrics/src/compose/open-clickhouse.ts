import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickhouseCluster } from '@locmetrics/cluster/clickhouse/clickhouse-cluster';
import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { openHttpDriver } from '@locmetrics/cluster/clickhouse/http/open-http-driver';
import { loadVersion } from '@locmetrics/cluster/clickhouse/publish/load-version';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import type { VersionTables } from '@locmetrics/cluster/clickhouse/publish/version-tables';
import { openKeptVersion } from '@locmetrics/column-store/publish/open-kept-version';
import { RECORD_TABLE } from '@locmetrics/column-store/record-table';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import {
  DatabaseError,
  type VersionDatabase,
} from '@locmetrics/data-directory/versions/version-database';
import type { ClickhouseAddress } from '../config/setting-types.ts';
import type { Config } from '../config/settings.ts';
import { nameOf, toDatabaseError } from './clickhouse-error.ts';

/** The settings of the database. */
export type ClickhouseConfig = Pick<
  Config,
  | 'clickhouse'
  | 'clickhousePassword'
  | 'clickhouseCluster'
  | 'clickhouseReplicated'
  | 'publishMemoryBytes'
  | 'threads'
>;

/** The parts of a configured ClickHouse that commands use. */
export type OpenedClickhouse = {
  readonly database: VersionDatabase;
  readonly driver: ClickhouseDriver;
  readonly tables: VersionTables;
  /** The name of the database in ClickHouse. */
  readonly databaseName: string;
};

/** A statement of a load ends after so long without a byte of the database. */
const LOAD_TIMEOUT_MS = 10 * 60_000;

export function openClickhouse(
  address: ClickhouseAddress,
  config: ClickhouseConfig,
  directory: DataDirectory,
): OpenedClickhouse {
  const driver = openConfiguredDriver(address, config, {
    connectionsMax: 2,
    timeoutMs: LOAD_TIMEOUT_MS,
  });
  const databaseName = address.database;
  const tables = openVersionTables({
    driver,
    database: databaseName,
    cluster: clusterOf(config),
  });
  const name = nameOf(address);
  const nameTable = (datasetName: string, version: string) => ({
    dataset: { name: datasetName },
    version,
  });
  const explained = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw toDatabaseError(error, name);
    });
  const database: VersionDatabase = {
    name,
    list: () => explained(tables.list()),
    load: (version, options) =>
      explained(
        withKeptVersion(options.folder, { ...options, config, directory }, async (opened) => {
          const problem = await loadVersion({ driver, tables, version, ...opened, ...options });
          if (problem === undefined) return;
          await tables.removeLoading(version);
          throw new DatabaseError(
            `The table of ${version.dataset.name} ${version.version} in ${name} ${problem}.`,
            'The table was removed. Try again to load it from the start. If this happens again, the database changes the data that it receives: check its log.',
          );
        }),
      ),
    complete: ({ datasetName, version }) =>
      explained(tables.complete(nameTable(datasetName, version))),
    remove: ({ datasetName, version, isLoading }) => {
      const table = nameTable(datasetName, version);
      return explained(isLoading ? tables.removeLoading(table) : tables.remove(table));
    },
    close: driver.close,
  };
  return { database, driver, tables, databaseName };
}

export function openConfiguredDriver(
  { url, username, password }: ClickhouseAddress,
  { clickhousePassword }: Pick<Config, 'clickhousePassword'>,
  options: { readonly connectionsMax: number; readonly timeoutMs: number },
): ClickhouseDriver {
  return openHttpDriver({
    url,
    username,
    password: password ?? clickhousePassword ?? '',
    ...options,
  });
}

/** The cluster that has the tables; undefined for a single server. */
export function clusterOf({
  clickhouseCluster: name,
  clickhouseReplicated: replicated,
}: Pick<Config, 'clickhouseCluster' | 'clickhouseReplicated'>): ClickhouseCluster | undefined {
  return name === undefined ? undefined : { name, replicated };
}

/** Opens the column file in a folder, with a temporary folder. */
async function withKeptVersion<Result>(
  folder: string,
  {
    config,
    directory,
    signal,
  }: {
    readonly config: ClickhouseConfig;
    readonly directory: DataDirectory;
    readonly signal?: AbortSignal | undefined;
  },
  work: (opened: {
    readonly records: Parameters<typeof loadVersion>[0]['records'];
    readonly temporaryDirectory: string;
  }) => Promise<Result>,
): Promise<Result> {
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const temporaryDirectory = await mkdtemp(join(directory.temporary, 'publish-'));
  try {
    const connection = await openKeptVersion(folder, {
      temporaryDirectory: join(temporaryDirectory, 'spills'),
      memoryLimitBytes: config.publishMemoryBytes,
      threads: config.threads,
      signal,
    });
    try {
      return await work({ records: { connection, table: RECORD_TABLE }, temporaryDirectory });
    } finally {
      await connection.close();
    }
  } finally {
    await rm(temporaryDirectory, { recursive: true, force: true });
  }
}
