import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type ControlStore, openControlStore } from '../../src/auth/control-store.ts';
import { createTokenText, hashToken } from '../../src/auth/token-text.ts';
import { runSecondProcess } from './run-second-process.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();

test('a token proves its organisation', () => {
  const { store } = openWithAcme();
  const { tokenText, tokenId, expires } = store.createToken({
    organisationId: 'acme',
    name: 'nightly job',
  });
  expect(tokenId).toMatch(/^[0-9a-v]{12}$/);
  expect(expires).toBeUndefined();
  expect(store.findCaller(tokenText)).toMatchObject({
    isAccepted: true,
    caller: { organisationId: 'acme', tokenId },
  });
  store.close();
});

test('a token that was never issued is unknown', () => {
  const { store } = openWithAcme();
  expect(store.findCaller(createTokenText())).toEqual({
    isAccepted: false,
    refusal: 'unknown',
    tokenId: undefined,
  });
  store.close();
});

test.each(['', 'lm_', 'acme', "' OR 1=1 --"])('the text %j is malformed', (text) => {
  const { store } = openWithAcme();
  expect(store.findCaller(text)).toMatchObject({ isAccepted: false, refusal: 'malformed' });
  store.close();
});

test('a token is accepted in its last millisecond and refused in the next', () => {
  const { store, setTime } = openWithAcme();
  const token = store.createToken({ organisationId: 'acme', name: 'trial', expiresAfterMs: 1_000 });
  expect(token.expires).toBe(2_000);
  setTime(1_999);
  expect(store.findCaller(token.tokenText).isAccepted).toBe(true);
  expect(store.listTokens().map(({ state }) => state)).toEqual(['active']);
  setTime(2_000);
  expect(store.findCaller(token.tokenText)).toEqual({
    isAccepted: false,
    refusal: 'expired',
    tokenId: token.tokenId,
  });
  expect(store.listTokens().map(({ state }) => state)).toEqual(['expired']);
  store.close();
});

test.each([0, -1, 999, 1_000.5, Number.NaN, Number.POSITIVE_INFINITY, 3_153_600_000_001])(
  'a token cannot expire after %d ms',
  (expiresAfterMs) => {
    const { store } = openWithAcme();
    expect(() =>
      store.createToken({ organisationId: 'acme', name: 'trial', expiresAfterMs }),
    ).toThrow(`A token cannot expire after ${expiresAfterMs} ms.`);
    expect(store.listTokens()).toEqual([]);
    store.close();
  },
);

test('a token without a name is refused', () => {
  const { store } = openWithAcme();
  expect(() => store.createToken({ organisationId: 'acme', name: ' ' })).toThrow(
    'The name of the token is blank.',
  );
  store.close();
});

test('a token for an unknown organisation is refused with the nearest id', () => {
  const { store } = openWithAcme();
  expect(() => store.createToken({ organisationId: 'acmee', name: 'x' })).toThrow(
    expect.objectContaining({
      name: 'ControlError',
      message: "Unknown organisation 'acmee'.",
      hint: "Did you mean 'acme'?",
    }),
  );
  expect(() => store.createToken({ organisationId: 'ACME', name: 'x' })).toThrow(
    "Unknown organisation 'ACME'.",
  );
  store.close();
});

test('a token in an empty store is refused, and the hint says what to do first', () => {
  const store = openControlStore(inFolder('empty.sqlite'));
  expect(() => store.createToken({ organisationId: 'acme', name: 'x' })).toThrow(
    expect.objectContaining({ hint: 'There is none yet: create it first.' }),
  );
  store.close();
});

test('tokens are listed with their state and without their hash', () => {
  const { store, setTime } = openWithAcme();
  store.createOrganisation({ id: 'other', name: 'Other' });
  const first = store.createToken({ organisationId: 'acme', name: 'first' });
  setTime(1_001);
  const second = store.createToken({ organisationId: 'other', name: 'second' });
  setTime(1_002);
  store.revokeToken(first.tokenId);
  expect(store.listTokens()).toEqual([
    {
      tokenId: first.tokenId,
      organisationId: 'acme',
      name: 'first',
      scopes: ['catalog', 'metrics', 'usage'],
      state: 'revoked',
      created: 1_000,
      expires: undefined,
      lastUsed: undefined,
      revoked: 1_002,
      replacedBy: undefined,
    },
    {
      tokenId: second.tokenId,
      organisationId: 'other',
      name: 'second',
      scopes: ['catalog', 'metrics', 'usage'],
      state: 'active',
      created: 1_001,
      expires: undefined,
      lastUsed: undefined,
      revoked: undefined,
      replacedBy: undefined,
    },
  ]);
  expect(store.listTokens({ organisationId: 'other' }).map(({ name }) => name)).toEqual(['second']);
  store.close();
});

test('a list of the tokens of an unknown organisation is refused', () => {
  const { store } = openWithAcme();
  expect(() => store.listTokens({ organisationId: 'amce' })).toThrow(
    "Unknown organisation 'amce'.",
  );
  store.close();
});

test('a revoked token is refused', () => {
  const { store } = openWithAcme();
  const { tokenText, tokenId } = store.createToken({ organisationId: 'acme', name: 'leaked' });
  expect(store.revokeToken(tokenId)).toEqual({
    tokenId,
    organisationId: 'acme',
    name: 'leaked',
    revoked: 1_000,
    wasRevokedBefore: false,
  });
  expect(store.findCaller(tokenText)).toEqual({ isAccepted: false, refusal: 'revoked', tokenId });
  store.close();
});

test('a token revoked twice keeps the first time', () => {
  const { store, setTime } = openWithAcme();
  const { tokenId } = store.createToken({ organisationId: 'acme', name: 'leaked' });
  store.revokeToken(tokenId);
  setTime(5_000);
  expect(store.revokeToken(tokenId)).toMatchObject({ revoked: 1_000, wasRevokedBefore: true });
  store.close();
});

test('a token that is both expired and revoked counts as revoked', () => {
  const { store, setTime } = openWithAcme();
  const token = store.createToken({ organisationId: 'acme', name: 'old', expiresAfterMs: 1_000 });
  setTime(9_000);
  store.revokeToken(token.tokenId);
  expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'revoked' });
  store.close();
});

test('a token is revoked by its text', () => {
  const { store } = openWithAcme();
  const { tokenText, tokenId } = store.createToken({ organisationId: 'acme', name: 'leaked' });
  const kept = store.createToken({ organisationId: 'acme', name: 'kept' });
  expect(store.revokeToken(tokenText)).toMatchObject({ tokenId, wasRevokedBefore: false });
  expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'revoked' });
  expect(store.findCaller(kept.tokenText).isAccepted).toBe(true);
  store.close();
});

test('an unknown token id is refused with the nearest one', () => {
  const { store } = openWithAcme();
  const { tokenId } = store.createToken({ organisationId: 'acme', name: 'x' });
  expect(() => store.revokeToken(`${tokenId}0`)).toThrow(
    expect.objectContaining({
      message: `Unknown token id '${tokenId}0'.`,
      hint: `Did you mean '${tokenId}'?`,
    }),
  );
  expect(() => store.revokeToken('?')).toThrow(
    expect.objectContaining({ hint: 'The list of tokens has the ids.' }),
  );
  expect(store.listTokens().map(({ state }) => state)).toEqual(['active']);
  store.close();
});

test('a token text that cannot be revoked is not repeated in the error', () => {
  const { store } = openWithAcme();
  const unknown = createTokenText();
  expect(() => store.revokeToken(unknown)).toThrow(
    'The token is well-formed, but not one of this control store.',
  );
  expect(() => store.revokeToken(unknown.slice(0, -1))).toThrow(
    'The text starts like a token, but its length or checksum is wrong.',
  );
  store.close();
});

test('a revocation is seen at once by a store that was open before', () => {
  const { store } = openWithAcme();
  const server = openControlStore(inFolder('control.sqlite'), { clock: () => 1_000 });
  const { tokenText, tokenId } = store.createToken({ organisationId: 'acme', name: 'x' });
  expect(server.findCaller(tokenText).isAccepted).toBe(true);
  store.revokeToken(tokenId);
  expect(server.findCaller(tokenText)).toMatchObject({ refusal: 'revoked' });
  server.close();
  store.close();
});

test('changes of another process are seen at once, in both directions', async () => {
  const { store, path } = openWithAcme();
  const made = await runSecondProcess(path, 'createToken', 'acme');
  const { tokenText, tokenId } = store.createToken({ organisationId: 'acme', name: 'ours' });
  expect(store.listTokens().map(({ name }) => name)).toContain('of the second process');
  expect(made).toMatchObject({ tokenId: expect.any(String), tokenText: expect.any(String) });

  expect(await runSecondProcess(path, 'findCaller', tokenText)).toMatchObject({
    isAccepted: true,
    caller: { organisationId: 'acme', tokenId },
  });
  await runSecondProcess(path, 'revokeToken', tokenId);
  expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'revoked' });
  store.close();
});

test('the files contain the hash of a token and no part of its text', async () => {
  const { store, path } = openWithAcme();
  const { tokenText } = store.createToken({ organisationId: 'acme', name: 'x' });
  store.findCaller(tokenText);
  const whileOpen = await readFolder(path);
  expect(whileOpen.includes(Buffer.from(hashToken(tokenText)))).toBe(true);
  expect(whileOpen.includes(tokenText.slice(3, 33))).toBe(false);
  store.close();
  const afterwards = await readFolder(path);
  expect(afterwards.includes(Buffer.from(hashToken(tokenText)))).toBe(true);
  expect(afterwards.includes(tokenText.slice(3, 33))).toBe(false);
});

function openWithAcme(): {
  readonly store: ControlStore;
  readonly path: string;
  readonly setTime: (time: number) => void;
} {
  let now = 1_000;
  const path = inFolder('control.sqlite');
  const store = openControlStore(path, { clock: () => now });
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  return {
    store,
    path,
    setTime: (time) => {
      now = time;
    },
  };
}

/** The bytes of the database and of its SQLite side files. */
async function readFolder(path: string): Promise<Buffer> {
  const names = await readdir(dirname(path));
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(dirname(path), name)))));
}
