import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { CONTROL_SCHEMA } from '../../src/auth/control-schema.ts';
import { openControlStore } from '../../src/auth/control-store.ts';
import { createTokenText, hashToken } from '../../src/auth/token-text.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();

test('an organisation gets the id it is given', () => {
  const store = openStore();
  const created = store.createOrganisation({ id: 'Acme-Retail_1.eu', name: ' Acme Retail ' });
  expect(created).toEqual({
    id: 'Acme-Retail_1.eu',
    name: 'Acme Retail',
    created: 1_000,
    suspended: undefined,
  });
  expect(store.listOrganisations()).toEqual([created]);
  store.close();
});

test('an organisation without an id gets one in the form of the hosted service', () => {
  const store = openStore();
  const { id } = store.createOrganisation({ name: 'Acme' });
  expect(id).toMatch(/^[0-9a-v]{20}$/);
  expect(store.createOrganisation({ name: 'Acme' }).id).not.toBe(id);
  store.close();
});

test('organisations are listed by age', () => {
  let now = 3;
  const store = openControlStore(inFolder('control.sqlite'), { clock: () => now-- });
  for (const id of ['third', 'second', 'first']) store.createOrganisation({ id, name: id });
  expect(store.listOrganisations().map(({ id }) => id)).toEqual(['first', 'second', 'third']);
  store.close();
});

test('an organisation is suspended and resumed; again changes and logs nothing', () => {
  let now = 1_000;
  const store = openControlStore(inFolder('control.sqlite'), { clock: () => now });
  const created = store.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenId } = store.createToken({ organisationId: 'acme', name: 'x' });
  const by = { kind: 'token', tokenId: 't', organisationId: 'boss' } as const;
  const changes = [2_000, 3_000].map((time) => {
    now = time;
    return store.suspendOrganisation('acme', by);
  });
  const suspended = { ...created, suspended: 2_000 };
  expect(changes).toEqual([
    { ...suspended, hasChanged: true },
    { ...suspended, hasChanged: false },
  ]);
  expect(store.listOrganisations()).toEqual([suspended]);
  expect(store.listTokens()).toMatchObject([{ tokenId, state: 'active' }]);
  expect(store.resumeOrganisation('acme', by)).toEqual({ ...created, hasChanged: true });
  expect(store.resumeOrganisation('acme', by)).toEqual({ ...created, hasChanged: false });
  expect(store.listAudit({ limit: 2 })).toMatchObject([
    {
      action: 'organisation.resume',
      time: 3_000,
      actor: by,
      details: { name: 'Acme', suspended: 2_000 },
    },
    { action: 'organisation.suspend', time: 2_000, actor: by, details: { name: 'Acme' } },
  ]);
  store.close();
});

test('a token that is created while its organisation is suspended works once it is resumed', () => {
  const store = openStore();
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  store.suspendOrganisation('acme');
  const { tokenText } = store.createToken({ organisationId: 'acme', name: 'x' });
  expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'suspended' });
  store.resumeOrganisation('acme');
  expect(store.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  store.close();
});

test('a control store of the release before has no suspended organisation, and can suspend one', () => {
  const path = inFolder('control.sqlite');
  const before = new DatabaseSync(path);
  const migrations = CONTROL_SCHEMA.migrations.slice(0, VERSION_BEFORE);
  for (const migration of migrations) before.exec(migration);
  before.exec(`PRAGMA application_id = ${CONTROL_SCHEMA.applicationId}`);
  before.exec(`PRAGMA user_version = ${VERSION_BEFORE}`);
  const tokenText = createTokenText();
  before.exec("INSERT INTO organisation (id, name, created) VALUES ('acme', 'Acme', 1)");
  before
    .prepare(
      "INSERT INTO token (id, organisation, name, hash, created) VALUES ('t', 'acme', '', ?, 1)",
    )
    .run(hashToken(tokenText));
  before.close();
  const store = openControlStore(path);
  expect(store.listOrganisations()).toEqual([
    { id: 'acme', name: 'Acme', created: 1, suspended: undefined },
  ]);
  expect(store.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  store.suspendOrganisation('acme');
  expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'suspended' });
  store.close();
});

/** The schema before organisations could be suspended. */
const VERSION_BEFORE = 4;

test('an id that exists is refused and changes nothing', () => {
  const store = openStore();
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  expect(() => store.createOrganisation({ id: 'acme', name: 'Other' })).toThrow(
    "An organisation with the id 'acme' already exists.",
  );
  expect(store.listOrganisations().map(({ name }) => name)).toEqual(['Acme']);
  store.close();
});

test.each(['', '-acme', '.acme', 'a b', 'acmé', 'a/b', 'acme\n', 'a'.repeat(65)])(
  'the id %j is refused',
  (id) => {
    const store = openStore();
    expect(() => store.createOrganisation({ id, name: 'Acme' })).toThrow(
      'cannot be the id of an organisation.',
    );
    expect(store.listOrganisations()).toEqual([]);
    store.close();
  },
);

test.each(['a', '7', 'a'.repeat(64)])('the id %j is accepted', (id) => {
  const store = openStore();
  expect(store.createOrganisation({ id, name: 'Acme' }).id).toBe(id);
  store.close();
});

test.each([
  ['', 'is blank.'],
  [' \t\n', 'is blank.'],
  ['a'.repeat(201), 'has 201 characters.'],
  ['two\nlines', 'has a character that cannot be printed'],
  ['half a pair \ud800', 'has a character that cannot be printed'],
])('the name %j is refused', (name, reason) => {
  const store = openStore();
  expect(() => store.createOrganisation({ name })).toThrow(reason);
  store.close();
});

test.each(['a'.repeat(200), "Müller & Söhne's; --", '株式会社', '👩‍🔧 Repairs'])(
  'the name %j is kept as it is',
  (name) => {
    const store = openStore();
    store.createOrganisation({ name });
    expect(store.listOrganisations().map((organisation) => organisation.name)).toEqual([name]);
    store.close();
  },
);

function openStore() {
  return openControlStore(inFolder('control.sqlite'), { clock: () => 1_000 });
}
