import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type ControlStore, openControlStore } from '../../src/auth/control-store.ts';
import { createTokenText } from '../../src/auth/token-text.ts';
import { type GrantTerms, wholeGrant } from '../../src/domain/grant.ts';
import type { Rights } from '../../src/domain/rights.ts';
import { runSecondProcess } from './run-second-process.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-01-02T12:00:00Z');

test('a new organisation may see nothing, and is not limited', () => {
  const { rights, store } = openWithAcme();
  expect(rights()).toEqual({ grants: [], limits: {}, fingerprint: expect.any(String) });
  store.close();
});

test('equal rights are one object, for all tokens of the organisation', () => {
  const { rights, store } = openWithAcme();
  store.addGrant('acme', wholeGrant('', 'a.*'));
  const first = rights();
  expect(first.grants.map(({ pattern }) => pattern)).toEqual(['a.*']);
  store.createOrganisation({ id: 'other', name: 'Other' });
  store.addGrant('other', wholeGrant('', '*'));
  const other = store.createToken({ organisationId: 'acme', name: 'other' });
  expect(rights()).toBe(first);
  expect(rights(other.tokenText)).toBe(first);
  store.close();
});

test('an added or removed grant and a new limit apply to the next request', () => {
  const { rights, store } = openWithAcme();
  const before = rights();
  const { grant } = store.addGrant('acme', wholeGrant('', 'a.*'));
  const granted = rights();
  expect(granted.grants).toEqual([grant]);
  expect(granted.fingerprint).not.toBe(before.fingerprint);
  store.setLimits('acme', { rowsPerDay: 7 });
  const limited = rights();
  expect(limited.limits).toEqual({ rowsPerDay: 7 });
  expect(limited.fingerprint).toBe(granted.fingerprint);
  store.removeGrant(grant.grantId);
  expect(rights().grants).toEqual([]);
  expect(rights().fingerprint).toBe(before.fingerprint);
  store.close();
});

test('a change by another process applies to the next request', async () => {
  const { rights, store, path } = openWithAcme();
  rights();
  await runSecondProcess(path, 'addGrant', 'acme');
  expect(rights().grants.map(({ pattern }) => pattern)).toEqual(['from.elsewhere']);
  await runSecondProcess(path, 'setLimits', 'acme');
  expect(rights().limits).toEqual({ rowsPerDay: 3 });
  store.close();
});

test('a grant starts and ends with its days, without a change of the store', () => {
  const { rights, store, setTime } = openWithAcme();
  const starts = NOW + DAY_MS;
  const ends = starts + DAY_MS;
  store.addGrant('acme', { ...wholeGrant('', 'a.*'), starts, ends });
  store.addGrant('acme', { ...wholeGrant('', 'a.b'), ends: NOW + 10 });
  const patterns = () => rights().grants.map(({ pattern }) => pattern);
  expect(patterns()).toEqual(['a.b']);
  setTime(NOW + 9);
  expect(patterns()).toEqual(['a.b']);
  setTime(NOW + 10);
  expect(patterns()).toEqual([]);
  setTime(starts - 1);
  expect(patterns()).toEqual([]);
  setTime(starts);
  const begun = rights();
  expect(begun.grants).toHaveLength(1);
  setTime(ends - 1);
  expect(rights()).toBe(begun);
  setTime(ends);
  expect(patterns()).toEqual([]);
  store.close();
});

test('a grant is read back as it was added', () => {
  const { rights, store } = openWithAcme();
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
  const { grant, organisationId, created } = store.addGrant('acme', terms);
  expect([organisationId, created]).toEqual(['acme', NOW]);
  expect(rights().grants).toEqual([{ ...terms, grantId: grant.grantId }]);
  expect(store.listGrants()).toEqual([{ grant, organisationId, created }]);
  store.close();
});

test('two grants of one pattern may follow each other, but not overlap', () => {
  const { store, setTime } = openWithAcme();
  const ends = NOW + DAY_MS;
  const first = store.addGrant('acme', { ...wholeGrant('', 'a.*'), ends });
  const refusal = `The organisation has a grant of 'a.*' for some of these days already: ${first.grant.grantId}.`;
  expect(() => store.addGrant('acme', wholeGrant('', 'a.*'))).toThrow(refusal);
  const last = { ...wholeGrant('', 'a.*'), starts: ends - 1 };
  expect(() => store.addGrant('acme', last)).toThrow(refusal);
  store.addGrant('acme', { ...wholeGrant('', 'a.*'), starts: ends, ends: ends + 1 });
  store.createOrganisation({ id: 'other', name: 'Other' });
  store.addGrant('other', wholeGrant('', 'a.*'));
  setTime(ends + 1);
  // The earlier grants have ended, so they do not count.
  store.addGrant('acme', wholeGrant('', 'a.*'));
  expect(store.listGrants({ organisationId: 'acme' })).toHaveLength(3);
  store.close();
});

test('a grant that is too large is refused', () => {
  const { store } = openWithAcme();
  const features = Array.from({ length: 30_000 }, (_, index) => `feature-${index}`);
  const { lens, ...whole } = wholeGrant('', 'a/b');
  expect(() => store.addGrant('acme', { ...whole, lens: { ...lens, features } })).toThrow(
    'The grant takes more than 256 KiB.',
  );
  store.close();
});

test('an unknown grant is refused with the nearest id', () => {
  const { store } = openWithAcme();
  const { grantId } = store.addGrant('acme', wholeGrant('', 'a.*')).grant;
  expect(() => store.removeGrant(`${grantId}0`)).toThrow(
    expect.objectContaining({ hint: `Did you mean '${grantId}'?` }),
  );
  store.close();
});

test('unnamed limits stay, 0 removes a limit, and a burst is removed with its rate', () => {
  const { store } = openWithAcme();
  store.setLimits('acme', { requestsPerSecond: 1.5, burst: 2, rowsPerMonth: 3 });
  expect(store.setLimits('acme', { rowsPerDay: 4 }).limits).toEqual({
    requestsPerSecond: 1.5,
    burst: 2,
    rowsPerDay: 4,
    rowsPerMonth: 3,
  });
  expect(store.setLimits('acme', { requestsPerSecond: 0, rowsPerMonth: 0 }).limits).toEqual({
    rowsPerDay: 4,
  });
  expect(() => store.setLimits('acme', { burst: 1 })).toThrow('and there is none.');
  expect(store.listLimits()).toEqual([{ organisationId: 'acme', limits: { rowsPerDay: 4 } }]);
  store.setLimits('acme', { rowsPerDay: 0 });
  expect(store.listLimits()).toEqual([]);
  store.close();
});

test('a successor has the scopes and the time of the token it replaces', () => {
  const { store, setTime } = openWithAcme();
  const scopes = ['usage', 'operate'] as const;
  const old = store.createToken({
    organisationId: 'acme',
    name: 'old',
    scopes,
    expiresAfterMs: 10 * DAY_MS,
  });
  setTime(NOW + DAY_MS);
  const overlapMs = DAY_MS;
  const rotated = store.rotateToken(old.tokenId, { overlapMs });
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
  store.close();
});

test('an overlap does not extend the life of a token', () => {
  const { store } = openWithAcme();
  const old = store.createToken({ organisationId: 'acme', name: 'x', expiresAfterMs: 1_000 });
  const { replaced } = store.rotateToken(old.tokenId, { overlapMs: DAY_MS });
  expect(replaced.expires).toBe(NOW + 1_000);
  store.close();
});

test('a token that is revoked, expired or replaced has no successor', () => {
  const { store, setTime } = openWithAcme();
  const create = (name: string, more = {}) =>
    store.createToken({ organisationId: 'acme', name, ...more }).tokenId;
  const rotate = (tokenId: string) => store.rotateToken(tokenId, { overlapMs: DAY_MS });
  const revoked = create('revoked');
  store.revokeToken(revoked);
  const replaced = create('replaced');
  const { tokenId } = rotate(replaced);
  const expired = create('expired', { expiresAfterMs: 1_000 });
  setTime(NOW + 1_000);
  expect(() => rotate(revoked)).toThrow(`The token ${revoked} is revoked.`);
  expect(() => rotate(expired)).toThrow(`The token ${expired} has expired.`);
  expect(() => rotate(replaced)).toThrow(`The token ${replaced} was replaced by ${tokenId}.`);
  expect(store.listTokens()).toHaveLength(4);
  store.close();
});

test('100,000 random tokens are all refused as unknown', {
  tags: 'slow',
  timeout: 120_000,
}, () => {
  const { store } = openWithAcme();
  const refusals = new Set<string>();
  for (let count = 0; count < 100_000; count += 1) {
    refusals.add(JSON.stringify(store.findCaller(createTokenText())));
  }
  expect([...refusals]).toEqual(['{"isAccepted":false,"refusal":"unknown"}']);
  store.close();
});

test.each([
  "UPDATE audit SET actor = '{}'",
  'DELETE FROM audit',
  "INSERT OR REPLACE INTO audit SELECT id, 0, '{}', '', '', '', '{}' FROM audit",
  "REPLACE INTO audit (id, time, actor, action, organisation, subject, details) VALUES (1, 0, '{}', '', '', '', '{}')",
])('the audit log refuses: %s', (statement) => {
  const { store, path } = openWithAcme();
  const before = store.listAudit({ limit: 10 });
  const file = new DatabaseSync(path);
  expect(() => file.exec(statement)).toThrow('The audit log is only appended to.');
  file.close();
  expect(store.listAudit({ limit: 10 })).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
  store.close();
});

test('every change is logged with its author; a change that fails or changes nothing is not logged', () => {
  const { store } = openWithAcme();
  const by = { kind: 'token', tokenId: 't', organisationId: 'boss' } as const;
  const { tokenId } = store.createToken({ organisationId: 'acme', name: 'x' }, by);
  store.revokeToken(tokenId, by);
  store.revokeToken(tokenId, by);
  expect(() => store.createToken({ organisationId: 'acme', name: '' }, by)).toThrow();
  expect(() => store.createOrganisation({ id: 'acme', name: 'Acme' }, by)).toThrow();
  const { grant } = store.addGrant('acme', wholeGrant('', 'a.*'), by);
  expect(() => store.addGrant('acme', wholeGrant('', 'a.*'), by)).toThrow();
  store.removeGrant(grant.grantId, by);
  store.setLimits('acme', { rowsPerDay: 5 }, by);
  const entries = store.listAudit({ limit: 100 }).filter(({ actor }) => actor.kind === 'token');
  expect(entries.every(({ actor }) => actor === by || 'tokenId' in actor)).toBe(true);
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
    ['limits.set', 'acme'],
    ['grant.remove', grant.grantId],
    ['grant.add', grant.grantId],
    ['token.revoke', tokenId],
    ['token.create', tokenId],
  ]);
  store.close();
});

test('a control store of the first release still works: its organisations are granted everything, its tokens stay valid', () => {
  const path = inFolder('control.sqlite');
  const old = new DatabaseSync(path);
  old.exec(FIRST_SCHEMA);
  old.exec('PRAGMA application_id = 1819108211');
  old.exec('PRAGMA user_version = 1');
  old.close();
  const store = openControlStore(path, { clock: () => NOW });
  const before = store.listGrants();
  expect(before.map(({ grant, organisationId }) => [organisationId, grant])).toEqual([
    ['acme', wholeGrant(expect.stringMatching(/^[0-9a-v]{12}$/), '*')],
    ['globex', wholeGrant(expect.stringMatching(/^[0-9a-v]{12}$/), '*')],
  ]);
  expect(store.listTokens()).toMatchObject([{ scopes: ['catalog', 'metrics', 'usage'] }]);
  expect(store.listAudit({ limit: 9 })).toMatchObject([
    { action: 'grant.add', organisationId: 'globex', actor: { kind: 'upgrade' } },
    { action: 'grant.add', organisationId: 'acme', actor: { kind: 'upgrade' } },
  ]);
  store.createOrganisation({ id: 'new', name: 'New' });
  expect(store.listGrants({ organisationId: 'new' })).toEqual([]);
  store.close();
  const again = openControlStore(path);
  expect(again.listGrants()).toEqual(before);
  again.close();
});

/** The schema of the first release. */
const FIRST_SCHEMA = `
  CREATE TABLE organisation (
    id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, created INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE token (
    id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL REFERENCES organisation (id),
    name TEXT NOT NULL, hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    created INTEGER NOT NULL, expires INTEGER, last_used INTEGER, revoked INTEGER
  ) STRICT;
  CREATE TABLE secret (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT;
  INSERT INTO organisation VALUES ('globex', 'Globex', 2), ('acme', 'Acme', 1);
  INSERT INTO token VALUES ('0123456789ab', 'acme', 'x', zeroblob(32), 3, NULL, NULL, NULL);`;

function openWithAcme(): {
  readonly store: ControlStore;
  readonly path: string;
  readonly setTime: (time: number) => void;
  /** The current rights of the organisation. */
  readonly rights: (tokenText?: string) => Rights;
} {
  let now = NOW;
  const path = inFolder('control.sqlite');
  const store = openControlStore(path, { clock: () => now });
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  let own: string | undefined;
  return {
    store,
    path,
    setTime: (time) => {
      now = time;
    },
    rights: (tokenText) => {
      own ??= store.createToken({ organisationId: 'acme', name: 'own' }).tokenText;
      const lookup = store.findCaller(tokenText ?? own);
      if (!lookup.isAccepted) throw new Error('The token is refused.');
      return lookup.caller.rights;
    },
  };
}
