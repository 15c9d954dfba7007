import { renameSync, rmSync } from 'node:fs';
import type { Catalog, CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';
import { type FileControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import {
  pollOncePerTick,
  type SharedPolls,
} from '@locmetrics/server/service/queries/poll-once-per-tick';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder('test');

let path: string;
let now: number;
let store: FileControlStore;
let other: FileControlStore;
let token: { readonly tokenText: string; readonly tokenId: string };
let current: CatalogSnapshot;
let looksAtCatalog: number;
let looks: SharedPolls;
beforeEach(() => {
  path = inFolder('control.sqlite');
  now = Date.UTC(2026, 0, 1);
  store = openControlStore(path, { clock: () => now });
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  token = store.createToken({ organisationId: 'acme', name: 'x', expiresAfterMs: 1000 });
  other = openControlStore(path, { clock: () => now });
  current = emptySnapshot();
  looksAtCatalog = 0;
  const catalog: Catalog = {
    snapshot: () => {
      looksAtCatalog += 1;
      return current;
    },
    version: () => undefined,
    versionOn: () => undefined,
    isWithdrawn: () => false,
    snapshots: () => [],
    snapshotOn: () => current,
  };
  looks = pollOncePerTick({ store, catalog });
});
afterEach(() => {
  store.close();
  other.close();
});

function emptySnapshot(): CatalogSnapshot {
  return { datasets: new Map(), layers: new Map(), metrics: new Map() };
}

/** A request that arrives now. */
function arrive<Answer>(answer: () => Answer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    looks.pollFirst(() => {
      try {
        resolve(answer());
      } catch (error) {
        reject(error);
      }
    });
  });
}

const isAccepted = () => looks.findCaller(token.tokenText).isAccepted;

test('requests that arrive in one turn share a look, in their order', async () => {
  const order: number[] = [];
  const seen = await Promise.all(
    [1, 2, 3].map((request) =>
      arrive(() => {
        order.push(request);
        return [isAccepted(), looks.catalog.snapshot()] as const;
      }),
    ),
  );
  expect(order).toEqual([1, 2, 3]);
  expect(seen).toEqual(Array(3).fill([true, current]));
  expect(looksAtCatalog).toBe(1);
});

test('a revocation and a switch hold for every request that arrives after them', async () => {
  expect(await arrive(isAccepted)).toBe(true);
  other.revokeToken(token.tokenId);
  current = emptySnapshot();
  const refusal = () => looks.findCaller(token.tokenText);
  expect(await arrive(refusal)).toMatchObject({ refusal: 'revoked' });
  expect(await arrive(looks.catalog.snapshot)).toBe(current);
});

test('a revocation between the arrival of a request and the look holds for it too', async () => {
  expect(await arrive(isAccepted)).toBe(true);
  const asking = arrive(isAccepted);
  other.revokeToken(token.tokenId);
  expect(await asking).toBe(false);
});

test('a token ends although nothing is written', async () => {
  expect(await arrive(isAccepted)).toBe(true);
  now += 1000;
  expect(await arrive(isAccepted)).toBe(false);
});

test('a token that was created after the look is found', async () => {
  const created = await arrive(() => {
    const { tokenText } = other.createToken({ organisationId: 'acme', name: 'y' });
    return looks.findCaller(tokenText);
  });
  expect(created.isAccepted).toBe(true);
});

test('a caller of a look is found although the file was replaced since, and no time of use is written to the new one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const failures: unknown[] = [];
  const followed = openControlStore(path, {
    clock: () => now,
    onLastUsedFailed: (error) => failures.push(error),
  });
  followed.findCaller(token.tokenText);
  const known = followed.pollCallers();
  // The first time of use is written after a second.
  vi.advanceTimersByTime(1500);
  for (const open of [store, other]) open.close();
  const replacement = inFolder('replacement.sqlite');
  openControlStore(replacement).close();
  renameSync(replacement, path);
  expect(followed.findCaller(token.tokenText)).toMatchObject({ refusal: 'unknown' });
  expect(known(token.tokenText)).toMatchObject({ isAccepted: true });
  vi.advanceTimersByTime(1500);
  followed.close();
  expect(failures).toEqual([]);
});

test('after a look that failed each request is refused with its reason', async () => {
  expect(await arrive(isAccepted)).toBe(true);
  store.close();
  rmSync(path);
  await expect(arrive(isAccepted)).rejects.toThrow(/control\.sqlite/);
});
