import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import { createTokenText, hashToken } from '@locmetrics/server/auth/token-text';
import { describe, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { CONTROL_STORES } from './control-stores.ts';

describe.each(CONTROL_STORES)('$name', ({ useStores }) => {
  const inFolder = useTemporaryFolder('test');
  const { openControlStore, runSecondProcess } = useStores();

  test('a token proves its organisation', async () => {
    const { store } = await openWithAcme();
    const { tokenText, tokenId, expires } = await store.createToken({
      organisationId: 'acme',
      name: 'nightly job',
    });
    expect(tokenId).toMatch(/^[0-9a-v]{12}$/);
    expect(expires).toBeUndefined();
    expect(store.findCaller(tokenText)).toMatchObject({
      isAccepted: true,
      caller: { organisationId: 'acme', tokenId },
    });
    await store.close();
  });

  test('a token that was never issued is unknown', async () => {
    const { store } = await openWithAcme();
    expect(store.findCaller(createTokenText())).toEqual({
      isAccepted: false,
      refusal: 'unknown',
      tokenId: undefined,
    });
    await store.close();
  });

  test.each(['', 'lm_', 'acme', "' OR 1=1 --"])('the text %j is malformed', async (text) => {
    const { store } = await openWithAcme();
    expect(store.findCaller(text)).toMatchObject({ isAccepted: false, refusal: 'malformed' });
    await store.close();
  });

  test('a token is accepted in its last millisecond and refused in the next', async () => {
    const { store, setTime } = await openWithAcme();
    const token = await store.createToken({
      organisationId: 'acme',
      name: 'trial',
      expiresAfterMs: 1_000,
    });
    expect(token.expires).toBe(2_000);
    setTime(1_999);
    expect(store.findCaller(token.tokenText).isAccepted).toBe(true);
    expect(store.listTokens().map(({ state }) => state)).toEqual(['active']);
    setTime(2_000);
    expect(store.findCaller(token.tokenText)).toEqual({
      isAccepted: false,
      refusal: 'expired',
      tokenId: token.tokenId,
      expires: 2_000,
    });
    expect(store.listTokens().map(({ state }) => state)).toEqual(['expired']);
    await store.close();
  });

  test.each([0, -1, 999, 1_000.5, Number.NaN, Number.POSITIVE_INFINITY, 3_153_600_000_001])(
    'a token cannot expire after %d ms',
    async (expiresAfterMs) => {
      const { store } = await openWithAcme();
      await expect(async () =>
        store.createToken({ organisationId: 'acme', name: 'trial', expiresAfterMs }),
      ).rejects.toThrow(`A token cannot expire after ${expiresAfterMs} ms.`);
      expect(store.listTokens()).toEqual([]);
      await store.close();
    },
  );

  test('a token without a name is refused', async () => {
    const { store } = await openWithAcme();
    await expect(async () =>
      store.createToken({ organisationId: 'acme', name: ' ' }),
    ).rejects.toThrow('The name of the token is blank.');
    await store.close();
  });

  test('a token for an unknown organisation is refused with the nearest id', async () => {
    const { store } = await openWithAcme();
    await expect(async () =>
      store.createToken({ organisationId: 'acmee', name: 'x' }),
    ).rejects.toThrow(
      expect.objectContaining({
        name: 'ControlError',
        message: "Unknown organisation 'acmee'.",
        hint: "Did you mean 'acme'?",
      }),
    );
    await expect(async () =>
      store.createToken({ organisationId: 'ACME', name: 'x' }),
    ).rejects.toThrow("Unknown organisation 'ACME'.");
    await store.close();
  });

  test('a token in an empty store is refused, and the hint says what to do first', async () => {
    const store = await openControlStore(inFolder('empty.sqlite'));
    await expect(async () =>
      store.createToken({ organisationId: 'acme', name: 'x' }),
    ).rejects.toThrow(
      expect.objectContaining({ hint: 'No organisation exists yet: create one first.' }),
    );
    await store.close();
  });

  test('tokens are listed with their state and without their hash', async () => {
    const { store, setTime } = await openWithAcme();
    await store.createOrganisation({ id: 'other', name: 'Other' });
    const first = await store.createToken({ organisationId: 'acme', name: 'first' });
    setTime(1_001);
    const second = await store.createToken({ organisationId: 'other', name: 'second' });
    setTime(1_002);
    await store.revokeToken(first.tokenId);
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
    expect(store.listTokens({ organisationId: 'other' }).map(({ name }) => name)).toEqual([
      'second',
    ]);
    await store.close();
  });

  test('a list of the tokens of an unknown organisation is refused', async () => {
    const { store } = await openWithAcme();
    expect(() => store.listTokens({ organisationId: 'amce' })).toThrow(
      "Unknown organisation 'amce'.",
    );
    await store.close();
  });

  test('a revoked token is refused', async () => {
    const { store } = await openWithAcme();
    const { tokenText, tokenId } = await store.createToken({
      organisationId: 'acme',
      name: 'leaked',
    });
    expect(await store.revokeToken(tokenId)).toEqual({
      tokenId,
      organisationId: 'acme',
      name: 'leaked',
      revoked: 1_000,
      wasRevokedBefore: false,
    });
    expect(store.findCaller(tokenText)).toEqual({ isAccepted: false, refusal: 'revoked', tokenId });
    await store.close();
  });

  test('a token revoked twice keeps the first time', async () => {
    const { store, setTime } = await openWithAcme();
    const { tokenId } = await store.createToken({ organisationId: 'acme', name: 'leaked' });
    await store.revokeToken(tokenId);
    setTime(5_000);
    expect(await store.revokeToken(tokenId)).toMatchObject({
      revoked: 1_000,
      wasRevokedBefore: true,
    });
    await store.close();
  });

  test('a token that is both expired and revoked counts as revoked', async () => {
    const { store, setTime } = await openWithAcme();
    const token = await store.createToken({
      organisationId: 'acme',
      name: 'old',
      expiresAfterMs: 1_000,
    });
    setTime(9_000);
    await store.revokeToken(token.tokenId);
    expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'revoked' });
    await store.close();
  });

  test('a token is revoked by its text', async () => {
    const { store } = await openWithAcme();
    const { tokenText, tokenId } = await store.createToken({
      organisationId: 'acme',
      name: 'leaked',
    });
    const kept = await store.createToken({ organisationId: 'acme', name: 'kept' });
    expect(await store.revokeToken(tokenText)).toMatchObject({ tokenId, wasRevokedBefore: false });
    expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'revoked' });
    expect(store.findCaller(kept.tokenText).isAccepted).toBe(true);
    await store.close();
  });

  test('an unknown token id is refused, and no other token is suggested', async () => {
    const { store } = await openWithAcme();
    const { tokenId } = await store.createToken({ organisationId: 'acme', name: 'x' });
    await expect(async () => store.revokeToken(`${tokenId}0`)).rejects.toThrow(
      expect.objectContaining({
        message: `Unknown token id '${tokenId}0'.`,
        hint: 'List the tokens to see their ids.',
      }),
    );
    await expect(async () => store.revokeToken('?')).rejects.toThrow(
      expect.objectContaining({ hint: 'List the tokens to see their ids.' }),
    );
    expect(store.listTokens().map(({ state }) => state)).toEqual(['active']);
    await store.close();
  });

  test('a token text that cannot be revoked is not repeated in the error', async () => {
    const { store } = await openWithAcme();
    const unknown = createTokenText();
    await expect(async () => store.revokeToken(unknown)).rejects.toThrow(
      'The token is well-formed, but not one of this control store.',
    );
    await expect(async () => store.revokeToken(unknown.slice(0, -1))).rejects.toThrow(
      'The text starts like a token, but its length or checksum is wrong.',
    );
    await store.close();
  });

  test('a revocation is seen at once by a store that was open before', async () => {
    const { store } = await openWithAcme();
    const server = await openControlStore(inFolder('control.sqlite'), { clock: () => 1_000 });
    const { tokenText, tokenId } = await store.createToken({ organisationId: 'acme', name: 'x' });
    expect(server.findCaller(tokenText).isAccepted).toBe(true);
    await store.revokeToken(tokenId);
    expect(server.findCaller(tokenText)).toMatchObject({ refusal: 'revoked' });
    await server.close();
    await store.close();
  });

  test('changes of another process are seen at once, in both directions', async () => {
    const { store, path } = await openWithAcme();
    const made = await runSecondProcess(path, 'createToken', 'acme');
    const { tokenText, tokenId } = await store.createToken({
      organisationId: 'acme',
      name: 'ours',
    });
    expect(store.listTokens().map(({ name }) => name)).toContain('of the second process');
    expect(made).toMatchObject({ tokenId: expect.any(String), tokenText: expect.any(String) });

    expect(await runSecondProcess(path, 'findCaller', tokenText)).toMatchObject({
      isAccepted: true,
      caller: { organisationId: 'acme', tokenId },
    });
    await runSecondProcess(path, 'revokeToken', tokenId);
    expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'revoked' });
    await store.close();
  });

  test('the files contain the hash of a token and no part of its text', async () => {
    const { store, path } = await openWithAcme();
    const { tokenText } = await store.createToken({ organisationId: 'acme', name: 'x' });
    store.findCaller(tokenText);
    const whileOpen = await readFolder(path);
    expect(whileOpen.includes(Buffer.from(hashToken(tokenText)))).toBe(true);
    expect(whileOpen.includes(tokenText.slice(3, 33))).toBe(false);
    await store.close();
    const afterwards = await readFolder(path);
    expect(afterwards.includes(Buffer.from(hashToken(tokenText)))).toBe(true);
    expect(afterwards.includes(tokenText.slice(3, 33))).toBe(false);
  });

  async function openWithAcme(): Promise<{
    readonly store: ControlStore;
    readonly path: string;
    readonly setTime: (time: number) => void;
  }> {
    let now = 1_000;
    const path = inFolder('control.sqlite');
    const store = await openControlStore(path, { clock: () => now });
    await store.createOrganisation({ id: 'acme', name: 'Acme' });
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
    return Buffer.concat(
      await Promise.all(names.map((name) => readFile(join(dirname(path), name)))),
    );
  }
});
