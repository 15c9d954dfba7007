import { copyFileSync, renameSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { Caller } from '@locmetrics/core/domain/caller';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { changeByHand } from './change-by-hand.ts';
import { CONTROL_STORES } from './control-stores.ts';

describe.each(CONTROL_STORES)('$name', ({ useStores }) => {
  const inFolder = useTemporaryFolder('test');
  const { openControlStore, runSecondProcess } = useStores();

  let path: string;
  let now: number;
  let store: ControlStore;
  let token: { readonly tokenText: string; readonly tokenId: string };
  beforeEach(async () => {
    path = inFolder('control.sqlite');
    now = Date.UTC(2026, 0, 1);
    store = await openControlStore(path, { clock: () => now });
    await store.createOrganisation({ id: 'acme', name: 'Acme' });
    token = await store.createToken({ organisationId: 'acme', name: 'x', expiresAfterMs: 1000 });
  });
  afterEach(async () => store.close());

  function callerOf(tokenText = token.tokenText): Caller | undefined {
    const lookup = store.findCaller(tokenText);
    return lookup.isAccepted ? lookup.caller : undefined;
  }

  test('a caller is the same object for each request', () => {
    const caller = callerOf();
    expect(caller).toMatchObject({ organisationId: 'acme', tokenId: token.tokenId });
    now += 999;
    expect(callerOf()).toBe(caller);
  });

  test('a kept caller is refused after a revocation by the same store', async () => {
    expect(callerOf()).toBeDefined();
    await store.revokeToken(token.tokenId);
    expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'revoked' });
  });

  test('a kept caller is refused after a revocation by another store', async () => {
    const other = await openControlStore(path);
    expect(callerOf()).toBeDefined();
    await other.revokeToken(token.tokenId);
    expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'revoked' });
    await other.close();
  });

  test('a kept caller is refused after a revocation by another process', async () => {
    expect(callerOf()).toBeDefined();
    await runSecondProcess(path, 'revokeToken', token.tokenId);
    expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'revoked' });
  });

  test('a kept caller is refused while its organisation is suspended, by the same store', async () => {
    expect(callerOf()).toBeDefined();
    await store.suspendOrganisation('acme');
    expect(store.findCaller(token.tokenText)).toEqual({
      isAccepted: false,
      refusal: 'suspended',
      tokenId: token.tokenId,
      organisationId: 'acme',
    });
    await store.resumeOrganisation('acme');
    expect(callerOf()).toMatchObject({ tokenId: token.tokenId });
  });

  test('a kept caller is refused while its organisation is suspended, by another process', async () => {
    await store.createOrganisation({ id: 'other', name: 'Other' });
    const other = await store.createToken({ organisationId: 'other', name: 'z' });
    const ofOther = callerOf(other.tokenText);
    for (let round = 0; round < 2; round += 1) {
      expect(callerOf()).toBeDefined();
      await runSecondProcess(path, 'suspendOrganisation', 'acme');
      expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'suspended' });
      expect(store.pollCallers()(token.tokenText)).toBeUndefined();
      await runSecondProcess(path, 'resumeOrganisation', 'acme');
    }
    expect(callerOf(other.tokenText)).toBe(ofOther);
  });

  test.each([
    ['UPDATE organisation SET suspended = 1', 'suspended'],
    ['UPDATE token SET revoked = 1', 'revoked'],
    ['UPDATE token SET expires = 1', 'expired'],
    ['UPDATE token SET hash = zeroblob(32)', 'unknown'],
    ['DELETE FROM token', 'unknown'],
  ])('a kept caller is refused after %s by hand', (statement, refusal) => {
    expect(callerOf()).toBeDefined();
    changeByHand(path, (byHand) => byHand.exec(statement));
    expect(store.findCaller(token.tokenText)).toMatchObject({ isAccepted: false, refusal });
  });

  test('a kept caller ends with its token, and nobody writes', () => {
    expect(callerOf()).toBeDefined();
    now += 1000;
    expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'expired' });
  });

  test('the rights of a kept caller begin and end with the days of a grant, and nobody writes', async () => {
    const { tokenText } = await store.createToken({ organisationId: 'acme', name: 'without end' });
    await store.addGrant('acme', {
      ...wholeGrant('', 'shop.*'),
      starts: now + 100,
      ends: now + 200,
    });
    const grantsOf = () => callerOf(tokenText)?.rights.grants.length;
    const seen = [0, 99, 1, 99, 1].map((passed) => {
      now += passed;
      return grantsOf();
    });
    expect(seen).toEqual([0, 0, 1, 1, 0]);
  });

  test('the rights of a kept caller change with its grants and limits', async () => {
    const before = callerOf();
    await runSecondProcess(path, 'addGrant', 'acme');
    expect(callerOf()?.rights.grants).toHaveLength(1);
    await runSecondProcess(path, 'setLimits', 'acme');
    expect(callerOf()?.rights.limits).toEqual({ rowsPerDay: 3 });
    expect(callerOf()).not.toBe(before);
  });

  test('a change keeps the callers of other tokens and organisations', async () => {
    const { tokenText } = await store.createToken({ organisationId: 'acme', name: 'y' });
    await store.createOrganisation({ id: 'other', name: 'Other' });
    const other = await store.createToken({ organisationId: 'other', name: 'z' });
    const [caller, ofSame, ofOther] = [callerOf(), callerOf(tokenText), callerOf(other.tokenText)];
    await runSecondProcess(path, 'revokeToken', token.tokenId);
    expect(callerOf()).toBeUndefined();
    expect(callerOf(tokenText)).toBe(ofSame);
    await runSecondProcess(path, 'addGrant', 'acme');
    expect(callerOf(tokenText)).not.toBe(ofSame);
    expect(callerOf(other.tokenText)).toBe(ofOther);
    expect(caller).toBeDefined();
  });

  test.each([999, 1000, 1001, 3000])(
    'of %i changes since the last look none is missed',
    async (changes) => {
      const { tokenText } = await store.createToken({ organisationId: 'acme', name: 'y' });
      expect(callerOf(tokenText)).toBeDefined();
      const caller = callerOf();
      const other = await openControlStore(path);
      await other.revokeToken(token.tokenId);
      await other.close();
      changeByHand(path, (database) => {
        const change = database.prepare('UPDATE token SET scopes = scopes WHERE id <> ?');
        for (let made = 1; made < changes; made += 1) change.run(token.tokenId);
      });
      const byHand = new DatabaseSync(path);
      const { count = 0 } =
        byHand.prepare('SELECT count(*) AS count FROM caller_change').get() ?? {};
      byHand.close();
      expect(count).toBe(Math.min(changes, 1000));
      expect(caller).toBeDefined();
      expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'revoked' });
      expect(callerOf(tokenText)).toBeDefined();
    },
  );

  test('changes that cannot be read are read with the next request', async () => {
    expect(callerOf()).toBeDefined();
    await runSecondProcess(path, 'revokeToken', token.tokenId);
    const failing = vi.spyOn(StatementSync.prototype, 'all').mockImplementationOnce(() => {
      throw new Error('disk I/O error');
    });
    expect(() => store.findCaller(token.tokenText)).toThrow('disk I/O error');
    failing.mockRestore();
    expect(store.findCaller(token.tokenText)).toMatchObject({ refusal: 'revoked' });
  });

  test('the use of a token in another process drops no kept caller', async () => {
    const caller = callerOf();
    const other = await openControlStore(path, { clock: () => now });
    other.findCaller(token.tokenText);
    await other.close();
    expect(store.listTokens()[0]?.lastUsed).toBe(now);
    expect(callerOf()).toBe(caller);
  });

  test('the callers of a file that was replaced are read from the new one', async () => {
    const before = inFolder('before.sqlite');
    const backup = inFolder('backup.sqlite');
    store.copyTo(before);
    const added = await store.createToken({ organisationId: 'acme', name: 'added since' });
    expect(callerOf(added.tokenText)).toBeDefined();
    expect(callerOf()).toBeDefined();
    copyFileSync(before, backup);
    renameSync(backup, path);
    await nextLoopTick();
    expect(store.findCaller(added.tokenText)).toMatchObject({ refusal: 'unknown' });
    expect(callerOf()).toBeDefined();
  });
});
