import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CONTROL_TABLES } from '@locmetrics/cluster/control/control-tables';
import {
  openSharedStore,
  type SharedControlStore,
} from '@locmetrics/cluster/control/open-shared-store';
import { openPostgres, type Postgres } from '@locmetrics/cluster/postgres/open-postgres';
import type { ControlStoreOptions } from '@locmetrics/server/auth/control-store';
import { beforeEach } from 'vitest';
import type { RunningPostgres } from '../../postgres/start-postgres.ts';
import { usePostgres } from '../../postgres/use-postgres.ts';
import { releaseLater } from '../../support/release.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Nodes that share a database, each with its mirror in a folder of its own. */
export type Nodes = {
  readonly server: () => RunningPostgres;
  readonly url: () => string;
  /** A connection of the test. */
  readonly postgres: () => Postgres;
  readonly pathOf: (name: string) => string;
  /** Opens the store of a node; with a URL of its own, for example of a proxy. */
  readonly openNode: (
    name: string,
    options?: ControlStoreOptions & { readonly url?: string },
  ) => Promise<SharedControlStore>;
  /** The rows of all tables: in PostgreSQL, or in the mirror of a node. */
  readonly readShared: () => Promise<AllRows>;
  readonly readMirror: (name: string) => AllRows;
};

export type AllRows = Readonly<Record<string, readonly unknown[]>>;

export function useNodes(): Nodes {
  const server = usePostgres();
  let folder = '';
  let url = '';
  let postgres: Postgres;
  beforeEach(async () => {
    folder = temporaryFolder();
    url = await server().createDatabase('control store');
    postgres = openPostgres(url);
    releaseLater(postgres.close);
  });
  const pathOf = (name: string): string => join(folder, `${name}.sqlite`);
  return {
    server,
    url: () => url,
    postgres: () => postgres,
    pathOf,
    openNode: async (name, { url: ownUrl, ...options } = {}) => {
      const own = openPostgres(ownUrl ?? url);
      releaseLater(own.close);
      const store = openSharedStore(pathOf(name), own, options);
      releaseLater(store.close);
      await store.migrate();
      await store.bringUpToDate();
      return store;
    },
    readShared: async () => {
      const tables = CONTROL_TABLES.map(async ({ name, columns, keyColumn }) => {
        const rows = await postgres.query(`SELECT ${columns.join(', ')} FROM ${name}`);
        return [name, comparable(rows, keyColumn)];
      });
      return Object.fromEntries(await Promise.all(tables)) as AllRows;
    },
    readMirror: (name) => {
      const database = new DatabaseSync(pathOf(name), { readOnly: true });
      const tables = CONTROL_TABLES.map(({ name: table, columns, keyColumn }) => {
        const rows = database.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).all();
        return [table, comparable(rows, keyColumn)];
      });
      database.close();
      return Object.fromEntries(tables) as AllRows;
    },
  };
}

/** Sorted here, because the databases sort in different ways; bytes as text. */
function comparable(
  rows: readonly Readonly<Record<string, unknown>>[],
  keyColumn: string,
): readonly unknown[] {
  return rows
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
        ]),
      ),
    )
    .sort((left, right) => (String(left[keyColumn]) < String(right[keyColumn]) ? -1 : 1));
}
