import { DatabaseSync } from 'node:sqlite';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { findAllDamagedRows } from '@locmetrics/server/auth/find-damaged-rows';
import type { DamagedRow } from '@locmetrics/server/auth/rights-damaged-error';
import { watchRights } from '@locmetrics/server/auth/watch-rights';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { damageRow, removeRows } from './damage-row.ts';

const inFolder = useTemporaryFolder('test');

function openWithBackup() {
  const path = inFolder('control.sqlite');
  const store = openControlStore(path);
  const tokens = ['acme', 'globex'].map((id) => {
    store.createOrganisation({ id, name: id });
    store.addGrant(id, wholeGrant('', '*'));
    store.addGrant(id, wholeGrant('', 'shop.*'));
    store.setLimits(id, { rowsPerDay: 10 });
    return store.createToken({ organisationId: id, name: 'x' });
  });
  const [acme, globex] = tokens;
  if (acme === undefined || globex === undefined) throw new Error('There are two.');
  const backup = inFolder('backup.sqlite');
  store.copyTo(backup);
  const callers = () => tokens.map(({ tokenText }) => store.findCaller(tokenText));
  return { path, store, backup, acme, globex, callers };
}

test('all damaged rows are found, by table and id', () => {
  const { path, store } = openWithBackup();
  expect(findAllDamagedRows(store)).toEqual([]);
  damageRow(path, { table: 'token', organisationId: 'acme', column: 'name', value: 'y' });
  damageRow(path, {
    table: 'organisation_limit',
    organisationId: 'acme',
    column: 'burst',
    value: 1,
  });
  removeRows(path, `access_grant WHERE organisation = 'globex' AND pattern = 'shop.*'`);
  expect(
    findAllDamagedRows(store).map(({ table, organisationId }) => [table, organisationId]),
  ).toEqual([
    ['token', 'acme'],
    ['organisation_limit', 'acme'],
    ['organisation', 'globex'],
  ]);
  store.close();
});

test.each([
  ['access_grant', 'pattern'],
  ['access_grant', 'id'],
  ['access_grant', 'organisation'],
  ['organisation_limit', 'organisation'],
  ['organisation', 'name'],
  ['organisation', 'id'],
  ['organisation', 'rights_checksum'],
  ['token', 'scopes'],
  ['token', 'id'],
  ['token', 'hash'],
] as const)('a damaged %s.%s is restored from a backup, and nothing else', (table, column) => {
  const { path, store, backup, callers, acme } = openWithBackup();
  if (table !== 'organisation') store.suspendOrganisation('globex');
  store.createToken({ organisationId: 'globex', name: 'later' });
  const before = callers();
  if (table === 'access_grant' && column === 'id') {
    removeRows(path, `access_grant WHERE organisation = 'acme' AND pattern = '*'`);
  }
  const value = column === 'rights_checksum' ? 7 : column === 'hash' ? new Uint8Array(32) : 'q';
  damageRow(path, { table, organisationId: 'acme', column, value });
  expect(findAllDamagedRows(store)).not.toEqual([]);
  const repaired = store.repairFrom(backup);
  expect(repaired.map(({ result }) => result)).toEqual(repaired.map(() => 'restored'));
  expect(findAllDamagedRows(store)).toEqual([]);
  expect(callers()).toEqual(before);
  expect(
    store
      .listTokens()
      .map(({ organisationId }) => organisationId)
      .sort(),
  ).toEqual(['acme', 'globex', 'globex']);
  expect(store.findCaller(acme.tokenText).isAccepted).toBe(true);
  const [foreign] = new DatabaseSync(path).prepare('PRAGMA foreign_key_check').all();
  expect(foreign).toBeUndefined();
  store.close();
});

test('what was changed after the backup is left, so that no revoked token works again', () => {
  const { path, store, backup, acme, globex } = openWithBackup();
  store.revokeToken(acme.tokenId);
  store.addGrant('globex', wholeGrant('', 'shop.codes'));
  damageRow(path, { table: 'token', organisationId: 'acme', column: 'name', value: 'y' });
  damageRow(path, { table: 'organisation', organisationId: 'globex', column: 'name', value: 'y' });
  const problem = 'it was changed after the backup';
  expect(store.repairFrom(backup)).toEqual([
    { table: 'token', rowId: acme.tokenId, result: 'left', problem },
    { table: 'organisation', rowId: 'globex', result: 'left', problem },
  ]);
  for (const { tokenText } of [acme, globex]) {
    expect(() => store.findCaller(tokenText)).toThrow('is damaged');
  }
  store.close();
});

test('a damaged secret is replaced once, for all processes', () => {
  const { path, store } = openWithBackup();
  const before = store.secret('page-token');
  expect(store.wasReplaced('page-token')).toBe(false);
  const value = new Uint8Array(32);
  damageRow(path, { table: 'secret', organisationId: 'page-token', column: 'value', value });
  const other = openControlStore(path);
  const replaced = other.secret('page-token');
  expect([before, value]).not.toContainEqual(replaced);
  store.pollCallers();
  expect(store.secret('page-token')).toEqual(replaced);
  expect([store.wasReplaced('page-token'), other.wasReplaced('page-token')]).toEqual([true, true]);
  other.close();
  store.close();
});

test('damaged rows are found at once when they are asked for', async () => {
  const { path, store, acme } = openWithBackup();
  const watch = watchRights(store, { onDamaged: () => {}, everyMs: 3_600_000, againMs: 0 });
  expect(await watch.damagedNow()).toEqual([]);
  const value = new Uint8Array(32);
  damageRow(path, { table: 'token', organisationId: 'acme', column: 'hash', value });
  expect((await watch.damagedNow()).map(({ rowId }) => rowId)).toEqual([acme.tokenId]);
  expect(watch.damaged()).toHaveLength(1);
  watch.close();
  store.close();
});

test('a watched store names each damaged row once, and refuses a token that may be a damaged one', async () => {
  const { path, store, acme, globex } = openWithBackup();
  const value = new Uint8Array(32);
  damageRow(path, { table: 'token', organisationId: 'acme', column: 'hash', value });
  const named: DamagedRow[] = [];
  const watch = watchRights(store, { onDamaged: (row) => named.push(row), everyMs: 10 });
  await expect.poll(() => watch.damaged().length).toBe(1);
  expect(() => watch.store.findCaller(acme.tokenText)).toThrow('is damaged');
  expect(watch.store.findCaller(globex.tokenText)).toMatchObject({ isAccepted: true });
  expect(named).toEqual([
    {
      table: 'token',
      rowId: acme.tokenId,
      organisationId: 'acme',
      problem: 'its content does not fit its checksum',
    },
  ]);
  watch.close();
  store.close();
});
