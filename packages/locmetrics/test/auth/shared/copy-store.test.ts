// @module-tag slow

import { rmSync } from 'node:fs';
import { copyFromPostgres, copyToPostgres } from '@locmetrics/cluster/control/copy-store';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { type ControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import { useNodes } from './two-nodes.ts';

const { openNode, pathOf, postgres, readMirror, readShared } = useNodes();

/** A store in a file with a row in each table, and the text of a token. */
function fillStore(path: string): string {
  const store = openControlStore(path);
  store.createOrganisation({ id: 'acme', name: 'Müller & Söhne' });
  const { tokenId } = store.createToken({ organisationId: 'acme', name: 'x' });
  const { tokenText } = store.rotateToken(tokenId, { overlapMs: 60_000 });
  for (const pattern of ['a.*', 'b.*']) store.addGrant('acme', wholeGrant('', pattern));
  store.setLimits('acme', { requestsPerSecond: 1.5, rowsPerDay: 7, viewedRowsPerDay: 3 });
  store.createSignInLink({ organisationId: 'acme' });
  store.makeSecret('page-token');
  store.findCaller(tokenText);
  store.close();
  return tokenText;
}

function readAll(store: ControlStore): unknown {
  return [
    store.listOrganisations(),
    store.listTokens(),
    store.listGrants(),
    store.listLimits(),
    store.listAudit({ limit: 100 }),
    Buffer.from(store.secret('page-token')).toString('hex'),
  ];
}

test('a store in a file is copied into PostgreSQL and back with all that it has', async () => {
  const tokenText = fillStore(pathOf('own'));
  const counts = await copyToPostgres(pathOf('own'), postgres());
  expect(counts).toEqual({
    organisation: 1,
    token: 2,
    access_grant: 2,
    organisation_limit: 1,
    sign_in_link: 1,
    secret: 1,
    audit: 7,
  });
  expect(await readShared()).toEqual(readMirror('own'));
  const own = openControlStore(pathOf('own'));
  const expected = readAll(own);
  own.close();
  const node = await openNode('node');
  expect(node.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  // Its times of last use are exchanged later.
  node.mirror().writeLastUsed(await lastUsed());
  expect(readAll(node)).toEqual(expected);
  expect(await copyFromPostgres(postgres(), pathOf('back'))).toEqual(counts);
  const back = openControlStore(pathOf('back'));
  expect(readAll(back)).toEqual(expected);
  expect(back.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  back.revokeToken(tokenText);
  expect(back.listAudit({ limit: 1 })[0]?.entryId).toBe(8);
  back.close();
  expect(await readShared()).toEqual(readMirror('node'));
});

async function lastUsed(): Promise<readonly (readonly [string, number])[]> {
  const rows = await postgres().query('SELECT id, last_used FROM token WHERE last_used > 0');
  return rows.map((row) => [String(row['id']), Number(row['last_used'])]);
}

test('a mirror is copied into another, empty database', async () => {
  const node = await openNode('node');
  await node.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenText } = await node.createToken({ organisationId: 'acme', name: 'x' });
  await node.close();
  // The database is lost, and made anew.
  await postgres().query('DROP SCHEMA locmetrics CASCADE');
  await copyToPostgres(pathOf('node'), postgres());
  for (const ending of ['', '-lock', '-reserve']) rmSync(pathOf('node') + ending, { force: true });
  const again = await openNode('node');
  expect(again.findCaller(tokenText)).toMatchObject({ isAccepted: true });
});

test('a database that is not empty is not written to', async () => {
  const node = await openNode('node');
  await node.createOrganisation({ id: 'globex', name: 'Globex' });
  fillStore(pathOf('own'));
  const before = await readShared();
  await expect(copyToPostgres(pathOf('own'), postgres())).rejects.toThrow(
    'already has a control store: 1 rows in the table organisation.',
  );
  expect(await readShared()).toEqual(before);
  await expect(copyToPostgres(pathOf('absent'), postgres())).rejects.toThrow('does not exist');
  await expect(copyFromPostgres(postgres(), pathOf('own'))).rejects.toThrow('which would be lost');
});
