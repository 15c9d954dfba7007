import { DatabaseSync } from 'node:sqlite';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { CONTROL_SCHEMA } from '@locmetrics/server/auth/control-schema';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { createTokenText, hashToken } from '@locmetrics/server/auth/token-text';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder('test');

const NOW = Date.parse('2026-01-02T12:00:00Z');

test('a control store of the release before has no suspended organisation, and can suspend one', async () => {
  const path = inFolder('control.sqlite');
  const before = new DatabaseSync(path);
  const migrations = CONTROL_SCHEMA.migrations.slice(0, BEFORE_SUSPENDING);
  for (const migration of migrations) before.exec(migration);
  before.exec(`PRAGMA application_id = ${CONTROL_SCHEMA.applicationId}`);
  before.exec(`PRAGMA user_version = ${BEFORE_SUSPENDING}`);
  const tokenText = createTokenText();
  before.exec("INSERT INTO organisation (id, name, created) VALUES ('acme', 'Acme', 1)");
  before
    .prepare(
      "INSERT INTO token (id, organisation, name, hash, created) VALUES ('t', 'acme', '', ?, 1)",
    )
    .run(hashToken(tokenText));
  before.close();
  const store = await openControlStore(path);
  expect(store.listOrganisations()).toEqual([
    { id: 'acme', name: 'Acme', created: 1, suspended: undefined },
  ]);
  expect(store.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  await store.suspendOrganisation('acme');
  expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'suspended' });
  await store.close();
});

/** The schema before organisations could be suspended. */
const BEFORE_SUSPENDING = 4;

test('a control store of the first release still works: its organisations are granted everything, its tokens stay valid', async () => {
  const path = inFolder('control.sqlite');
  const old = new DatabaseSync(path);
  old.exec(FIRST_SCHEMA);
  old.exec('PRAGMA application_id = 1819108211');
  old.exec('PRAGMA user_version = 1');
  old.close();
  const store = await openControlStore(path, { clock: () => NOW });
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
  await store.createOrganisation({ id: 'new', name: 'New' });
  expect(store.listGrants({ organisationId: 'new' })).toEqual([]);
  await store.close();
  const again = await openControlStore(path);
  expect(again.listGrants()).toEqual(before);
  await again.close();
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

test('a control store of the release before has no links, and can make one', async () => {
  const path = inFolder('control.sqlite');
  const before = new DatabaseSync(path);
  for (const migration of CONTROL_SCHEMA.migrations.slice(0, BEFORE_LINKS)) {
    before.exec(migration);
  }
  before.exec(`PRAGMA application_id = ${CONTROL_SCHEMA.applicationId}`);
  before.exec(`PRAGMA user_version = ${BEFORE_LINKS}`);
  before.exec("INSERT INTO organisation (id, name, created) VALUES ('acme', 'Acme', 1)");
  before.close();
  const store = await openControlStore(path);
  const { tokenText } = await store.signIn(
    (await store.createSignInLink({ organisationId: 'acme' })).code,
  );
  expect(store.findCaller(tokenText)).toMatchObject({ isAccepted: true });
  await store.close();
});

/** The schema before there were sign-in links. */
const BEFORE_LINKS = 5;

test('a control store of the release before keeps its limits, and damaged ones stay damaged', async () => {
  const path = inFolder('control.sqlite');
  const before = new DatabaseSync(path);
  CONTROL_SCHEMA.prepare?.(before);
  for (const migration of CONTROL_SCHEMA.migrations.slice(0, BEFORE_VIEWED_ROWS)) {
    before.exec(migration);
  }
  before.exec(`PRAGMA application_id = ${CONTROL_SCHEMA.applicationId}`);
  before.exec(`PRAGMA user_version = ${BEFORE_VIEWED_ROWS}`);
  for (const id of ['acme', 'globex']) {
    before.exec(`INSERT INTO organisation (id, name, created) VALUES ('${id}', '${id}', 1);
      INSERT INTO organisation_limit (organisation, rows_per_day) VALUES ('${id}', 7)`);
  }
  before.exec(`DROP TRIGGER organisation_limit_updated_checksum;
    UPDATE organisation_limit SET rows_per_day = 70 WHERE organisation = 'globex';
    CREATE TRIGGER organisation_limit_updated_checksum AFTER UPDATE OF rows_per_day ON organisation_limit
    BEGIN SELECT 1; END`);
  before.close();
  const store = await openControlStore(path);
  const { tokenText } = await store.createToken({ organisationId: 'acme', name: 'x' });
  const limits = () => {
    const found = store.findCaller(tokenText);
    return found.isAccepted ? found.caller.rights.limits : undefined;
  };
  expect(limits()).toEqual({ rowsPerDay: 7 });
  await store.setLimits('acme', { viewedRowsPerDay: 3 });
  expect(limits()).toEqual({ rowsPerDay: 7, viewedRowsPerDay: 3 });
  await store.setLimits('acme', { rowsPerDay: 8, viewedRowsPerDay: 0 });
  expect(limits()).toEqual({ rowsPerDay: 8 });
  expect(() => store.listLimits({ organisationId: 'globex' })).toThrow('damaged');
  await store.close();
});

/** The schema before an organisation had a limit of rows to look at. */
const BEFORE_VIEWED_ROWS = 8;
