// @module-tag slow

import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { followChanges } from '@locmetrics/cluster/postgres/follow-changes';
import { openPostgres } from '@locmetrics/cluster/postgres/open-postgres';
import { SwitchOvertakenError } from '@locmetrics/cluster/versions/commit-switch';
import { mirrorVersions } from '@locmetrics/cluster/versions/mirror-versions';
import { sharedVersions } from '@locmetrics/cluster/versions/shared-versions';
import { stampOf } from '@locmetrics/data-directory/files/durable-file';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { SwitchLockedError } from '@locmetrics/data-directory/versions/switch-lock';
import { switchTo } from '@locmetrics/data-directory/versions/switch-versions';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { atLeast, testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { runSwitching } from './run-switching.ts';
import { publishSmall } from './small-version.ts';
import type { SwitchingStep } from './switching-process.ts';
import { openCluster, type TestCluster, type TestNode } from './version-cluster.ts';

describe.skipIf(!hasPostgres())(
  'mirrors of versions (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let cluster: TestCluster;
    let node: TestNode;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      cluster = await openCluster(await server.createDatabase('versions'));
      node = await cluster.openNode();
    });
    afterEach(() => cluster.close());

    const currentOf = ({ directory }: TestNode) => readCurrentFile(directory.current);

    it('makes a lost mirror, and what is lost or changed of one, again', async () => {
      await publishSmall(node.store, ['a.a', 'b.b']);
      const other = await cluster.openNode();
      const { directory } = other;
      const before = await readTree(directory.root);
      const changes: readonly (() => Promise<void>)[] = [
        () => rm(directory.root, { recursive: true }),
        () => rm(directory.current),
        () =>
          rm(directory.mirror)
            .then(() => rm(directory.current))
            .then(emptyVersions),
        () => writeFile(directory.mirror, '{'),
        () => rm(directory.versions, { recursive: true }),
        () => rm(directory.datasetVersions('a.a'), { recursive: true }),
        () => writeFile(directory.current, 'damaged'),
      ];
      async function emptyVersions() {
        await rm(directory.versions, { recursive: true });
      }
      for (const change of changes) {
        await change();
        await mirrorVersions(other.postgres, directory, { isThorough: true });
        expect(await readTree(directory.root)).toEqual(before);
      }
    });

    it('notices a lost mirror while it follows', async () => {
      await publishSmall(node.store, ['a.a']);
      const other = await cluster.openNode();
      await rm(other.directory.root, { recursive: true });
      await other.store.bringUpToDate();
      expect(currentOf(other)).toEqual(currentOf(node));
      // A folder of which a part is to change is copied as a whole.
      await publishSmall(node.store, ['a.a']);
      const [first = ''] = currentOf(node).datasets['a.a']?.kept ?? [];
      await other.store.bringUpToDate();
      await rm(other.directory.version('a.a', first), { recursive: true });
      await node.store.whileNoneSwitches(async ({ current, replaceCurrent }) => {
        const withdrawn = { versions: [{ datasetName: 'a.a', version: first }], time: 'now' };
        await replaceCurrent(current(), { withdrawn });
      });
      await other.store.bringUpToDate();
      expect(await readdir(other.directory.version('a.a', first))).toContain('version.json');
    });

    it('changes no file if nothing has changed', async () => {
      await publishSmall(node.store, ['a.a']);
      const before = stampOf(node.directory.current);
      await node.store.bringUpToDate();
      await mirrorVersions(node.postgres, node.directory, { isThorough: true });
      expect(stampOf(node.directory.current)).toBe(before);
    });

    it('refuses a data directory with versions of its own, and leaves them', async () => {
      const root = join(node.directory.root, '..', 'own');
      const own = fileVersions(dataDirectory(root));
      await publishSmall(own, ['a.a']);
      const before = await readTree(root);
      const shared = sharedVersions({ ...node, directory: own.directory, usesForMs: 0 });
      await expect(shared.bringUpToDate()).rejects.toThrow(`${root} has its own versions`);
      expect(await readTree(root)).toEqual(before);
    });

    it('is not switched by its files alone', async () => {
      const files = fileVersions(node.directory);
      await expect(publishSmall(files, ['a.a'])).rejects.toThrow('is a mirror of a PostgreSQL');
      expect(existsSync(node.directory.current)).toBe(false);
    });

    it('follows a store that was made anew', async () => {
      await publishSmall(node.store, ['a.a']);
      const second = await openCluster(await server.createDatabase('versions'));
      const moved = await second.openNode({ directory: node.directory });
      expect(existsSync(node.directory.current)).toBe(false);
      expect(await readdir(node.directory.versions)).toEqual([]);
      await publishSmall(moved.store, ['b.b']);
      expect(Object.keys(currentOf(node).datasets)).toEqual(['b.b']);
      await second.close();
    });

    it('refuses a switch after the lock was lost and another node has switched', async () => {
      await publishSmall(node.store, ['a.a']);
      const other = await cluster.openNode();
      const overtaken = node.store.whileNoneSwitches(async ({ current, replaceCurrent }) => {
        await endConnections(node);
        const made = await publishSmall(other.store, ['b.b']);
        expect(made.number).toBe(2);
        const version = current().datasets['a.a']?.version ?? '';
        const next = switchTo(current(), new Map([['a.a', version]]), { by: 'rollback', now: 0 });
        await replaceCurrent(next);
      });
      await expect(overtaken).rejects.toBeInstanceOf(SwitchOvertakenError);
      await node.store.bringUpToDate();
      expect(currentOf(node)).toMatchObject({ lastSwitch: 2 });
      expect(Object.keys(currentOf(node).datasets)).toEqual(['a.a', 'b.b']);
    });

    it('waits for the lock of another node only as long as it should', async () => {
      const other = await cluster.openNode();
      await node.store.whileNoneSwitches(async () => {
        for (const waitMs of [0, 50]) {
          const waiting = other.store.whileNoneSwitches(async () => {}, waitMs);
          await expect(waiting).rejects.toBeInstanceOf(SwitchLockedError);
        }
      });
      await other.store.whileNoneSwitches(async () => {}, 0);
    });

    /** Ends the connection that holds the switch lock, as a network does. */
    async function endConnections({ postgres }: TestNode): Promise<void> {
      const holders = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      const ended = await postgres.query(
        `SELECT pg_terminate_backend(pid) FROM (${holders}) AS one`,
      );
      expect(ended).toHaveLength(1);
      await expect.poll(async () => (await postgres.query(holders)).length).toBe(0);
    }

    it('says clearly that nothing can be switched while PostgreSQL is away, and goes on after it', async () => {
      await publishSmall(node.store, ['a.a']);
      await server.stop('immediate');
      await expect(publishSmall(node.store, ['a.a'])).rejects.toMatchObject({
        kind: 'away',
        message: expect.stringContaining('cannot be reached'),
      });
      // Requests are answered from the mirror meanwhile.
      expect(openCatalog(node.directory).snapshot().datasets.size).toBe(1);
      await server.start();
      expect((await publishSmall(node.store, ['a.a'])).number).toBe(2);
    });

    it('shows readers each state in order, with the files of its versions, while several processes switch', {
      timeout: 600_000,
      tags: 'slow',
    }, async () => {
      const seed = announceSeed('switches that a mirror follows');
      const reader = await cluster.openNode();
      const follower = openPostgres(cluster.url);
      const failures: unknown[] = [];
      const states: number[] = [];
      const look = () => mirrorVersions(follower, reader.directory);
      const following = followChanges(follower, look, (error) => failures.push(error));
      let isOver = false;
      const problems: string[] = [];
      const reading = (async () => {
        const catalog = openCatalog(reader.directory);
        while (!isOver) {
          const before = readCurrentFile(reader.directory.current);
          const { datasets } = catalog.snapshot();
          const after = readCurrentFile(reader.directory.current);
          states.push(after.lastSwitch);
          for (const [name, { version }] of Object.entries(before.datasets)) {
            const served = datasets.get(name)?.version;
            const now = after.datasets[name];
            const isKnown = now?.history.some((one) => one.version === served) === true;
            if (served !== version && !isKnown) problems.push(`${name}: ${served} at ${version}`);
          }
          await nextLoopTick();
        }
      })();
      const count = testCount('SWITCHES', { few: 6, all: 25 });
      const works = await Promise.all(
        ['one', 'two'].map(async (by, index) => {
          const { directory } = await cluster.openNode();
          const steps = Array.from({ length: count }, (_, step): SwitchingStep => {
            const isBoth = (seed + step * 5) % 3 === 0;
            return { kind: 'publish', datasets: isBoth ? ['a.a', 'b.b'] : [`${'ab'[index]}.a`] };
          });
          return { root: directory.root, url: cluster.url, by, steps };
        }),
      );
      const ended = await Promise.all(works.map((work) => runSwitching(work)));
      expect(ended.map(({ messages }) => messages)).toEqual(['', '']);
      await expect.poll(() => states.at(-1)).toBe(2 * count);
      isOver = true;
      await reading;
      await following.close();
      await follower.close();
      expect(problems).toEqual([]);
      expect(states).toEqual(states.toSorted((left, right) => left - right));
      expect(new Set(states).size).toBeGreaterThan(atLeast(5));
      expect(failures).toEqual([]);
    });

    it('serves a switch of another node as soon as it is notified, without its poll', async () => {
      vi.useFakeTimers({ toFake: ['setInterval'] });
      onTestFinished(() => {
        vi.useRealTimers();
      });
      const reader = await cluster.openNode();
      const failures: unknown[] = [];
      const following = followChanges(
        reader.postgres,
        () => reader.store.bringUpToDate(),
        (error) => failures.push(error),
      );
      const catalog = openCatalog(reader.directory);
      const served = () => catalog.snapshot().datasets.get('a.a')?.version;
      for (let count = 0; count < 10; count += 1) {
        const before = served();
        await publishSmall(node.store, ['a.a']);
        await expect.poll(served).not.toBe(before);
      }
      await following.close();
      expect(failures).toEqual([]);
    });
  },
);

/** The files with their content, but not locks. */
async function readTree(root: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile() && !/lock|reserve/.test(one.name));
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(root.length), await readFile(path, 'utf8')];
  });
  return Object.fromEntries((await Promise.all(read)).toSorted());
}
