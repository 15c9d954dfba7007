import { rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { type FileControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import { fillUp, mayMount, withSmallDisk } from '../support/full-disk.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder('test');

// A small disk of its own needs the right to mount.
const onSmallDisk = test.runIf(mayMount);

onSmallDisk('on a full disk 200 tokens are revoked, one after another, each with its entry', () =>
  withFullDisk(200, (store, tokenIds) => {
    for (const tokenId of tokenIds) store.revokeToken(tokenId);
    expect(store.listTokens().map(({ state }) => state)).toEqual(tokenIds.map(() => 'revoked'));
    const entries = store.listAudit({ limit: 1000 });
    expect(entries.filter(({ action }) => action === 'token.revoke')).toHaveLength(200);
  }),
);

onSmallDisk('20 tokens are revoked although a reader keeps the log from being emptied', () =>
  withFullDisk(20, (store, tokenIds, path) => {
    const reader = new DatabaseSync(path);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM token').get();
    for (const tokenId of tokenIds) store.revokeToken(tokenId);
    reader.close();
    expect(store.listTokens().map(({ state }) => state)).toEqual(tokenIds.map(() => 'revoked'));
  }),
);

onSmallDisk(
  'an organisation is suspended on a full disk; it is resumed once there is free space',
  () =>
    withFullDisk(1, (store, _, _path, filling) => {
      expect(store.suspendOrganisation('a').hasChanged).toBe(true);
      rmSync(filling);
      expect(store.resumeOrganisation('a').hasChanged).toBe(true);
      const actions = store
        .listAudit({ organisationId: 'a', limit: 2 })
        .map(({ action }) => action);
      expect(actions).toEqual(['organisation.resume', 'organisation.suspend']);
    }),
);

onSmallDisk('a grant is removed; a change that adds something is refused and changes nothing', () =>
  withFullDisk(1, (store, _, path) => {
    const before = store.listAudit({ limit: 1000 }).length;
    const added = [
      () => store.createOrganisation({ name: 'B' }),
      () => store.createToken({ organisationId: 'a', name: 'x' }),
      () => store.addGrant('a', wholeGrant('', 'other.*')),
      () => store.setLimits('a', { rowsPerDay: 1 }),
    ];
    for (const add of added) {
      expect(add).toThrow(
        expect.objectContaining({
          message: `The disk of ${path.slice(0, path.lastIndexOf('/'))} is full: nothing was changed.`,
          hint: 'Free some space, for example with locmetrics gc. Tokens can still be revoked, grants removed and organisations suspended.',
        }),
      );
    }
    expect(store.listAudit({ limit: 1000 })).toHaveLength(before);
    const [grant] = store.listGrants();
    store.removeGrant(grant?.grant.grantId ?? '');
    expect(store.listGrants()).toEqual([]);
  }),
);

onSmallDisk('the space is reserved again once there is free space', () =>
  withFullDisk(1, (store, [tokenId = ''], path, filling) => {
    store.revokeToken(tokenId);
    expect(statSync(`${path}-reserve`).size).toBeLessThan(2 ** 20);
    rmSync(filling);
    store.createOrganisation({ name: 'B' });
    store.close();
    expect(statSync(`${path}-reserve`).size).toBe(2 ** 20);
  }),
);

/** A store with an organisation `a`, a grant and some tokens, on a completely full disk. */
function withFullDisk(
  tokens: number,
  work: (
    store: FileControlStore,
    tokenIds: readonly string[],
    path: string,
    filling: string,
  ) => void,
): Promise<void> {
  const root = inFolder('disk');
  return withSmallDisk(root, '12m', async () => {
    const path = `${root}/control.sqlite`;
    const store = openControlStore(path);
    try {
      store.createOrganisation({ name: 'A', id: 'a' });
      store.addGrant('a', wholeGrant('', '*'));
      const tokenIds = Array.from(
        { length: tokens },
        () => store.createToken({ organisationId: 'a', name: 'x' }).tokenId,
      );
      fillUp(`${root}/filling`);
      // Uses the remaining space of the log.
      expect(() => {
        for (;;) store.createOrganisation({ name: 'Filling' });
      }).toThrow('is full');
      work(store, tokenIds, path, `${root}/filling`);
    } finally {
      store.close();
    }
  });
}
