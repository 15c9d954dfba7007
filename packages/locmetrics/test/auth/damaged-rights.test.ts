import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import type { RightsTableName } from '@locmetrics/server/auth/rights-table';
import { describe, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { CONTROL_STORES } from './control-stores.ts';
import { damageRow, removeRows } from './damage-row.ts';

const inFolder = useTemporaryFolder('test');

describe.each(CONTROL_STORES)('$name', ({ useStores }) => {
  const { openControlStore, prepare, copy } = useStores();
  const inOwnFolder = useTemporaryFolder();

  const makeWithTwo = async (path: string) => {
    const store = await openControlStore(path);
    const tokens = [];
    for (const id of ['acme', 'globex']) {
      await store.createOrganisation({ id, name: `${id} é 漢` });
      await store.addGrant(id, wholeGrant('', '*'));
      await store.addGrant(id, {
        ...wholeGrant('', 'shop.*'),
        filters: [
          { fieldName: 'city', operator: 'in', value: '', values: ['Zürich', '漢字', 'S1'] },
        ],
      });
      await store.setLimits(id, { requestsPerSecond: 2.5, rowsPerDay: 10 });
      tokens.push(await store.createToken({ organisationId: id, name: 'x' }));
    }
    const [acme, globex] = tokens;
    if (acme === undefined || globex === undefined) throw new Error('There are two.');
    return { path, store, acme, globex };
  };

  let made: Omit<Awaited<ReturnType<typeof makeWithTwo>>, 'store'>;
  prepare(async () => {
    const { store, ...rest } = await makeWithTwo(inOwnFolder('whole.sqlite'));
    await store.close();
    made = rest;
  });
  /** For a test that changes nothing but its file. */
  const openWithTwo = async () => {
    const path = inFolder('control.sqlite');
    copy(made.path, path);
    return { ...made, path, store: await openControlStore(path) };
  };

  test.each<[RightsTableName, string, string | number]>([
    ['organisation', 'name', 'Acne'],
    ['organisation', 'created', 2 ** 60],
    ['organisation', 'rights_checksum', 7],
    ['organisation', 'checksum', 7],
    ['token', 'scopes', 'catalog,metrics,usage,admin'],
    ['token', 'organisation', 'globex'],
    ['token', 'expires', 2 ** 60],
    ['access_grant', 'pattern', '*'],
    ['access_grant', 'terms', '{}'],
    ['access_grant', 'organisation', 'globex'],
    ['access_grant', 'checksum', 0],
    ['organisation_limit', 'rows_per_day', 11],
    ['organisation_limit', 'requests_per_second', 2.25],
    ['organisation_limit', 'viewed_rows_per_day', 11],
  ])('a changed %s.%s is not served', async (table, column, value) => {
    const { path, store, acme, globex } = await openWithTwo();
    damageRow(path, { table, organisationId: 'acme', column, value });
    expect(() => store.findCaller(acme.tokenText)).toThrow(DAMAGED);
    const touchesBoth = table === 'access_grant' && column === 'organisation';
    if (touchesBoth) expect(() => store.findCaller(globex.tokenText)).toThrow(DAMAGED);
    else expect(rightsOf(store, globex.tokenText)).toBe(2);
    await store.close();
  });

  test.each([
    `access_grant WHERE organisation = 'acme' AND pattern = 'shop.*'`,
    `access_grant WHERE organisation = 'acme'`,
    `organisation_limit WHERE organisation = 'acme'`,
    `organisation WHERE id = 'acme'`,
  ])('a lost row is not served around: %s', async (condition) => {
    const { path, store, acme, globex } = await openWithTwo();
    removeRows(path, condition);
    expect(() => store.findCaller(acme.tokenText)).toThrow(DAMAGED);
    expect(rightsOf(store, globex.tokenText)).toBe(2);
    await store.close();
  });

  test('no change seals a damaged row', async () => {
    const { path, store, globex } = await makeWithTwo(inFolder('control.sqlite'));
    // Grants of one millisecond are listed in the order of their random ids.
    const grant = store
      .listGrants({ organisationId: 'acme' })
      .find((one) => one.grant.pattern !== 'shop.*');
    removeRows(path, `access_grant WHERE organisation = 'acme' AND pattern = 'shop.*'`);
    const grantId = grant?.grant.grantId ?? '';
    for (const change of [
      () => store.addGrant('acme', wholeGrant('', 'a.*')),
      () => store.removeGrant(grantId),
      () => store.replaceGrant(grantId, wholeGrant('', 'b.*')),
      () => store.setLimits('acme', { rowsPerDay: 1 }),
      () => store.listGrants({ organisationId: 'acme' }),
      () => store.listLimits({ organisationId: 'acme' }),
    ]) {
      await expect(async () => change()).rejects.toThrow(DAMAGED);
    }
    await store.addGrant('globex', wholeGrant('', 'a.*'));
    expect(rightsOf(store, globex.tokenText)).toBe(3);
    await store.close();
  });

  test('a change of any kind leaves rows that are whole', async () => {
    const { store, acme } = await makeWithTwo(inFolder('control.sqlite'));
    const [, grant] = store.listGrants({ organisationId: 'acme' });
    await store.replaceGrant(grant?.grant.grantId ?? '', wholeGrant('', 'b.*'));
    await store.addGrant('acme', wholeGrant('', 'c.*'));
    await store.removeGrant(grant?.grant.grantId ?? '');
    await store.setLimits('acme', { requestsPerSecond: 1e-7, burst: 3 });
    await store.suspendOrganisation('acme');
    await store.resumeOrganisation('acme');
    const { code } = await store.createSignInLink({ organisationId: 'acme' });
    const signedIn = await store.signIn(code);
    const rotated = await store.rotateToken(acme.tokenId, { overlapMs: 60_000 });
    for (const { tokenText } of [acme, rotated, signedIn])
      expect(rightsOf(store, tokenText)).toBe(2);
    await store.revokeToken(rotated.tokenId);
    expect(store.findCaller(rotated.tokenText)).toMatchObject({ refusal: 'revoked' });
    expect([store.listTokens().length, store.listGrants().length]).toEqual([4, 4]);
    await store.close();
  });

  test('a damaged sign-in link gives no token', async () => {
    const { path, store } = await makeWithTwo(inFolder('control.sqlite'));
    const { code } = await store.createSignInLink({ organisationId: 'acme' });
    const value = 'catalog,admin';
    damageRow(path, { table: 'sign_in_link', organisationId: 'acme', column: 'scopes', value });
    await expect(async () => store.signIn(code)).rejects.toThrow(DAMAGED);
    await store.close();
  });
});

const DAMAGED = expect.objectContaining({
  name: 'ControlError',
  message: expect.stringMatching(
    /^The row '.*' of the table \w+ in the control store is damaged: /,
  ),
});

/** The number of grants of an accepted token. */
function rightsOf(store: ControlStore, tokenText: string): number {
  const lookup = store.findCaller(tokenText);
  if (!lookup.isAccepted) throw new Error(lookup.refusal);
  return lookup.caller.rights.grants.length;
}
