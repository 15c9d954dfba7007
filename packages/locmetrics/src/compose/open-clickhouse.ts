import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickhouseCluster } from '@locmetrics/cluster/clickhouse/clickhouse-cluster';
import {
  type ClickhouseDriver,
  ClickhouseError,
} from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { openHttpDriver } from '@locmetrics/cluster/clickhouse/http/open-http-driver';
import { loadVersion } from '@locmetrics/cluster/clickhouse/publish/load-version';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import type { VersionTables } from '@locmetrics/cluster/clickhouse/publish/version-tables';
import { openKeptVersion } from '@locmetrics/column-store/publish/open-kept-version';
import { RECORD_TABLE } from '@locmetrics/column-store/record-table';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import {
  DatabaseError,
  type VersionDatabase,
} from '@locmetrics/data-directory/versions/version-database';
import { findClickhouseConflicts } from '../config/check-config.ts';
import type { ClickhouseAddress } from '../config/setting-types.ts';
import type { Config } from '../config/settings.ts';
import { servingRefusal } from './check-serving.ts';

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

/** The database of the settings for publishing and removing; undefined without one. Refuses settings that conflict. */
export function openClickhouse(
  config: ClickhouseConfig,
  directory: DataDirectory,
): OpenedClickhouse | undefined {
  const conflicts = findClickhouseConflicts(config);
  if (conflicts.length > 0) throw servingRefusal(conflicts);
  const { clickhouse: address } = config;
  if (address === undefined) return undefined;
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
  const told = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw toDatabaseError(error, name);
    });
  const database: VersionDatabase = {
    name,
    list: () => told(tables.list()),
    load: (version, options) =>
      told(
        withKeptVersion(options.folder, { ...options, config, directory }, async (opened) => {
          const problem = await loadVersion({ driver, tables, version, ...opened, ...options });
          if (problem === undefined) return;
          await tables.removeLoading(version);
          throw new DatabaseError(
            `The table of ${version.dataset.name} ${version.version} in ${name} ${problem}.`,
            'The table was removed. Try again, which loads it from the start. If this happens again, the database changes what it is given: look into its log.',
          );
        }),
      ),
    complete: ({ datasetName, version }) => told(tables.complete(nameTable(datasetName, version))),
    remove: ({ datasetName, version, isLoading }) => {
      const table = nameTable(datasetName, version);
      return told(isLoading ? tables.removeLoading(table) : tables.remove(table));
    },
    close: driver.close,
  };
  return { database, driver, tables, databaseName };
}

/** Runs work with the database of the settings, if there is one, and closes it. */
export async function withDatabase<Result>(
  config: ClickhouseConfig,
  directory: DataDirectory,
  work: (database: VersionDatabase | undefined) => Promise<Result>,
): Promise<Result> {
  const opened = openClickhouse(config, directory);
  try {
    return await work(opened?.database);
  } finally {
    await opened?.database.close();
  }
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

export function nameOf({ url, database }: ClickhouseAddress): string {
  return `ClickHouse at ${new URL(url).host}/${database}`;
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

/** The error for the operator: with what the database said, and what to do. */
export function toDatabaseError(error: unknown, name: string): unknown {
  if (error instanceof ServiceError && error.reason === 'NOT_READY') {
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return new DatabaseError(
      `${name} does not answer.${cause}`,
      'Check --clickhouse, and whether the database runs. Then try again: a load goes on where it stopped.',
      { cause: error },
    );
  }
  if (!(error instanceof ClickhouseError)) return error;
  return new DatabaseError(`${name} refused: ${error.message}`, hintOf(error), { cause: error });
}

function hintOf({ code }: ClickhouseError): string {
  switch (code) {
    case CODES.unknownDatabase:
      return 'Create the database with CREATE DATABASE, or name another one in --clickhouse.';
    case CODES.authenticationFailed:
      return 'Check the user in --clickhouse and the password in LOCMETRICS_CLICKHOUSE_PASSWORD.';
    case CODES.accessDenied:
      return 'Its user needs SELECT, INSERT, CREATE TABLE, DROP TABLE and ALTER RENAME on the database.';
    default:
      return 'Try again: a load goes on where it stopped.';
  }
}

/** The numbers of errors, from `src/Common/ErrorCodes.cpp` of ClickHouse. */
const CODES = { unknownDatabase: 81, accessDenied: 497, authenticationFailed: 516 } as const;
