import { findGrant, type GrantTerms, wholeGrant } from '@locmetrics/core/domain/grant';
import type { Rights } from '@locmetrics/core/domain/rights';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import { createTokenText } from '@locmetrics/server/auth/token-text';
import { describe, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { CONTROL_STORES } from './control-stores.ts';

describe.each(CONTROL_STORES)('$name', ({ useStores }) => {
  const inFolder = useTemporaryFolder('test');
  const { openControlStore, runSecondProcess } = useStores();

  const DAY_MS = 86_400_000;
  const NOW = Date.parse('2026-01-02T12:00:00Z');

  test('a new organisation may see nothing, and is not limited', async () => {
    const { rights, store } = await openWithAcme();
    expect(await rights()).toEqual({ grants: [], limits: {}, fingerprint: expect.any(String) });
    await store.close();
  });

  test('equal rights are one object, for all tokens of the organisation', async () => {
    const { rights, store } = await openWithAcme();
    await store.addGrant('acme', wholeGrant('', 'a.*'));
    const first = await rights();
    expect(first.grants.map(({ pattern }) => pattern)).toEqual(['a.*']);
    await store.createOrganisation({ id: 'other', name: 'Other' });
    await store.addGrant('other', wholeGrant('', '*'));
    const other = await store.createToken({ organisationId: 'acme', name: 'other' });
    expect(await rights()).toBe(first);
    expect(await rights(other.tokenText)).toBe(first);
    await store.close();
  });

  test('an added or removed grant and a new limit apply to the next request', async () => {
    const { rights, store } = await openWithAcme();
    const before = await rights();
    const { grant } = await store.addGrant('acme', wholeGrant('', 'a.*'));
    const granted = await rights();
    expect(granted.grants).toEqual([grant]);
    expect(granted.fingerprint).not.toBe(before.fingerprint);
    await store.setLimits('acme', { rowsPerDay: 7 });
    const limited = await rights();
    expect(limited.limits).toEqual({ rowsPerDay: 7 });
    expect(limited.fingerprint).toBe(granted.fingerprint);
    await store.removeGrant(grant.grantId);
    expect((await rights()).grants).toEqual([]);
    expect((await rights()).fingerprint).toBe(before.fingerprint);
    await store.close();
  });

  test('a change by another process applies to the next request', async () => {
    const { rights, store, path } = await openWithAcme();
    await rights();
    await runSecondProcess(path, 'addGrant', 'acme');
    expect((await rights()).grants.map(({ pattern }) => pattern)).toEqual(['from.elsewhere']);
    await runSecondProcess(path, 'setLimits', 'acme');
    expect((await rights()).limits).toEqual({ rowsPerDay: 3 });
    await store.close();
  });

  test('a grant starts and ends with its days, without a change of the store', async () => {
    const { rights, store, setTime } = await openWithAcme();
    const starts = NOW + DAY_MS;
    const ends = starts + DAY_MS;
    await store.addGrant('acme', { ...wholeGrant('', 'a.*'), starts, ends });
    await store.addGrant('acme', { ...wholeGrant('', 'a.b'), ends: NOW + 10 });
    const patterns = async () => (await rights()).grants.map(({ pattern }) => pattern);
    expect(await patterns()).toEqual(['a.b']);
    setTime(NOW + 9);
    expect(await patterns()).toEqual(['a.b']);
    setTime(NOW + 10);
    expect(await patterns()).toEqual([]);
    setTime(starts - 1);
    expect(await patterns()).toEqual([]);
    setTime(starts);
    const begun = await rights();
    expect(begun.grants).toHaveLength(1);
    setTime(ends - 1);
    expect(await rights()).toBe(begun);
    setTime(ends);
    expect(await patterns()).toEqual([]);
    await store.close();
  });

  test('a grant is read back as it was added', async () => {
    const { rights, store } = await openWithAcme();
    const terms: GrantTerms = {
      pattern: 'a/b',
      filters: [{ fieldName: 'open', operator: '==', value: true, values: [] }],
      fields: ['visits', 'city'],
      lens: {
        period: { start: '2024-01-01' },
        dimensions: [{ dimensionId: 'age', values: ['1'] }],
        addressComponents: [{ component: 'city', values: ['Bern', 'Zürich'] }],
        features: ['f'],
        relatedAddressComponents: [{ component: 'city', values: ['Genf'] }],
        relatedFeatures: ['g'],
      },
      starts: NOW - 5,
      ends: NOW + DAY_MS,
      showsSmallCells: true,
      liftsDefaultFilters: true,
    };
    const { grant, organisationId, created } = await store.addGrant('acme', terms);
    expect([organisationId, created]).toEqual(['acme', NOW]);
    expect((await rights()).grants).toEqual([{ ...terms, grantId: grant.grantId }]);
    expect(store.listGrants()).toEqual([{ grant, organisationId, created }]);
    await store.close();
  });

  test('two grants of one pattern may follow each other, but not overlap', async () => {
    const { store, setTime } = await openWithAcme();
    const ends = NOW + DAY_MS;
    const first = await store.addGrant('acme', { ...wholeGrant('', 'a.*'), ends });
    const refusal = `The organisation already has a grant of 'a.*' for some of these days: ${first.grant.grantId}.`;
    await expect(async () => store.addGrant('acme', wholeGrant('', 'a.*'))).rejects.toThrow(
      refusal,
    );
    const last = { ...wholeGrant('', 'a.*'), starts: ends - 1 };
    await expect(async () => store.addGrant('acme', last)).rejects.toThrow(refusal);
    await store.addGrant('acme', { ...wholeGrant('', 'a.*'), starts: ends, ends: ends + 1 });
    await store.createOrganisation({ id: 'other', name: 'Other' });
    await store.addGrant('other', wholeGrant('', 'a.*'));
    setTime(ends + 1);
    // The earlier grants have ended, so they do not count.
    await store.addGrant('acme', wholeGrant('', 'a.*'));
    expect(store.listGrants({ organisationId: 'acme' })).toHaveLength(3);
    await store.close();
  });

  test('a grant that is too large is refused', async () => {
    const { store } = await openWithAcme();
    const features = Array.from({ length: 30_000 }, (_, index) => `feature-${index}`);
    const { lens, ...whole } = wholeGrant('', 'a/b');
    await expect(async () =>
      store.addGrant('acme', { ...whole, lens: { ...lens, features } }),
    ).rejects.toThrow('The grant takes more than 256 KiB.');
    await store.close();
  });

  test('an unknown grant is refused, and no other grant is suggested', async () => {
    const { store } = await openWithAcme();
    const { grantId } = (await store.addGrant('acme', wholeGrant('', 'a.*'))).grant;
    await expect(async () => store.removeGrant(`${grantId}0`)).rejects.toThrow(
      expect.objectContaining({ hint: 'List the grants to see their ids.' }),
    );
    await store.close();
  });

  test('unnamed limits stay, 0 removes a limit, and a burst is removed with its rate', async () => {
    const { store } = await openWithAcme();
    await store.setLimits('acme', { requestsPerSecond: 1.5, burst: 2, rowsPerMonth: 3 });
    expect((await store.setLimits('acme', { rowsPerDay: 4 })).limits).toEqual({
      requestsPerSecond: 1.5,
      burst: 2,
      rowsPerDay: 4,
      rowsPerMonth: 3,
    });
    expect(
      (await store.setLimits('acme', { requestsPerSecond: 0, rowsPerMonth: 0 })).limits,
    ).toEqual({
      rowsPerDay: 4,
    });
    await expect(async () => store.setLimits('acme', { burst: 1 })).rejects.toThrow(
      'and there is none.',
    );
    expect(store.listLimits()).toEqual([{ organisationId: 'acme', limits: { rowsPerDay: 4 } }]);
    await store.setLimits('acme', { rowsPerDay: 0 });
    expect(store.listLimits()).toEqual([]);
    await store.close();
  });

  test('a successor has the scopes and the time of the token it replaces', async () => {
    const { store, setTime } = await openWithAcme();
    const scopes = ['usage', 'operate'] as const;
    const old = await store.createToken({
      organisationId: 'acme',
      name: 'old',
      scopes,
      expiresAfterMs: 10 * DAY_MS,
    });
    setTime(NOW + DAY_MS);
    const overlapMs = DAY_MS;
    const rotated = await store.rotateToken(old.tokenId, { overlapMs });
    expect(rotated).toMatchObject({
      organisationId: 'acme',
      name: 'old',
      scopes,
      expires: NOW + 11 * DAY_MS,
      replaced: { tokenId: old.tokenId, expires: NOW + 2 * DAY_MS },
    });
    setTime(NOW + 2 * DAY_MS - 1);
    expect(store.findCaller(old.tokenText)).toMatchObject({ caller: { scopes } });
    expect(store.findCaller(rotated.tokenText)).toMatchObject({ caller: { scopes } });
    setTime(NOW + 2 * DAY_MS);
    expect(store.findCaller(old.tokenText)).toMatchObject({ refusal: 'expired' });
    expect(store.findCaller(rotated.tokenText).isAccepted).toBe(true);
    await store.close();
  });

  test('an overlap does not extend the life of a token', async () => {
    const { store } = await openWithAcme();
    const old = await store.createToken({
      organisationId: 'acme',
      name: 'x',
      expiresAfterMs: 1_000,
    });
    const { replaced } = await store.rotateToken(old.tokenId, { overlapMs: DAY_MS });
    expect(replaced.expires).toBe(NOW + 1_000);
    await store.close();
  });

  test('a token that is revoked, expired or replaced has no successor', async () => {
    const { store, setTime } = await openWithAcme();
    const create = async (name: string, more = {}) =>
      (await store.createToken({ organisationId: 'acme', name, ...more })).tokenId;
    const rotate = async (tokenId: string) => store.rotateToken(tokenId, { overlapMs: DAY_MS });
    const revoked = await create('revoked');
    await store.revokeToken(revoked);
    const replaced = await create('replaced');
    const { tokenId } = await rotate(replaced);
    const expired = await create('expired', { expiresAfterMs: 1_000 });
    setTime(NOW + 1_000);
    await expect(async () => rotate(revoked)).rejects.toThrow(`The token ${revoked} is revoked.`);
    await expect(async () => rotate(expired)).rejects.toThrow(`The token ${expired} has expired.`);
    await expect(async () => rotate(replaced)).rejects.toThrow(
      `The token ${replaced} was replaced by ${tokenId}.`,
    );
    expect(store.listTokens()).toHaveLength(4);
    await store.close();
  });

  test('100,000 random tokens are all refused as unknown', {
    tags: 'slow',
  }, async () => {
    const { store } = await openWithAcme();
    const refusals = new Set<string>();
    for (let count = 0; count < 100_000; count += 1) {
      refusals.add(JSON.stringify(store.findCaller(createTokenText())));
    }
    expect([...refusals]).toEqual(['{"isAccepted":false,"refusal":"unknown"}']);
    await store.close();
  });

  test('the terms of a grant are replaced in one step, with one entry of the log', async () => {
    const { store, rights } = await openWithAcme();
    const { grant } = await store.addGrant('acme', wholeGrant('', 'a.b'));
    await store.addGrant('acme', wholeGrant('', 'c.d'));
    const { grantId } = grant;
    const narrow = { ...wholeGrant('', 'a.b'), fields: ['x'] };
    expect(findGrant((await rights()).grants, 'a.b')?.fields).toBeUndefined();
    const replaced = await store.replaceGrant(grantId, narrow);
    expect(replaced).toEqual({
      organisationId: 'acme',
      created: NOW,
      grant: { ...narrow, grantId },
      before: { ...wholeGrant(grantId, 'a.b') },
    });
    expect(findGrant((await rights()).grants, 'a.b')?.fields).toEqual(['x']);
    const [entry] = store.listAudit({ limit: 1 });
    expect(entry).toMatchObject({
      action: 'grant.replace',
      organisationId: 'acme',
      subject: grantId,
      details: { pattern: 'a.b', fields: ['x'], before: { pattern: 'a.b', filters: [] } },
    });
    const count = store.listAudit({ limit: 100 }).length;
    await expect(async () => store.replaceGrant(grantId, wholeGrant('', 'c.d'))).rejects.toThrow(
      "has a grant of 'c.d' for some of these days",
    );
    await expect(async () => store.replaceGrant('nothing', narrow)).rejects.toThrow(
      "Unknown grant 'nothing'.",
    );
    await expect(async () => store.replaceGrant(grantId, wholeGrant('', 'a'))).rejects.toThrow(
      'is not a pattern',
    );
    expect(store.listAudit({ limit: 100 })).toHaveLength(count);
    expect(findGrant((await rights()).grants, 'a.b')?.fields).toEqual(['x']);
    await store.close();
  });

  test('every change is logged with its author; a change that fails or changes nothing is not logged', async () => {
    const { store } = await openWithAcme();
    const by = { kind: 'token', tokenId: 't', organisationId: 'boss' } as const;
    const { tokenId } = await store.createToken({ organisationId: 'acme', name: 'x' }, by);
    await store.revokeToken(tokenId, by);
    await store.revokeToken(tokenId, by);
    await expect(async () =>
      store.createToken({ organisationId: 'acme', name: '' }, by),
    ).rejects.toThrow();
    await expect(async () =>
      store.createOrganisation({ id: 'acme', name: 'Acme' }, by),
    ).rejects.toThrow();
    const { grant } = await store.addGrant('acme', wholeGrant('', 'a.*'), by);
    await expect(async () => store.addGrant('acme', wholeGrant('', 'a.*'), by)).rejects.toThrow();
    await store.replaceGrant(grant.grantId, wholeGrant('', 'b.*'), by);
    await store.removeGrant(grant.grantId, by);
    await store.setLimits('acme', { rowsPerDay: 5 }, by);
    const entries = store.listAudit({ limit: 100 }).filter(({ actor }) => actor.kind === 'token');
    expect(entries.every(({ actor }) => actor === by || 'tokenId' in actor)).toBe(true);
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['limits.set', 'acme'],
      ['grant.remove', grant.grantId],
      ['grant.replace', grant.grantId],
      ['grant.add', grant.grantId],
      ['token.revoke', tokenId],
      ['token.create', tokenId],
    ]);
    await store.close();
  });

  async function openWithAcme(): Promise<{
    readonly store: ControlStore;
    readonly path: string;
    readonly setTime: (time: number) => void;
    /** The current rights of the organisation. */
    readonly rights: (tokenText?: string) => Promise<Rights>;
  }> {
    let now = NOW;
    const path = inFolder('control.sqlite');
    const store = await openControlStore(path, { clock: () => now });
    await store.createOrganisation({ id: 'acme', name: 'Acme' });
    let own: string | undefined;
    return {
      store,
      path,
      setTime: (time) => {
        now = time;
      },
      rights: async (tokenText) => {
        own ??= (await store.createToken({ organisationId: 'acme', name: 'own' })).tokenText;
        const lookup = store.findCaller(tokenText ?? own);
        if (!lookup.isAccepted) throw new Error('The token is refused.');
        return lookup.caller.rights;
      },
    };
  }
});
