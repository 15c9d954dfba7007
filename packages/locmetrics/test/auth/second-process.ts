import { existsSync } from 'node:fs';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { type ControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import { until } from '../support/until.ts';

/**
 * The second process of the tests. For each operation it opens the store, and closes it afterwards. The operations are
 * messages; or its argument is a single one as JSON, and it prints the result as JSON.
 */
export type StoreOperation = {
  readonly path: string;
  readonly operation:
    | 'secret'
    | 'revokeToken'
    | 'findCaller'
    | 'createToken'
    | 'holdUntilGone'
    | 'addGrant'
    | 'setLimits'
    | 'suspendOrganisation'
    | 'resumeOrganisation';
  readonly argument: string;
  /** The URL of the database of a shared store; empty for a file. */
  readonly url: string;
};

/** The answer to a message. */
export type Done = { readonly id: number; readonly result?: unknown; readonly error?: string };

const [single] = process.argv.slice(2);
if (single !== undefined) process.stdout.write(JSON.stringify(await runOpened(JSON.parse(single))));
else {
  process.on('message', async (message) => {
    // Only `runSecondProcess` sends messages.
    const { id, ...asked } = message as StoreOperation & { readonly id: number };
    const done: Done = await runOpened(asked).then(
      (result) => ({ id, result }),
      (error: unknown) => ({ id, error: String(error) }),
    );
    process.send?.(done);
  });
  process.once('disconnect', () => process.exit());
}

async function runOpened(asked: StoreOperation): Promise<unknown> {
  const { store, close } = asked.url === '' ? openFile(asked) : await openShared(asked);
  try {
    return await run(store, asked);
  } finally {
    await close();
  }
}

type Opened = { readonly store: ControlStore; readonly close: () => unknown };

function openFile({ path }: StoreOperation): Opened {
  const file = openControlStore(path);
  return { store: file, close: file.close };
}

/** Its code is loaded only for it, because other tests count on a quick start. */
async function openShared({ path, url }: StoreOperation): Promise<Opened> {
  const { openSharedStore } = await import('@locmetrics/cluster/control/open-shared-store');
  const { openPostgres } = await import('@locmetrics/cluster/postgres/open-postgres');
  const postgres = openPostgres(url);
  const shared = openSharedStore(path, postgres);
  await shared.bringUpToDate();
  return {
    store: shared,
    close: async () => {
      await shared.close();
      await postgres.close();
    },
  };
}

async function run(store: ControlStore, { operation, argument }: StoreOperation): Promise<unknown> {
  switch (operation) {
    case 'secret':
      return Buffer.from(store.secret(argument)).toString('hex');
    case 'revokeToken':
      return store.revokeToken(argument);
    case 'findCaller':
      return store.findCaller(argument);
    case 'createToken':
      return store.createToken({ organisationId: argument, name: 'of the second process' });
    case 'addGrant':
      return store.addGrant(argument, wholeGrant('', 'from.elsewhere'));
    case 'setLimits':
      return store.setLimits(argument, { rowsPerDay: 3 });
    case 'suspendOrganisation':
      return store.suspendOrganisation(argument);
    case 'resumeOrganisation':
      return store.resumeOrganisation(argument);
    case 'holdUntilGone':
      await store.createToken({ organisationId: 'acme', name: 'that is held' });
      return until(() => !existsSync(argument));
  }
}
