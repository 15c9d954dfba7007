import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHANGE_LOG_SCHEMA } from '@locmetrics/cluster/postgres/change-log';
import { openPostgres, type Postgres } from '@locmetrics/cluster/postgres/open-postgres';
import { migratePostgres } from '@locmetrics/cluster/postgres/postgres-schema';
import {
  type SharedVersionOptions,
  sharedVersions,
} from '@locmetrics/cluster/versions/shared-versions';
import { VERSION_STORE_SCHEMA } from '@locmetrics/cluster/versions/version-store-schema';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import type { VersionStore } from '@locmetrics/data-directory/versions/version-store';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A node of a cluster: a data directory, and its connections. */
export type TestNode = {
  readonly directory: DataDirectory;
  readonly postgres: Postgres;
  readonly store: VersionStore;
  /** Gives its connections back before the cluster is closed. */
  readonly close: () => Promise<void>;
};

/** Nodes that share one PostgreSQL, each with a data directory of its own. */
export type TestCluster = {
  readonly url: string;
  readonly openNode: (
    options?: Partial<Omit<SharedVersionOptions, 'postgres'>>,
  ) => Promise<TestNode>;
  readonly close: () => Promise<void>;
};

export async function openCluster(url: string): Promise<TestCluster> {
  const folder = temporaryFolder();
  const opened = new Set<Postgres>();
  let nodes = 0;
  const connect = (): Postgres => {
    const postgres = openPostgres(url);
    opened.add(postgres);
    return postgres;
  };
  await migratePostgres(connect(), [CHANGE_LOG_SCHEMA, VERSION_STORE_SCHEMA]);
  return {
    url,
    openNode: async (options = {}) => {
      nodes += 1;
      const postgres = connect();
      const directory = options.directory ?? dataDirectory(join(folder, `node-${nodes}`));
      const store = sharedVersions({ usesForMs: 0, marginMs: 0, ...options, postgres, directory });
      await store.bringUpToDate();
      const close = async (): Promise<void> => {
        opened.delete(postgres);
        await postgres.close();
      };
      return { directory, postgres, store, close };
    },
    close: async () => {
      await Promise.all([...opened].map((postgres) => postgres.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
