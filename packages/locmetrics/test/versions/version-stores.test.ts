// @module-tag slow

import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import { NOTHING_CURRENT, readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { listSwitches } from '@locmetrics/data-directory/versions/switch-versions';
import type { VersionStore } from '@locmetrics/data-directory/versions/version-store';
import { readWithdrawnMark } from '@locmetrics/data-directory/versions/withdrawn-mark';
import { removePublished } from '@locmetrics/ingest/publish/remove-published';
import { rollBack, withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { runSwitching } from './run-switching.ts';
import { publishSmall } from './small-version.ts';
import type { SwitchingStep } from './switching-process.ts';
import { openCluster } from './version-cluster.ts';

/** A store under test. For files all nodes are processes with the same data directory. */
type Opened = {
  readonly store: VersionStore;
  /** Another machine, or another process; it is closed with this one at the latest. */
  readonly openOther: () => Promise<OtherStore>;
  readonly url?: string;
  /** As if the time had passed after which versions that are not kept can be removed. */
  readonly passTime: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type OtherStore = { readonly store: VersionStore; readonly close: () => Promise<void> };

let server: RunningPostgres | undefined;
beforeAll(async () => {
  if (hasPostgres()) server = await startPostgres();
});
afterAll(() => server?.end());

const openFiles = async (): Promise<Opened> => {
  const root = temporaryFolder();
  const store = fileVersions(dataDirectory(root));
  return {
    store,
    openOther: async () => ({ store, close: async () => {} }),
    passTime: async () => {},
    close: () => rm(root, { recursive: true }),
  };
};

const openShared = async (): Promise<Opened> => {
  if (server === undefined) throw new Error('There is no PostgreSQL.');
  const cluster = await openCluster(await server.createDatabase('versions'));
  const { store, postgres } = await cluster.openNode();
  return {
    store,
    openOther: cluster.openNode,
    url: cluster.url,
    passTime: async () => {
      await postgres.query(`UPDATE unkept_version SET since = since - interval '1 day'`);
    },
    close: cluster.close,
  };
};

/** A step of so many is tried, other ones with another seed. */
const EVERY = testCount('SWITCH_STEPS_EVERY', { few: 60, all: 1 });

describe.each([
  { name: 'files', open: openFiles, isMissing: false },
  { name: 'PostgreSQL', open: openShared, isMissing: !hasPostgres() },
])('versions in $name (skipped where PostgreSQL is not installed)', ({ open, isMissing }) => {
  if (isMissing) {
    test.skip('PostgreSQL is not installed', () => {});
    return;
  }
  let opened: Opened;
  let store: VersionStore;
  let directory: DataDirectory;
  beforeEach(async () => {
    opened = await open();
    ({ store } = opened);
    ({ directory } = store);
  });
  afterEach(() => opened.close());

  const readOther = async () => {
    const { store: other, close } = await opened.openOther();
    await other.bringUpToDate();
    await close();
    return { other, current: readCurrentFile(other.directory.current) };
  };
  /** Expects that the current versions can be served everywhere, from their files. */
  const expectServed = async (): Promise<void> => {
    const { other, current } = await readOther();
    const { datasets } = openCatalog(other.directory).snapshot();
    for (const [name, { version }] of Object.entries(current.datasets)) {
      expect(datasets.get(name)?.version).toBe(version);
    }
  };
  const base = () => ({ directory, store, clock: Date.now });

  test('before the first publish nothing is current', async () => {
    expect(readCurrentFile(directory.current)).toBe(NOTHING_CURRENT);
    await store.whileNoneSwitches(async ({ current }) => {
      expect(current()).toEqual(NOTHING_CURRENT);
    });
    expect((await readOther()).current).toBe(NOTHING_CURRENT);
  });

  test('a switch makes all its versions current at once, with their files', async () => {
    const made = await publishSmall(store, ['a.a', 'b.b']);
    expect(made).toMatchObject({ number: 1, by: 'publish' });
    const { other, current } = await readOther();
    expect(current).toEqual(readCurrentFile(directory.current));
    for (const { dataset, version } of made.datasets) {
      expect(current.datasets[dataset]).toMatchObject({ version, kept: [version] });
      expect(await readdir(other.directory.version(dataset, version))).toEqual([
        'report.json',
        'version.json',
      ]);
    }
    await expectServed();
    expect(await readdir(directory.temporary)).toHaveLength(1);
  });

  test('work that throws changes nothing, and the next switch does not wait for it', async () => {
    await publishSmall(store, ['a.a']);
    const before = readCurrentFile(directory.current);
    const failing = store.whileNoneSwitches(async () => {
      throw new Error('No.');
    });
    await expect(failing).rejects.toThrow('No.');
    expect((await readOther()).current).toEqual(before);
    expect((await publishSmall(store, ['a.a'])).number).toBe(2);
  });

  test('a rollback, a withdrawal and a removal are switches with a history', async () => {
    const [first] = (await publishSmall(store, ['a.a', 'b.b'])).datasets;
    const [second] = (await publishSmall(store, ['a.a'])).datasets;
    await rollBack({ ...base(), datasetName: 'a.a', version: undefined, isTogether: false });
    expect((await readOther()).current.datasets['a.a']?.version).toBe(first?.version);
    await withdrawVersion({ ...base(), version: second?.version ?? '' });
    const { other, current } = await readOther();
    expect(current.datasets['a.a']).toMatchObject({
      version: first?.version,
      kept: [first?.version],
      withdrawn: [{ version: second?.version }],
    });
    const mark = readWithdrawnMark(other.directory.version('a.a', second?.version ?? ''));
    expect(mark).toBe(current.datasets['a.a']?.withdrawn[0]?.time);
    await removePublished({ ...base(), datasetName: 'b.b', endsOtherMetrics: false });
    const after = (await readOther()).current;
    expect(Object.keys(after.datasets)).toEqual(['a.a']);
    expect(listSwitches(after).map(({ by }) => by)).toEqual([
      'publish',
      'publish',
      'rollback',
      'withdrawal',
      'removal',
    ]);
    await expectServed();
  });

  test('versions past their retention are removed everywhere, once no node can use them', async () => {
    const versions: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      versions.push((await publishSmall(store, ['a.a'])).datasets[0]?.version ?? '');
    }
    await publishSmall(store, ['b.b']);
    await removePublished({ ...base(), datasetName: 'b.b', endsOtherMetrics: false });
    const retention = { versions: 2, milliseconds: 0 };
    const first = await collectGarbage(store, { retention, now: Date.now() });
    await opened.passTime();
    const second = await collectGarbage(store, { now: Date.now() });
    const removed = [...first.removed, ...second.removed].map(({ path }) => path);
    expect(removed.filter((path) => path.includes('a.a'))).toEqual([
      `versions/a.a/${versions[0]}`,
      `versions/a.a/${versions[1]}`,
    ]);
    const { other } = await readOther();
    for (const one of [directory, other.directory]) {
      expect(await readdir(one.versions)).toEqual(['a.a']);
      expect((await readdir(one.datasetVersions('a.a'))).sort()).toEqual(versions.slice(2).sort());
    }
    expect(await collectGarbage(store, { now: Date.now() })).toEqual({ removed: [], held: [] });
  });

  test('a second publish has to wait for the lock of the first', async () => {
    const lock = await store.takePublishLock();
    const { store: other } = await opened.openOther();
    expect(await other.takePublishLock()).toBeUndefined();
    await lock?.release();
    const next = await other.takePublishLock();
    expect(next).toBeDefined();
    await next?.release();
  });

  test('processes that switch at once make all their switches, each upon the one before', {
    timeout: 600_000,
  }, async () => {
    const seed = announceSeed('concurrent switches');
    const processes = 3;
    const each = 4;
    const works = await Promise.all(
      Array.from({ length: processes }, async (_, index) => {
        const { directory: own } = (await opened.openOther()).store;
        const steps = Array.from({ length: each }, (__, step): SwitchingStep => {
          const isBoth = (seed + index * 7 + step * 3) % 4 === 0;
          return { kind: 'publish', datasets: isBoth ? ['a.a', 'b.b'] : [`${'ab'[index % 2]}.c`] };
        });
        return { root: own.root, url: opened.url, by: `process ${index}`, steps };
      }),
    );
    const ended = await Promise.all(works.map((work) => runSwitching(work)));
    expect(ended.map(({ code, messages }) => ({ code, messages }))).toEqual(
      ended.map(() => ({ code: 0, messages: '' })),
    );
    const numbers = ended.flatMap(({ switches }) => switches).sort((left, right) => left - right);
    expect(numbers).toEqual(Array.from({ length: processes * each }, (_, index) => index + 1));
    const { current } = await readOther();
    expect(current.lastSwitch).toBe(processes * each);
    expect(listSwitches(current)).toHaveLength(processes * each);
    await expectServed();
  });

  test.each<{ readonly what: string; readonly steps: readonly SwitchingStep[] }>([
    { what: 'publish', steps: [{ kind: 'publish', datasets: ['a.a', 'b.b'] }] },
    { what: 'rollback', steps: [{ kind: 'rollback', dataset: 'a.a' }] },
    { what: 'withdrawal', steps: [{ kind: 'withdraw', dataset: 'a.a' }] },
    { what: 'removal of old versions', steps: [{ kind: 'collect', versions: 1 }] },
  ])(
    'a $what that is killed after any step changes nothing or everything',
    {
      tags: 'slow',
      timeout: 1_800_000,
    },
    async ({ what, steps }) => {
      const seed = announceSeed(`killed ${what}`);
      await publishSmall(store, ['a.a', 'b.b']);
      const killedAt: string[] = [];
      for (let step = 1 + (seed % EVERY), isKilled = true; isKilled; step += EVERY) {
        await publishSmall(store, ['a.a', 'b.b']);
        await opened.passTime();
        const before = readCurrentFile(directory.current);
        const work = { root: directory.root, url: opened.url, by: 'killed', steps };
        const ended = await runSwitching(work, { killAtStep: step });
        isKilled = ended.signal === 'SIGKILL';
        if (!isKilled) expect(ended).toMatchObject({ code: 0, messages: '' });
        else killedAt.push(ended.messages);
        const place = `${what}, step ${step}: ${ended.messages}`;
        const { current } = await readOther();
        const isMade = current.lastSwitch === before.lastSwitch + 1;
        expect(isMade || current.lastSwitch === before.lastSwitch, place).toBe(true);
        if (what !== 'removal of old versions') {
          if (!isMade) expect(current, place).toEqual(before);
          if (!isKilled) expect(isMade, place).toBe(true);
        }
        await expectServed();
        await store.bringUpToDate();
        expect(readCurrentFile(directory.current), place).toEqual(current);
        await publishSmall(store, ['a.a']);
        await opened.passTime();
        await collectGarbage(store, {
          retention: { versions: 3, milliseconds: 0 },
          now: Date.now(),
        });
        const { kept = [] } = readCurrentFile(directory.current).datasets['a.a'] ?? {};
        expect((await readdir(directory.datasetVersions('a.a'))).sort(), place).toEqual(
          [...kept].sort(),
        );
      }
      // The rollback of files has the fewest steps.
      if (EVERY === 1) expect(killedAt.length).toBeGreaterThan(3);
      expect(existsSync(directory.switchIntention)).toBe(false);
    },
  );
});
