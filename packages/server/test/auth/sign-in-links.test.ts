import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { CONTROL_SCHEMA } from '../../src/auth/control-schema.ts';
import { type ControlStore, openControlStore } from '../../src/auth/control-store.ts';
import { hashToken } from '../../src/auth/token-text.ts';
import { ControlError } from '../../src/domain/control-error.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();

const MINUTE_MS = 60_000;

function openWithAcme(clock = () => 0): { readonly path: string; readonly store: ControlStore } {
  const path = inFolder('control.sqlite');
  const store = openControlStore(path, { clock });
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  return { path, store };
}

/** The reason for which a code is refused. */
function refusalOf(store: ControlStore, code: string): string {
  try {
    store.signIn(code);
  } catch (error) {
    if (error instanceof ControlError) return error.toServiceError().reason;
    throw error;
  }
  throw new Error('The code was accepted.');
}

test('a code is exchanged once for a token with the organisation and the scopes of the link', () => {
  const { store } = openWithAcme(() => 1_000);
  const link = store.createSignInLink({ organisationId: 'acme', scopes: ['admin', 'catalog'] });
  expect(link).toEqual({
    linkId: expect.stringMatching(/^[0-9a-v]{12}$/),
    code: expect.stringMatching(/^[0-9A-Za-z]{30}$/),
    scopes: ['catalog', 'admin'],
    expires: 1_000 + 10 * MINUTE_MS,
  });
  const { tokenText, expires } = store.signIn(link.code);
  expect(expires).toBe(1_000 + 12 * 60 * MINUTE_MS);
  expect(store.findCaller(tokenText)).toMatchObject({
    caller: { organisationId: 'acme', scopes: ['catalog', 'admin'] },
  });
  expect(store.listTokens()).toMatchObject([{ name: 'explorer', expires }]);
  expect(refusalOf(store, link.code)).toBe('SIGN_IN_CODE_INVALID');
  expect(store.listTokens()).toHaveLength(1);
  store.close();
});

test('the token ends after 12 hours', () => {
  let now = 0;
  const { store } = openWithAcme(() => now);
  const { tokenText } = store.signIn(store.createSignInLink({ organisationId: 'acme' }).code);
  now = 12 * 60 * MINUTE_MS - 1;
  expect(store.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  now += 1;
  expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'expired' });
  store.close();
});

test.each([
  ['10 minutes', {}, 10 * MINUTE_MS],
  ['the chosen time', { expiresAfterMs: 60 * MINUTE_MS }, 60 * MINUTE_MS],
])('a code works until %s have passed', (_, lifetime, endMs) => {
  let now = 0;
  const { store } = openWithAcme(() => now);
  const [first, second] = [1, 2].map(() =>
    store.createSignInLink({ organisationId: 'acme', ...lifetime }),
  );
  now = endMs - 1;
  expect(store.signIn(first?.code ?? '').tokenText).toMatch(/^lm_/);
  now = endMs;
  expect(refusalOf(store, second?.code ?? '')).toBe('SIGN_IN_CODE_INVALID');
  store.close();
});

test('an unknown code is refused in the same words as a used one, without the code', () => {
  const { store } = openWithAcme();
  const { code } = store.createSignInLink({ organisationId: 'acme' });
  store.signIn(code);
  for (const refused of [code, '', 'x'.repeat(30), "' OR 1=1 --"]) {
    expect(() => store.signIn(refused)).toThrow(
      'The sign-in code is not accepted: it was used, has expired, or never existed.',
    );
  }
  store.close();
});

test('the files have only the hash of a code', async () => {
  const { path, store } = openWithAcme();
  const { code } = store.createSignInLink({ organisationId: 'acme' });
  const names = await readdir(dirname(path));
  const bytes = Buffer.concat(
    await Promise.all(names.map((name) => readFile(join(dirname(path), name)))),
  );
  expect(bytes.includes(code)).toBe(false);
  expect(bytes.includes(Buffer.from(hashToken(code)))).toBe(true);
  store.close();
});

test('the audit log has the link with its author, and the token with the link', () => {
  const { store } = openWithAcme();
  const by = { kind: 'command line', user: 'owner' } as const;
  const { linkId, code, expires } = store.createSignInLink({ organisationId: 'acme' }, by);
  const signedIn = store.signIn(code);
  const [token] = store.listTokens();
  const scopes = ['catalog', 'metrics', 'usage'];
  expect(store.listAudit({ limit: 2 })).toMatchObject([
    {
      actor: { kind: 'sign-in link', linkId },
      action: 'token.create',
      organisationId: 'acme',
      subject: token?.tokenId,
      details: { name: 'explorer', scopes, expires: signedIn.expires },
    },
    {
      actor: by,
      action: 'sign_in_link.create',
      organisationId: 'acme',
      subject: linkId,
      details: { scopes, expires },
    },
  ]);
  expect(JSON.stringify(store.listAudit({ limit: 10 }))).not.toContain(code);
  store.close();
});

test('a link for an unknown organisation or scope is refused, and nothing is written', () => {
  const { store } = openWithAcme();
  const entries = () => store.listAudit({ limit: 10 }).length;
  const before = entries();
  expect(() => store.createSignInLink({ organisationId: 'acne' })).toThrow(
    "Unknown organisation 'acne'.",
  );
  expect(() => store.createSignInLink({ organisationId: 'acme', scopes: ['amin'] })).toThrow(
    "There is no scope 'amin'.",
  );
  expect(entries()).toBe(before);
  store.close();
});

test('expired links are removed, and of unused ones the newest hundred are kept', () => {
  let now = 0;
  const { path, store } = openWithAcme(() => now);
  const count = (): number => {
    const database = new DatabaseSync(path);
    const rows = database.prepare('SELECT id FROM sign_in_link').all();
    database.close();
    return rows.length;
  };
  const make = () => store.createSignInLink({ organisationId: 'acme' }).code;
  const codes = Array.from({ length: 101 }, make);
  expect(count()).toBe(100);
  expect(refusalOf(store, codes[0] ?? '')).toBe('SIGN_IN_CODE_INVALID');
  expect(store.signIn(codes[1] ?? '').tokenText).toMatch(/^lm_/);
  now = 10 * MINUTE_MS;
  make();
  expect(count()).toBe(1);
  store.close();
});

test('a control store of the release before has no links, and can make one', () => {
  const path = inFolder('control.sqlite');
  const before = new DatabaseSync(path);
  for (const migration of CONTROL_SCHEMA.migrations.slice(0, VERSION_BEFORE)) {
    before.exec(migration);
  }
  before.exec(`PRAGMA application_id = ${CONTROL_SCHEMA.applicationId}`);
  before.exec(`PRAGMA user_version = ${VERSION_BEFORE}`);
  before.exec("INSERT INTO organisation (id, name, created) VALUES ('acme', 'Acme', 1)");
  before.close();
  const store = openControlStore(path);
  const { tokenText } = store.signIn(store.createSignInLink({ organisationId: 'acme' }).code);
  expect(store.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  store.close();
});

/** The schema before there were sign-in links. */
const VERSION_BEFORE = 5;
