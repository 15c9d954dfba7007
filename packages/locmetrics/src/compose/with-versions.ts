import { freshForOf } from '@locmetrics/cluster/control/fresh-for';
import type { NodeReports } from '@locmetrics/cluster/versions/node-reports';
import type { DeliveryStore } from '@locmetrics/cluster/webhook/delivery-store';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import type { VersionStore } from '@locmetrics/data-directory/versions/version-store';
import type { Config } from '../config/settings.ts';
import { withDatabase } from './configured-clickhouse.ts';
import {
  areVersionsShared,
  findStore,
  type OpenedDirectory,
  openDirectory,
  type StoreOptions,
  type WorkWithStore,
  withStoreOf,
} from './open-data.ts';
import { CONTROL_ANSWER_TIMEOUT_MS } from './open-store-of-nodes.ts';
import { readPackageVersion } from './package-version.ts';

/** The versions of the settings: of the data directory, or of all nodes that share a PostgreSQL and a ClickHouse. */
export type OpenedVersions = {
  readonly store: VersionStore;
  /** Absent: that of the data directory. */
  readonly delivery?: DeliveryStore;
  /** Tells other nodes which versions this one uses; absent where no other node has them. */
  readonly openReports?: (onFailed?: (error: unknown) => void) => Promise<NodeReports>;
  /** Brings a mirror up to date for the first time: all its files are compared. Throws if PostgreSQL is away. */
  readonly prepare: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A lease of a version lasts longer than any request. */
export const LEASE_MARGIN_MS = 5_000;

/** Connects with the first use. The driver of PostgreSQL is loaded only for versions that nodes share. */
export async function openVersions(
  { config, directory }: OpenedDirectory,
  database: VersionDatabase | undefined,
): Promise<OpenedVersions> {
  const { control } = config;
  if (control === undefined || !areVersionsShared(config)) {
    return {
      store: fileVersions(directory, { database }),
      prepare: async () => {},
      close: async () => {},
    };
  }
  const [
    { openPostgres },
    { sharedVersions, prepareMirror },
    { sharedDelivery },
    { openNodeReports },
  ] = await Promise.all([
    import('@locmetrics/cluster/postgres/open-postgres'),
    import('@locmetrics/cluster/versions/shared-versions'),
    import('@locmetrics/cluster/webhook/shared-delivery'),
    import('@locmetrics/cluster/versions/node-reports'),
  ]);
  const postgres = openPostgres(control, {
    connectionsMax: 2,
    answerTimeoutMs: CONTROL_ANSWER_TIMEOUT_MS,
  });
  const usesForMs = freshForOf(config.controlAwayMaxMs) + config.queryTimeoutMs + LEASE_MARGIN_MS;
  return {
    store: sharedVersions({
      postgres,
      directory,
      usesForMs,
      database,
      // It loads DuckDB, which a primary never needs otherwise.
      fetchColumns: async (one, into) => {
        const { columnFetcher } = await import('./restore-columns.ts');
        return columnFetcher({ config, directory })(one, into);
      },
    }),
    delivery: sharedDelivery(postgres),
    openReports: (onFailed) =>
      openNodeReports({ postgres, directory, usesForMs, release: readPackageVersion(), onFailed }),
    prepare: () => prepareMirror(postgres, directory),
    close: postgres.close,
  };
}

/** Runs work with the versions of the settings, brought up to date, and with the database that has their tables. */
export function withVersions<Result>(
  opened: OpenedDirectory,
  work: (versions: OpenedVersions, database: VersionDatabase | undefined) => Promise<Result>,
): Promise<Result> {
  return withDatabase(opened.config, opened.directory, async (database) => {
    const versions = await openVersions(opened, database);
    try {
      await versions.prepare();
      return await work(versions, database);
    } finally {
      await versions.close();
    }
  });
}

/** The data directory of the settings, with the versions of all nodes as they are now. */
export async function openUpToDate(options: StoreOptions): Promise<OpenedDirectory> {
  const opened = openDirectory(options);
  await bringUpToDate(opened);
  return opened;
}

export async function bringUpToDate(opened: OpenedDirectory): Promise<void> {
  if (areVersionsShared(opened.config)) await withVersions(opened, async () => {});
}

/** Runs work with the control store, and with the versions of all nodes as they are now in the data directory. */
export async function withStoreUpToDate<Result>(
  options: StoreOptions,
  work: WorkWithStore<Result>,
): Promise<Result> {
  const opened = findStore(options);
  await bringUpToDate(opened);
  return withStoreOf(opened, work);
}

/** Runs work that leases versions, and tells other nodes of these leases meanwhile. */
export async function whileReported<Result>(
  opened: OpenedDirectory,
  work: () => Promise<Result>,
): Promise<Result> {
  const versions = await openVersions(opened, undefined);
  const reports = await versions.openReports?.();
  try {
    return await work();
  } finally {
    await reports?.close();
    await versions.close();
  }
}

export function retentionOf({ versionsKept, versionsKeptForMs }: Config) {
  return { versions: versionsKept, milliseconds: versionsKeptForMs };
}
