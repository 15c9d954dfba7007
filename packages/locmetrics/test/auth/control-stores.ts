import { copyFileSync } from 'node:fs';
import { openSharedStore } from '@locmetrics/cluster/control/open-shared-store';
import { openPostgres } from '@locmetrics/cluster/postgres/open-postgres';
import {
  type ControlStore,
  type ControlStoreOptions,
  openControlStore,
} from '@locmetrics/server/auth/control-store';
import { beforeAll } from 'vitest';
import { hasPostgres } from '../postgres/start-postgres.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { releaseLater } from '../support/release.ts';
import { runSecondProcess } from './run-second-process.ts';

/** The stores of a test file; a path names the same store in each call, and each test has its own paths. */
export type Stores = {
  readonly openControlStore: (path: string, options?: ControlStoreOptions) => Promise<ControlStore>;
  /** Makes something once before the tests, if there can be stores. */
  readonly prepare: (work: () => Promise<void>) => void;
  /** The content of a closed store at another path, for tests that change no more than the file there. */
  readonly copy: (from: string, to: string) => void;
  readonly runSecondProcess: typeof runSecondProcess;
};

/** The suites of the control store run on each of these. Called within a `describe`. */
export const CONTROL_STORES: readonly {
  readonly name: string;
  readonly useStores: () => Stores;
}[] = [
  {
    name: 'a store in a file',
    useStores: () => ({
      openControlStore: async (path, options) => openControlStore(path, options),
      prepare: beforeAll,
      copy: copyFileSync,
      runSecondProcess,
    }),
  },
  { name: 'a store in PostgreSQL (skipped where that is not installed)', useStores: useShared },
];

function useShared(): Stores {
  const server = usePostgres();
  const urls = new Map<string, string>();
  const urlOf = async (path: string): Promise<string> => {
    const url = urls.get(path) ?? (await server().createDatabase('control store'));
    urls.set(path, url);
    return url;
  };
  return {
    openControlStore: async (path, options) => {
      const postgres = openPostgres(await urlOf(path));
      releaseLater(postgres.close);
      const store = openSharedStore(path, postgres, { ...options, changeMs: 60_000 });
      await store.migrate();
      await store.bringUpToDate();
      return store;
    },
    prepare: (work) => beforeAll(() => (hasPostgres() ? work() : undefined)),
    copy: (from, to) => {
      copyFileSync(from, to);
      urls.set(to, urls.get(from) ?? '');
    },
    runSecondProcess: async (path, operation, argument) =>
      runSecondProcess(path, operation, argument, await urlOf(path)),
  };
}
