import { existsSync } from 'node:fs';
import { type ControlStore, openControlStore } from '../../src/auth/control-store.ts';
import { wholeGrant } from '../../src/domain/grant.ts';
import { until } from '../support/until.ts';

/**
 * The second process of the tests. It opens the store, does one operation, and prints the result as JSON.
 * Its arguments are the path of the store, the operation, the argument of the operation, and the URL of the database
 * of a shared store.
 */
const [path = '', operation = '', argument = '', url = ''] = process.argv.slice(2);
const { store, close } = url === '' ? openFile() : await openShared();
process.stdout.write(JSON.stringify(await run()));
await close();

type Opened = { readonly store: ControlStore; readonly close: () => unknown };

function openFile(): Opened {
  const file = openControlStore(path);
  return { store: file, close: file.close };
}

/** Its code is loaded only for it, because other tests count on a quick start. */
async function openShared(): Promise<Opened> {
  const { openSharedStore } = await import('../../src/auth/shared/open-shared-store.ts');
  const { openPostgres } = await import('../../src/postgres/open-postgres.ts');
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

async function run(): Promise<unknown> {
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
    default:
      throw new Error(`Unknown operation '${operation}'.`);
  }
}
