import { flushCompileCache } from 'node:module';
import { openSharedStore } from '@locmetrics/cluster/control/open-shared-store';
import { openPostgres } from '@locmetrics/cluster/postgres/open-postgres';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { randomNumbers } from '../../support/random-numbers.ts';

/**
 * A node of the tests, in a process of its own: it makes random changes until it is killed, and prints each one that was
 * made. Its arguments are the path of its mirror, the URL of the database, its name, a seed, and how many changes it makes.
 */
const [path = '', url = '', name = '', seed = '1', count = '1'] = process.argv.slice(2);
const random = randomNumbers(Number(seed));
const postgres = openPostgres(url);
const store = openSharedStore(path, postgres);
await store.bringUpToDate();
// A killed process does not keep what it has compiled.
flushCompileCache();
print('ready');
for (let made = 0; made < Number(count); made += 1) {
  const change = pick(changes());
  try {
    const subject = await change?.(made);
    if (subject !== undefined) print(`made ${subject}`);
  } catch (error) {
    // Another node was faster, for example with the same code.
    if (!(error instanceof ControlError)) throw error;
  }
}
await store.close();
await postgres.close();

function changes(): readonly ((made: number) => Promise<string | undefined>)[] {
  const tokens = store.listTokens().filter(({ state }) => state === 'active');
  const some = pick(tokens)?.tokenId;
  return [
    async (made) => {
      const created = await store.createToken({ organisationId: 'acme', name: `${name} ${made}` });
      return `token.create ${created.tokenId}`;
    },
    async () => {
      if (some === undefined) return undefined;
      const { wasRevokedBefore } = await store.revokeToken(some);
      return wasRevokedBefore ? undefined : `token.revoke ${some}`;
    },
    async () => {
      if (some === undefined) return undefined;
      return `token.rotate ${(await store.rotateToken(some, { overlapMs: 60_000 })).tokenId}`;
    },
    async (made) => {
      const { grant } = await store.addGrant('acme', wholeGrant('', `${name}.n${made}`));
      return `grant.add ${grant.grantId}`;
    },
    async () => {
      const { linkId } = await store.createSignInLink({ organisationId: 'acme' });
      return `sign_in_link.create ${linkId}`;
    },
  ];
}

function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
