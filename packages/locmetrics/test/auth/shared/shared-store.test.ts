// @module-tag slow

import { rmSync } from 'node:fs';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import { openProxy } from '../../postgres/open-proxy.ts';
import { useNodes } from './two-nodes.ts';

const { openNode, pathOf, postgres, readMirror, readShared, server, url } = useNodes();

test('a change of one node holds on another one once its mirror is up to date', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenText, tokenId } = await first.createToken({ organisationId: 'acme', name: 'x' });
  expect(second.findCaller(tokenText)).toMatchObject({ refusal: 'unknown' });
  await second.bringUpToDate();
  expect(second.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  await second.revokeToken(tokenId);
  expect(second.findCaller(tokenText)).toMatchObject({ refusal: 'revoked' });
  await first.bringUpToDate();
  expect(first.findCaller(tokenText)).toMatchObject({ refusal: 'revoked' });
  const shared = await readShared();
  expect(readMirror('first')).toEqual(shared);
  expect(readMirror('second')).toEqual(shared);
});

test('a node that is behind makes its change upon what the others have changed', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  await second.createOrganisation({ id: 'globex', name: 'Globex' });
  // The mirror of the second node did not know of the first organisation.
  await first.addGrant('globex', wholeGrant('', '*'));
  await expect(second.addGrant('globex', wholeGrant('', '*'))).rejects.toThrow(
    "has a grant of '*' for some of these days",
  );
  await second.createToken({ organisationId: 'acme', name: 'x' });
  expect(second.listAudit({ limit: 10 }).map(({ entryId, action }) => [entryId, action])).toEqual([
    [4, 'token.create'],
    [3, 'grant.add'],
    [2, 'organisation.create'],
    [1, 'organisation.create'],
  ]);
  expect(readMirror('second')).toEqual(await readShared());
});

test('a grant that one node replaces is the replaced one on another, with both terms in the log', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  const { grant } = await first.addGrant('acme', wholeGrant('', 'a.b'));
  const narrow = { ...wholeGrant('', 'a.b'), fields: ['x'] };
  // The mirror of the second node does not know the grant yet.
  expect(await second.replaceGrant(grant.grantId, narrow)).toMatchObject({ before: grant });
  await first.bringUpToDate();
  const replaced = { ...narrow, grantId: grant.grantId };
  expect(first.listGrants().map((entry) => entry.grant)).toEqual([replaced]);
  expect(first.listAudit({ limit: 1 })).toMatchObject([
    { action: 'grant.replace', details: { fields: ['x'], before: { pattern: 'a.b' } } },
  ]);
  expect(readMirror('first')).toEqual(await readShared());
  expect(readMirror('second')).toEqual(await readShared());
});

test('a code of another node is accepted before the mirror knows of it, and once', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  const { code } = await first.createSignInLink({ organisationId: 'acme' });
  expect((await second.signIn(code)).tokenText).toMatch(/^lm_/);
  await expect(first.signIn(code)).rejects.toThrow('The sign-in code is not accepted');
});

test('suspending what another node has resumed suspends it again', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  await first.suspendOrganisation('acme');
  await second.bringUpToDate();
  await first.resumeOrganisation('acme');
  expect((await second.suspendOrganisation('acme')).hasChanged).toBe(true);
  expect(await postgres().query('SELECT suspended IS NULL AS active FROM organisation')).toEqual([
    { active: false },
  ]);
});

test('all nodes have the secret of the first one', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  expect(() => first.secret('page-token')).toThrow("has no secret 'page-token'");
  await Promise.all([first.makeSecret('page-token'), second.makeSecret('page-token')]);
  await first.bringUpToDate();
  expect(first.secret('page-token')).toHaveLength(32);
  expect(second.secret('page-token')).toEqual(first.secret('page-token'));
});

test('a secret that one node rotates is another one on all nodes, once they ask for changes', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  await first.makeSecret('export-link');
  await second.bringUpToDate();
  const before = second.secret('export-link');
  await first.rotateSecret('export-link');
  expect(first.secret('export-link')).not.toEqual(before);
  await second.bringUpToDate();
  second.pollCallers();
  expect(second.secret('export-link')).toEqual(first.secret('export-link'));
  expect(second.listAudit({ limit: 1 })).toMatchObject([
    { action: 'secret.rotate', organisationId: '', subject: 'export-link' },
  ]);
});

test('a mirror that was removed is made again', async () => {
  const first = await openNode('first');
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenText } = await first.createToken({ organisationId: 'acme', name: 'x' });
  await first.close();
  rmSync(pathOf('first'));
  const again = await openNode('first');
  expect(again.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  expect(readMirror('first')).toEqual(await readShared());
});

test('a mirror that is too far behind is made again, and keeps the times of last use', async () => {
  const [first, second] = [await openNode('first'), await openNode('second')];
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  const gone = await first.createToken({ organisationId: 'acme', name: 'gone' });
  const kept = await first.createToken({ organisationId: 'acme', name: 'kept' });
  await second.bringUpToDate();
  second.mirror().writeLastUsed([[kept.tokenId, 1_000]]);
  expect(second.findCaller(gone.tokenText)).toMatchObject({ isAccepted: true });
  await postgres().query('DELETE FROM token WHERE id = $1', [gone.tokenId]);
  await postgres().query(`UPDATE organisation SET name = 'Acme Retail'`);
  // As after ten thousand other changes.
  await postgres().query('DELETE FROM change WHERE number < (SELECT max(number) FROM change)');
  await second.bringUpToDate();
  expect(second.findCaller(gone.tokenText)).toMatchObject({ refusal: 'unknown' });
  expect(second.listTokens()).toMatchObject([{ tokenId: kept.tokenId, lastUsed: 1_000 }]);
  expect(readMirror('second')).toEqual(await readShared());
});

test('a mirror of another store is made again, and no process keeps callers or secrets', async () => {
  const first = await openNode('first');
  await first.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenText } = await first.createToken({ organisationId: 'acme', name: 'x' });
  await first.makeSecret('page-token');
  const worker = await openNode('first');
  expect(worker.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  const secret = worker.secret('page-token');
  const other = await openNode('other', { url: await server().createDatabase('control store') });
  await other.createOrganisation({ id: 'globex', name: 'Globex' });
  await other.makeSecret('page-token');
  await postgres().query(`UPDATE store SET id = gen_random_uuid()`);
  await postgres().query(`DELETE FROM token`);
  await postgres().query(`UPDATE secret SET value = sha256('another')`);
  await first.bringUpToDate();
  expect(worker.findCaller(tokenText)).toMatchObject({ refusal: 'unknown' });
  expect(worker.secret('page-token')).not.toEqual(secret);
  expect(readMirror('first')).toEqual(await readShared());
});

test('a change by hand in PostgreSQL holds, also of rights that are kept', async () => {
  const node = await openNode('node');
  await node.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenText } = await node.createToken({ organisationId: 'acme', name: 'x' });
  await node.addGrant('acme', wholeGrant('', 'a.*'));
  const grants = () => {
    const lookup = node.findCaller(tokenText);
    return lookup.isAccepted ? lookup.caller.rights.grants.map(({ pattern }) => pattern) : [];
  };
  expect(grants()).toEqual(['a.*']);
  await postgres().query(`UPDATE access_grant SET pattern = 'b.*'`);
  await node.bringUpToDate();
  expect(grants()).toEqual(['b.*']);
  await postgres().query('DELETE FROM access_grant');
  await node.bringUpToDate();
  expect(grants()).toEqual([]);
  expect(readMirror('node')).toEqual(await readShared());
});

test('a control store of its own with organisations is not replaced', async () => {
  const own = openControlStore(pathOf('own'));
  own.createOrganisation({ id: 'acme', name: 'Acme' });
  own.close();
  await expect(openNode('own')).rejects.toMatchObject({
    name: 'ControlError',
    message: expect.stringContaining('already has 1 organisations'),
    hint: expect.stringContaining('locmetrics control copy --to'),
  });
  const again = openControlStore(pathOf('own'));
  expect(again.listOrganisations()).toHaveLength(1);
  again.close();
});

test('a mirror is not used as a store of its own', async () => {
  const node = await openNode('node');
  await node.createOrganisation({ id: 'acme', name: 'Acme' });
  expect(() => openControlStore(pathOf('node'))).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(
        'is a mirror of the control store in PostgreSQL at 127.0.0.1',
      ),
      hint: expect.stringContaining('--control'),
    }),
  );
});

test('while PostgreSQL is away, reads go on and changes are refused', async () => {
  const proxy = await openProxy(url());
  const node = await openNode('node', { url: proxy.url });
  await node.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenText, tokenId } = await node.createToken({ organisationId: 'acme', name: 'x' });
  await proxy.close();
  await expect(node.revokeToken(tokenId)).rejects.toMatchObject({
    message: expect.stringContaining('cannot be reached'),
  });
  expect(node.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  expect(node.listTokens()).toMatchObject([{ state: 'active' }]);
  await expect(node.bringUpToDate()).rejects.toThrow('cannot be reached');
});

test.each([
  { when: 'after', entries: 2 },
  { when: 'before', entries: 1 },
] as const)(
  'a connection that is lost $when the commit arrives leaves one answer and the truth',
  async ({ when, entries }) => {
    const proxy = await openProxy(url());
    const node = await openNode('node', { url: proxy.url });
    await node.createOrganisation({ id: 'acme', name: 'Acme' });
    proxy.cutAtCommit(when);
    const created = node.createToken({ organisationId: 'acme', name: 'x' });
    if (when === 'after') {
      const { tokenText } = await created;
      expect(node.findCaller(tokenText)).toMatchObject({ isAccepted: true });
    } else {
      await expect(created).rejects.toThrow('cannot be reached');
      expect(node.listTokens()).toEqual([]);
    }
    expect(await postgres().query('SELECT count(*) AS count FROM audit')).toEqual([
      { count: entries },
    ]);
    await node.bringUpToDate();
    expect(readMirror('node')).toEqual(await readShared());
  },
);
