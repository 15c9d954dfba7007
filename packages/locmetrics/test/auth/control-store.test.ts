import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SCHEMA_VERSION } from '@locmetrics/server/auth/control-schema';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runNewProcess } from './run-second-process.ts';

const inFolder = useTemporaryFolder('test');

test('only the owner can read the file and the files beside it', async () => {
  const path = inFolder('control.sqlite');
  const store = openControlStore(path);
  store.createOrganisation({ name: 'Acme' });
  const names = await readdir(dirname(path));
  const modes = await Promise.all(names.map(async (name) => (await stat(inFolder(name))).mode));
  expect(names.sort()).toEqual([
    'control.sqlite',
    ...['control.sqlite-lock', 'control.sqlite-reserve', 'control.sqlite-shm'],
    'control.sqlite-wal',
  ]);
  expect(modes.map((mode) => mode & 0o777)).toEqual(names.map(() => 0o600));
  store.close();
});

test('a new file gets the schema, write-ahead logging and strict tables', () => {
  const path = inFolder('control.sqlite');
  openControlStore(path).close();
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION });
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(
    database.prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").all(),
  ).toEqual(
    expect.arrayContaining([
      { name: 'organisation', strict: 1 },
      { name: 'token', strict: 1 },
      { name: 'secret', strict: 1 },
    ]),
  );
  database.close();
});

test('an empty file is treated as a new one', async () => {
  const path = inFolder('control.sqlite');
  await writeFile(path, '');
  const store = openControlStore(path);
  expect(store.createOrganisation({ id: 'acme', name: 'Acme' }).id).toBe('acme');
  store.close();
});

test('written data are there when the file is opened again', () => {
  const path = inFolder('control.sqlite');
  const first = openControlStore(path);
  first.createOrganisation({ id: 'acme', name: 'Acme' });
  const { tokenText, tokenId } = first.createToken({ organisationId: 'acme', name: 'x' });
  first.close();
  const second = openControlStore(path);
  expect(second.findCaller(tokenText)).toMatchObject({ caller: { tokenId } });
  second.close();
});

test('a file of a newer version is refused and not changed', async () => {
  const path = inFolder('control.sqlite');
  openControlStore(path).close();
  const newer = new DatabaseSync(path);
  newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  newer.close();
  const before = await readFile(path);
  expect(() => openControlStore(path)).toThrow(
    expect.objectContaining({
      name: 'ControlError',
      message: expect.stringContaining(
        `was written by a newer version of locmetrics: its schema is ${SCHEMA_VERSION + 1}`,
      ),
      hint: 'Run that newer version.',
    }),
  );
  expect(await readFile(path)).toEqual(before);
});

test('an SQLite file of another program is refused and not changed', async () => {
  const path = inFolder('control.sqlite');
  const other = new DatabaseSync(path);
  other.exec('CREATE TABLE note (text TEXT)');
  other.close();
  const before = await readFile(path);
  expect(() => openControlStore(path)).toThrow('but not a control store of locmetrics.');
  expect(await readFile(path)).toEqual(before);
});

test('a file that is not SQLite is refused and not changed', async () => {
  const path = inFolder('control.sqlite');
  await writeFile(path, 'organisations:\n'.repeat(100));
  expect(() => openControlStore(path)).toThrow('is not an SQLite file.');
  expect(await readFile(path, 'utf8')).toBe('organisations:\n'.repeat(100));
});

test('a file in a folder that does not exist is refused', () => {
  expect(() => openControlStore(inFolder('absent/control.sqlite'))).toThrow(
    expect.objectContaining({
      name: 'ControlError',
      hint: 'Check that the data directory exists and can be written.',
    }),
  );
});

test('a folder in the place of the file is refused', async () => {
  const path = inFolder('control.sqlite');
  await mkdir(path);
  expect(() => openControlStore(path)).toThrow(
    expect.objectContaining({ name: 'ControlError', message: `${path} cannot be opened.` }),
  );
});

test('the store can be closed twice', () => {
  const store = openControlStore(inFolder('control.sqlite'));
  store.close();
  store.close();
  expect(() => store.listOrganisations()).toThrow();
});

test('a secret is 32 bytes, one for each name, and stays the same', () => {
  const path = inFolder('control.sqlite');
  const first = openControlStore(path);
  const secret = first.secret('page-token-key');
  expect(secret).toHaveLength(32);
  expect(first.secret('page-token-key')).toEqual(secret);
  expect(first.secret('another-key')).not.toEqual(secret);
  first.close();
  const second = openControlStore(path);
  expect(second.secret('page-token-key')).toEqual(secret);
  second.close();
});

test('processes that start at the same time without a file create one store and one secret', async () => {
  const path = inFolder('control.sqlite');
  const secrets = await Promise.all(
    Array.from({ length: 6 }, () => runNewProcess(path, 'secret', 'page-token-key')),
  );
  const store = openControlStore(path);
  const secret = Buffer.from(store.secret('page-token-key')).toString('hex');
  expect(secrets).toEqual(Array.from({ length: 6 }, () => secret));
  store.close();
});

test.each([
  "UPDATE audit SET actor = '{}'",
  'DELETE FROM audit',
  "INSERT OR REPLACE INTO audit SELECT id, 0, '{}', '', '', '', '{}' FROM audit",
  "REPLACE INTO audit (id, time, actor, action, organisation, subject, details) VALUES (1, 0, '{}', '', '', '', '{}')",
])('the audit log refuses: %s', (statement) => {
  const path = inFolder('control.sqlite');
  const store = openControlStore(path);
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  const before = store.listAudit({ limit: 10 });
  const file = new DatabaseSync(path);
  expect(() => file.exec(statement)).toThrow('The audit log is only appended to.');
  file.close();
  expect(store.listAudit({ limit: 10 })).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
  store.close();
});
