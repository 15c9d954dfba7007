import { DatabaseSync } from 'node:sqlite';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder('test');

test('the last use is written within about two seconds, and not by the request', async () => {
  const { store, token, lastUsed } = openWithToken();
  store.findCaller(token.tokenText);
  expect(lastUsed()).toBeUndefined();
  await expect.poll(lastUsed).toBe(1_000);
  store.close();
});

test('the last of several uses is written when the store closes', () => {
  const { store, token, setTime, path } = openWithToken();
  store.findCaller(token.tokenText);
  setTime(1_700);
  store.findCaller(token.tokenText);
  store.close();
  const again = openControlStore(path);
  expect(again.listTokens().map(({ lastUsed }) => lastUsed)).toEqual([1_700]);
  again.close();
});

test('a refused token does not count as used', () => {
  const { store, token, path } = openWithToken();
  store.revokeToken(token.tokenId);
  store.findCaller(token.tokenText);
  store.close();
  const again = openControlStore(path);
  expect(again.listTokens().map(({ lastUsed }) => lastUsed)).toEqual([undefined]);
  again.close();
});

test('an earlier use in another process does not replace a later one', () => {
  const { store, token, path, lastUsed } = openWithToken();
  const behind = openControlStore(path, { clock: () => 1_500 });
  const ahead = openControlStore(path, { clock: () => 1_600 });
  behind.findCaller(token.tokenText);
  ahead.findCaller(token.tokenText);
  ahead.close();
  behind.close();
  expect(lastUsed()).toBe(1_600);
  store.close();
});

test('while another process holds the lock, requests are answered and the time is written later', {
  tags: 'slow',
}, async () => {
  const { store, token, path, lastUsed, failures } = openWithToken();
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  store.findCaller(token.tokenText);
  await expect.poll(() => failures).toHaveLength(1);
  expect(failures[0]).toMatchObject({ errstr: 'database is locked' });
  expect(store.findCaller(token.tokenText).isAccepted).toBe(true);
  expect(lastUsed()).toBeUndefined();
  other.exec('ROLLBACK');
  await expect.poll(lastUsed).toBe(1_000);
  other.close();
  store.close();
});

test('a store closes although another process holds the lock', () => {
  const { store, token, path, failures } = openWithToken();
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  store.findCaller(token.tokenText);
  store.close();
  expect(failures).toHaveLength(1);
  other.exec('ROLLBACK');
  other.close();
});

test('tokens that do not fit into one flush are written by the next ones', {
  tags: 'slow',
}, async () => {
  const { store } = openWithToken();
  const countUsed = () => store.listTokens().filter(({ lastUsed }) => lastUsed === 1_000).length;
  for (let count = 0; count < 1_200; count += 1) {
    const { tokenText } = store.createToken({ organisationId: 'acme', name: `token ${count}` });
    store.findCaller(tokenText);
  }
  await expect.poll(countUsed).toBe(1_000);
  await expect.poll(countUsed).toBe(1_200);
  store.close();
});

function openWithToken() {
  let now = 1_000;
  const failures: unknown[] = [];
  const path = inFolder('control.sqlite');
  const store = openControlStore(path, {
    clock: () => now,
    onLastUsedFailed: (error) => failures.push(error),
  });
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  const token = store.createToken({ organisationId: 'acme', name: 'x' });
  return {
    store,
    token,
    path,
    failures,
    setTime: (time: number) => {
      now = time;
    },
    lastUsed: () => store.listTokens().find(({ tokenId }) => tokenId === token.tokenId)?.lastUsed,
  };
}
