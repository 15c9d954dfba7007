import { expect, test } from 'vitest';
import { openProxy } from './open-proxy.ts';
import { useNodes } from './two-nodes.ts';

const { openNode, postgres, server, url } = useNodes();

/** It takes two seconds at most; a busy machine takes longer, and statements without a limit took 31 s. */
const LIMIT_MS = 15_000;

/** The error of a change, and how long it took to fail. */
async function failureOf(change: () => unknown): Promise<unknown> {
  const startedMs = performance.now();
  try {
    await change();
  } catch (error) {
    expect(performance.now() - startedMs).toBeLessThan(LIMIT_MS);
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
  server().pause();
  try {
    expect(await failureOf(() => node.revokeToken(tokenId))).toEqual(AWAY);
    // Each waits for the one before, but not for its timeout.
    const changes = Array.from({ length: 20 }, () => () => node.suspendOrganisation('acme'));
    const failures = await Promise.all(changes.map(failureOf));
    expect(failures).toEqual(changes.map(() => AWAY));
    // A mirror that does not know the token asks PostgreSQL.
    expect(await failureOf(() => node.revokeToken('unknown'))).toEqual(AWAY);
  } finally {
    server().resume();
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
  async ({ at, message }) => {
    const proxy = await openProxy(url());
    const node = await openNode('node', { url: proxy.url });
    await node.createOrganisation({ id: 'acme', name: 'Acme' });
    proxy.beforeNext(at, server().pause);
    try {
      expect(
        await failureOf(() => node.createToken({ organisationId: 'acme', name: 'x' })),
      ).toEqual(expect.objectContaining({ message: expect.stringContaining(message) }));
    } finally {
      server().resume();
    }
    // A commit that has arrived is made once the database goes on; anything else is taken back.
    const expected = at === 'COMMIT' ? 1 : 0;
    const made = async () => (await postgres().query('SELECT name FROM token')).length;
    await expect.poll(made).toBe(expected);
    await node.bringUpToDate();
    expect(node.listTokens()).toHaveLength(expected);
    await proxy.close();
  },
);
