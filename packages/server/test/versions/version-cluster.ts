import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHANGE_LOG_SCHEMA } from '../../src/postgres/change-log.ts';
import { openPostgres, type Postgres } from '../../src/postgres/open-postgres.ts';
import { migratePostgres } from '../../src/postgres/postgres-schema.ts';
import { type DataDirectory, dataDirectory } from '../../src/versions/data-directory.ts';
import {
  type SharedVersionOptions,
  sharedVersions,
} from '../../src/versions/shared/shared-versions.ts';
import { VERSION_STORE_SCHEMA } from '../../src/versions/shared/version-store-schema.ts';
import type { VersionStore } from '../../src/versions/version-store.ts';
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
