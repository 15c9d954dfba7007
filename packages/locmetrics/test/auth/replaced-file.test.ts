import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { SCHEMA_VERSION } from '@locmetrics/server/auth/control-schema';
import { type FileControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { changeByHand } from './change-by-hand.ts';
import { runNewProcess } from './run-second-process.ts';

const inFolder = useTemporaryFolder('test');

/** The store as a worker of the service opens it. */
const serving = () =>
  openControlStore(path, {
    use: 'service',
    waitsForLock: false,
    onOpenToOthers: (file) => told.push(file),
  });

let path: string;
let told: unknown[];
let store: FileControlStore;
let token: { readonly tokenText: string; readonly tokenId: string };
beforeEach(() => {
  path = inFolder('control.sqlite');
  told = [];
  const made = openControlStore(path);
  made.createOrganisation({ id: 'acme', name: 'Acme' });
  token = made.createToken({ organisationId: 'acme', name: 'x' });
  made.secret('key');
  made.close();
  store = serving();
});
afterEach(() => {
  vi.useRealTimers();
  store.close();
});

const isAccepted = (): boolean => store.findCaller(token.tokenText).isAccepted;
const isAcceptedNow = (): boolean => {
  try {
    return isAccepted();
  } catch {
    return false;
  }
};
const unusable = (problem: string) =>
  expect.objectContaining({ name: 'ControlError', message: `${path} ${problem}.` });

/** A copy of the current file, made by SQLite. */
function backUp(): string {
  const backup = inFolder('backup.sqlite');
  rmSync(backup, { force: true });
  const source = new DatabaseSync(path);
  source.exec(`VACUUM INTO '${backup}'`);
  source.close();
  return backup;
}

test('every kind of call uses a file at once after it is moved into place', async () => {
  expect(isAccepted()).toBe(true);
  const key = store.secret('key');
  const backup = backUp();
  changeByHand(backup, (other) =>
    other.exec("UPDATE secret SET value = randomblob(32); UPDATE token SET name = 'restored'"),
  );
  store.revokeToken(token.tokenId);
  store.addGrant('acme', wholeGrant('', '*'));
  expect(isAccepted()).toBe(false);
  renameSync(backup, path);
  expect(isAccepted()).toBe(true);
  expect(store.findCaller(token.tokenText)).toMatchObject({ caller: { rights: { grants: [] } } });
  expect(store.listTokens().map(({ name }) => name)).toEqual(['restored']);
  expect(store.secret('key')).not.toEqual(key);
  // Later writes go into the new file.
  store.revokeToken(token.tokenId);
  expect(await runNewProcess(path, 'findCaller', token.tokenText)).toMatchObject({
    refusal: 'revoked',
  });
});

test('a removed file is not created again, and is used as soon as it is back', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  expect(isAccepted()).toBe(true);
  const backup = backUp();
  rmSync(path);
  expect(isAccepted).toThrow(unusable('is missing'));
  expect(() => store.createOrganisation({ name: 'B' })).toThrow(unusable('is missing'));
  // Later writers do not create it either.
  vi.advanceTimersByTime(1200);
  expect(readdirSync(dirname(path))).not.toContain('control.sqlite');
  renameSync(backup, path);
  expect(isAccepted()).toBe(true);
});

test.each(['command', 'start'] as const)(
  'a lost file is not created again by the use %s, unless its lock file is removed too',
  (use) => {
    rmSync(path);
    expect(() => openControlStore(path, { use })).toThrow(
      unusable('is missing, although it existed before'),
    );
    expect(readdirSync(dirname(path))).not.toContain('control.sqlite');
    rmSync(`${path}-lock`);
    const begun = openControlStore(path, { use });
    expect(begun.listOrganisations()).toEqual([]);
    begun.close();
  },
);

test('a part of the service that starts without the file works once the file is there', () => {
  const backup = backUp();
  rmSync(path);
  const begun = serving();
  expect(() => begun.findCaller(token.tokenText)).toThrow(unusable('is missing'));
  renameSync(backup, path);
  expect(begun.findCaller(token.tokenText).isAccepted).toBe(true);
  begun.close();
});

test.each<[kind: string, problem: string, spoil: (file: string) => void]>([
  ['is empty', 'is empty', (file) => writeFileSync(file, '')],
  ['is text', 'is not an SQLite file', (file) => writeFileSync(file, 'control:\n'.repeat(100))],
  ['was truncated', 'is damaged', (file) => truncateSync(file, statSync(file).size >> 1)],
  [
    'has a page of another file',
    'is damaged',
    (file) => {
      const bytes = readFileSync(file);
      bytes.fill(0x2a, 3 * 4096, 4 * 4096);
      writeFileSync(file, bytes);
    },
  ],
  [
    'is an SQLite file of another program',
    'is an SQLite file, but not a control store of locmetrics',
    (file) => change(file, 'PRAGMA application_id = 7'),
  ],
  [
    'is of a later release',
    `was written by a newer version of locmetrics: its schema is ${SCHEMA_VERSION + 1}, and this version knows those up to ${SCHEMA_VERSION}`,
    (file) => change(file, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`),
  ],
  [
    'is of an earlier release',
    `was written by an earlier version of locmetrics: its schema is ${SCHEMA_VERSION - 1}`,
    (file) => change(file, `PRAGMA user_version = ${SCHEMA_VERSION - 1}`),
  ],
])(
  'a file that %s is refused with a message, and a good file is used again',
  (_, problem, spoil) => {
    expect(isAccepted()).toBe(true);
    const good = backUp();
    const bad = inFolder('bad.sqlite');
    copyFileSync(good, bad);
    spoil(bad);
    const before = readFileSync(bad);
    renameSync(bad, path);
    for (let asked = 0; asked < 3; asked += 1) expect(isAccepted).toThrow(unusable(problem));
    expect(readFileSync(path)).toEqual(before);
    renameSync(good, path);
    expect(isAccepted()).toBe(true);
  },
);

test('while another process has the old file open, the new file is not opened, and its log is not used', {
  tags: 'slow',
}, async () => {
  expect(isAccepted()).toBe(true);
  const backup = backUp();
  const held = inFolder('held');
  writeFileSync(held, '');
  const holding = runNewProcess(path, 'holdUntilGone', held);
  await expect.poll(() => store.listTokens().length).toBe(2);
  renameSync(backup, path);
  expect(isAccepted).toThrow(
    unusable('was replaced, and another process has the previous file open'),
  );
  rmSync(held);
  await holding;
  await expect.poll(isAcceptedNow).toBe(true);
  expect(store.listTokens().map(({ name }) => name)).toEqual(['x']);
  expect(change(path, 'PRAGMA quick_check')).toEqual({ quick_check: 'ok' });
});

test('the file that was moved away is complete, and the new file does not get its log', async () => {
  expect(isAccepted()).toBe(true);
  const backup = backUp();
  store.revokeToken(token.tokenId);
  renameSync(path, inFolder('moved.sqlite'));
  expect(isAccepted).toThrow(unusable('is missing'));
  renameSync(backup, path);
  // The writer is a process that never opened the old file.
  expect(await runNewProcess(path, 'findCaller', token.tokenText)).toMatchObject({
    isAccepted: true,
  });
  expect(change(path, 'PRAGMA quick_check')).toEqual({ quick_check: 'ok' });
  expect(
    change(inFolder('moved.sqlite'), 'SELECT revoked IS NOT NULL AS revoked FROM token'),
  ).toEqual({ revoked: 1 });
});

test('an idle store closes a replaced file', () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const idle = serving();
  idle.findCaller(token.tokenText);
  renameSync(backUp(), path);
  vi.advanceTimersByTime(300);
  expect(isAccepted()).toBe(true);
  idle.close();
});

test('a change written to a file that was replaced in the meantime is not reported as done', () => {
  let replace = () => {};
  const changing = openControlStore(path, {
    clock: () => {
      replace();
      return 1000;
    },
  });
  const backup = backUp();
  replace = () => {
    replace = () => {};
    renameSync(backup, path);
  };
  expect(() => changing.revokeToken(token.tokenId)).toThrow(
    unusable('was replaced in the meantime'),
  );
  changing.close();
  store.revokeToken(token.tokenId);
  expect(isAccepted()).toBe(false);
});

test('a file that others could read is made private, with the files beside it, and this is reported', () => {
  expect(isAccepted()).toBe(true);
  const backup = backUp();
  chmodSync(backup, 0o644);
  renameSync(backup, path);
  expect(isAccepted()).toBe(true);
  store.createOrganisation({ name: 'B' });
  const modes = readdirSync(dirname(path)).map((name) => statSync(inFolder(name)).mode & 0o777);
  expect(modes).toEqual(modes.map(() => 0o600));
  expect(told).toEqual([{ path, mode: '0644', isMended: true }]);
});

function change(file: string, statement: string): unknown {
  const database = new DatabaseSync(file);
  try {
    return database.prepare(statement).get();
  } finally {
    database.close();
  }
}
