import type { SharedControlStore } from '@locmetrics/cluster/control/open-shared-store';
import type { Postgres } from '@locmetrics/cluster/postgres/open-postgres';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { ControlStoreOptions } from '@locmetrics/server/auth/control-store';

/** A command that changes something must be refused within two seconds, and takes half of one to start. */
export const CONTROL_ANSWER_TIMEOUT_MS = 1_200;

/** A shared store with connections of its own, which it closes. */
export type StoreOfNodes = SharedControlStore & { readonly postgres: Postgres };

/** Opens the control store that nodes share. The driver is loaded only for it. */
export async function openStoreOfNodes(
  directory: DataDirectory,
  url: string,
  {
    timeoutMs,
    ...options
  }: ControlStoreOptions & {
    /** See `openPostgres`. */
    readonly timeoutMs?: number;
  } = {},
): Promise<StoreOfNodes> {
  const [{ openSharedStore }, { openPostgres }] = await Promise.all([
    import('@locmetrics/cluster/control/open-shared-store'),
    import('@locmetrics/cluster/postgres/open-postgres'),
  ]);
  const postgres = openPostgres(url, {
    connectionsMax: 2,
    answerTimeoutMs: CONTROL_ANSWER_TIMEOUT_MS,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const store = openSharedStore(directory.control, postgres, options);
  return {
    ...store,
    postgres,
    close: async () => {
      await store.close();
      await postgres.close();
    },
  };
}
