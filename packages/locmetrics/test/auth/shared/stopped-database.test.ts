import { expect, test } from 'vitest';
import { openProxy } from '../../postgres/open-proxy.ts';
import { type PreparedStop, prepareStop } from '../../postgres/prepare-stop.ts';
import { useNodes } from './two-nodes.ts';

const { openNode, postgres, server, url } = useNodes();

/** The error of a change while PostgreSQL is stopped. */
async function failureOf(change: () => unknown, stopped: PreparedStop): Promise<unknown> {
  try {
    await change();
  } catch (error) {
    expect(stopped.hasLongestWaitEnded()).toBe(false);
    return error;
  }
  throw new Error('The change was made.');
}

const AWAY = expect.objectContaining({
  name: 'ControlError',
  message: expect.stringContaining('cannot be reached: it did not answer in time'),
});

test('changes are refused soon while PostgreSQL is stopped, and not made later', {
  tags: 'slow',
}, async () => {
  const node = await openNode('node');
  await node.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenId } = await node.createToken({ organisationId: 'acme', name: 'x' });
  const stopped = await prepareStop(server(), url());
  stopped.stop();
  try {
    expect(await failureOf(() => node.revokeToken(tokenId), stopped)).toEqual(AWAY);
    // Each waits for the one before, but not for its timeout.
    const changes = Array.from({ length: 20 }, () => () => node.suspendOrganisation('acme'));
    const failures = await Promise.all(changes.map((change) => failureOf(change, stopped)));
    expect(failures).toEqual(changes.map(() => AWAY));
    // A mirror that does not know the token asks PostgreSQL.
    expect(await failureOf(() => node.revokeToken('unknown'), stopped)).toEqual(AWAY);
  } finally {
    await stopped.resume();
  }
  expect(await postgres().query('SELECT revoked FROM token')).toEqual([{ revoked: null }]);
  await node.revokeToken(tokenId);
  expect(node.getToken(tokenId)).toMatchObject({ state: 'revoked' });
});

test.each([
  { at: 'INSERT INTO control_batch', message: 'it did not answer in time' },
  { at: 'COMMIT', message: 'it is not known whether it was made' },
])(
  'a change during which PostgreSQL stops at $at says what is known of it',
  { tags: 'slow' },
  async ({ at, message }) => {
    const proxy = await openProxy(url());
    const node = await openNode('node', { url: proxy.url });
    await node.createOrganisation({ id: 'acme', name: 'Acme' });
    const stopped = await prepareStop(server(), url());
    proxy.beforeNext(at, stopped.stop);
    try {
      expect(
        await failureOf(() => node.createToken({ organisationId: 'acme', name: 'x' }), stopped),
      ).toEqual(expect.objectContaining({ message: expect.stringContaining(message) }));
    } finally {
      await stopped.resume();
    }
    // A commit that has arrived is made once the database goes on; anything else is taken back.
    const expected = at === 'COMMIT' ? 1 : 0;
    const made = async () => (await postgres().query('SELECT name FROM token')).length;
    await expect.poll(made).toBe(expected);
    await node.bringUpToDate();
    expect(node.listTokens()).toHaveLength(expected);
  },
);
