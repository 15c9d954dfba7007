import { openControlStore } from '../../src/auth/control-store.ts';
import { wholeGrant } from '../../src/domain/grant.ts';

/**
 * The second process of the tests. It opens the store, does one operation, and prints the result as JSON.
 * Its arguments are the path of the store, the operation and the argument of the operation.
 */
const [path = '', operation = '', argument = ''] = process.argv.slice(2);
const store = openControlStore(path);
process.stdout.write(JSON.stringify(run()));
store.close();

function run(): unknown {
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
    case 'holdFor':
      store.createToken({ organisationId: 'acme', name: 'that is held' });
      return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(argument));
    default:
      throw new Error(`Unknown operation '${operation}'.`);
  }
}
