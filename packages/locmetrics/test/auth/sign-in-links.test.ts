import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ControlError } from '@locmetrics/core/errors/control-error';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import { hashToken } from '@locmetrics/server/auth/token-text';
import { describe, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { CONTROL_STORES } from './control-stores.ts';

describe.each(CONTROL_STORES)('$name', ({ useStores }) => {
  const inFolder = useTemporaryFolder('test');
  const { openControlStore } = useStores();

  const MINUTE_MS = 60_000;

  async function openWithAcme(clock = () => 0): Promise<{
    readonly path: string;
    readonly store: ControlStore;
  }> {
    const path = inFolder('control.sqlite');
    const store = await openControlStore(path, { clock });
    await store.createOrganisation({ id: 'acme', name: 'Acme' });
    return { path, store };
  }

  /** The reason for which a code is refused. */
  async function refusalOf(store: ControlStore, code: string): Promise<string> {
    try {
      await store.signIn(code);
    } catch (error) {
      if (error instanceof ControlError) return error.toServiceError().reason;
      throw error;
    }
    throw new Error('The code was accepted.');
  }

  test('a code is exchanged once for a token with the organisation and the scopes of the link', async () => {
    const { store } = await openWithAcme(() => 1_000);
    const link = await store.createSignInLink({
      organisationId: 'acme',
      scopes: ['admin', 'catalog'],
    });
    expect(link).toEqual({
      linkId: expect.stringMatching(/^[0-9a-v]{12}$/),
      code: expect.stringMatching(/^[0-9A-Za-z]{30}$/),
      scopes: ['catalog', 'admin'],
      expires: 1_000 + 10 * MINUTE_MS,
    });
    const { tokenText, expires } = await store.signIn(link.code);
    expect(expires).toBe(1_000 + 12 * 60 * MINUTE_MS);
    expect(store.findCaller(tokenText)).toMatchObject({
      caller: { organisationId: 'acme', scopes: ['catalog', 'admin'] },
    });
    expect(store.listTokens()).toMatchObject([{ name: 'explorer', expires }]);
    expect(await refusalOf(store, link.code)).toBe('SIGN_IN_CODE_INVALID');
    expect(store.listTokens()).toHaveLength(1);
    await store.close();
  });

  test('the token ends after 12 hours', async () => {
    let now = 0;
    const { store } = await openWithAcme(() => now);
    const { tokenText } = await store.signIn(
      (await store.createSignInLink({ organisationId: 'acme' })).code,
    );
    now = 12 * 60 * MINUTE_MS - 1;
    expect(store.findCaller(tokenText)).toMatchObject({ isAccepted: true });
    now += 1;
    expect(store.findCaller(tokenText)).toMatchObject({ refusal: 'expired' });
    await store.close();
  });

  test.each([
    ['10 minutes', {}, 10 * MINUTE_MS],
    ['the chosen time', { expiresAfterMs: 60 * MINUTE_MS }, 60 * MINUTE_MS],
  ])('a code works until %s have passed', async (_, lifetime, endMs) => {
    let now = 0;
    const { store } = await openWithAcme(() => now);
    const [first, second] = [
      await store.createSignInLink({ organisationId: 'acme', ...lifetime }),
      await store.createSignInLink({ organisationId: 'acme', ...lifetime }),
    ];
    now = endMs - 1;
    expect((await store.signIn(first.code)).tokenText).toMatch(/^lm_/);
    now = endMs;
    expect(await refusalOf(store, second.code)).toBe('SIGN_IN_CODE_INVALID');
    await store.close();
  });

  test('an unknown code is refused in the same words as a used one, without the code', async () => {
    const { store } = await openWithAcme();
    const { code } = await store.createSignInLink({ organisationId: 'acme' });
    await store.signIn(code);
    for (const refused of [code, '', 'x'.repeat(30), "' OR 1=1 --"]) {
      await expect(async () => store.signIn(refused)).rejects.toThrow(
        'The sign-in code is not accepted: it was used, has expired, or never existed.',
      );
    }
    await store.close();
  });

  test('the files have only the hash of a code', async () => {
    const { path, store } = await openWithAcme();
    const { code } = await store.createSignInLink({ organisationId: 'acme' });
    const names = await readdir(dirname(path));
    const bytes = Buffer.concat(
      await Promise.all(names.map((name) => readFile(join(dirname(path), name)))),
    );
    expect(bytes.includes(code)).toBe(false);
    expect(bytes.includes(Buffer.from(hashToken(code)))).toBe(true);
    await store.close();
  });

  test('the audit log has the link with its author, and the token with the link', async () => {
    const { store } = await openWithAcme();
    const by = { kind: 'command line', user: 'owner' } as const;
    const { linkId, code, expires } = await store.createSignInLink({ organisationId: 'acme' }, by);
    const signedIn = await store.signIn(code);
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
    await store.close();
  });

  test('a link for an unknown organisation or scope is refused, and nothing is written', async () => {
    const { store } = await openWithAcme();
    const entries = () => store.listAudit({ limit: 10 }).length;
    const before = entries();
    await expect(async () => store.createSignInLink({ organisationId: 'acne' })).rejects.toThrow(
      "Unknown organisation 'acne'.",
    );
    await expect(async () =>
      store.createSignInLink({ organisationId: 'acme', scopes: ['amin'] }),
    ).rejects.toThrow("There is no scope 'amin'.");
    expect(entries()).toBe(before);
    await store.close();
  });

  test('expired links are removed, and of unused ones the newest hundred are kept', async () => {
    let now = 0;
    const { path, store } = await openWithAcme(() => now);
    const count = (): number => {
      const database = new DatabaseSync(path);
      const rows = database.prepare('SELECT id FROM sign_in_link').all();
      database.close();
      return rows.length;
    };
    const make = async () => (await store.createSignInLink({ organisationId: 'acme' })).code;
    const codes: string[] = [];
    while (codes.length < 101) codes.push(await make());
    expect(count()).toBe(100);
    expect(await refusalOf(store, codes[0] ?? '')).toBe('SIGN_IN_CODE_INVALID');
    expect((await store.signIn(codes[1] ?? '')).tokenText).toMatch(/^lm_/);
    now = 10 * MINUTE_MS;
    await make();
    expect(count()).toBe(1);
    await store.close();
  });
});
