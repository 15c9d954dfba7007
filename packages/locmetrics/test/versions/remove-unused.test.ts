// @module-tag slow

import { listNodes, openNodeReports } from '@locmetrics/cluster/versions/node-reports';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import { openVersionLease } from '@locmetrics/data-directory/versions/version-lease';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { publishSmall } from './small-version.ts';
import { openCluster, type TestCluster, type TestNode } from './version-cluster.ts';

const USES_FOR_MS = 60_000;
const CURRENT_ALONE = { versions: 1, milliseconds: 0 };

describe.skipIf(!hasPostgres())(
  'removal of versions that nodes share (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let cluster: TestCluster;
    let node: TestNode;
    let other: TestNode;
    /** The removals asked for besides PostgreSQL. */
    let removedData: LeasedVersion[];
    let failsRemoval: boolean;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    const tables: VersionDatabase = {
      name: 'a database under test',
      list: async () => [],
      load: async () => {},
      complete: async () => {},
      remove: async ({ datasetName, version, isLoading }) => {
        if (failsRemoval) throw new Error('The database of the rows is away.');
        if (!isLoading) removedData.push({ datasetName, version });
      },
      close: async () => {},
    };
    beforeEach(async () => {
      removedData = [];
      failsRemoval = false;
      cluster = await openCluster(await server.createDatabase('versions'));
      node = await cluster.openNode({
        usesForMs: USES_FOR_MS,
        database: tables,
      });
      other = await cluster.openNode({ usesForMs: USES_FOR_MS });
    });
    afterEach(() => cluster.close());

    /** Publishes twice; returns the name of the first version, which nothing keeps if it is collected. */
    const publishTwice = async (): Promise<string> => {
      const made = await publishSmall(node.store, ['a.a']);
      await publishSmall(node.store, ['a.a']);
      await other.store.bringUpToDate();
      return made.datasets[0]?.version ?? '';
    };
    const collect = async () => {
      const { removed, held } = await collectGarbage(node.store, {
        retention: CURRENT_ALONE,
        now: Date.now(),
      });
      const ofVersions = (list: readonly { readonly path: string }[]) =>
        list.map(({ path }) => path).filter((path) => path.startsWith('versions'));
      return { removed: ofVersions(removed), held: ofVersions(held) };
    };
    /** Changes times in the database as if this much had passed since then. */
    const passTime = async (milliseconds: number): Promise<void> => {
      for (const [table, column] of [
        ['unkept_version', 'since'],
        ['node', 'last_seen'],
      ]) {
        await node.postgres.query(
          `UPDATE ${table} SET ${column} = ${column} - $1 * interval '1 ms'`,
          [milliseconds],
        );
      }
    };
    const openReports = ({ postgres, directory }: TestNode, usesForMs = USES_FOR_MS) =>
      openNodeReports({ postgres, directory, release: '1.2.3', usesForMs });

    it('lets a page token use its version on every node until it is kept no more, and removes it later', async () => {
      const version = await publishTwice();
      const catalogs = [node, other].map(({ directory }) => openCatalog(directory));
      for (const catalog of catalogs)
        expect(catalog.version('a.a', version)?.version).toBe(version);
      expect(await collect()).toEqual({ removed: [], held: [`versions/a.a/${version}`] });
      // The other node has not heard of it yet, so it may still read the version.
      const [here, there] = catalogs;
      expect(here?.version('a.a', version)).toBeUndefined();
      expect(there?.version('a.a', version)?.version).toBe(version);
      await other.store.bringUpToDate();
      expect(there?.version('a.a', version)).toBeUndefined();
      await passTime(USES_FOR_MS - 30_000);
      expect((await collect()).removed).toEqual([]);
      expect(removedData).toEqual([]);
      await passTime(30_000);
      expect(await collect()).toEqual({ removed: [`versions/a.a/${version}`], held: [] });
      expect(removedData).toEqual([{ datasetName: 'a.a', version }]);
    });

    it('waits as long as the node that may use versions longest', async () => {
      const version = await publishTwice();
      await collect();
      const reports = await openReports(other, 3 * USES_FOR_MS);
      await passTime(2 * USES_FOR_MS);
      expect((await collect()).removed).toEqual([]);
      await reports.close();
      expect((await collect()).removed).toEqual([`versions/a.a/${version}`]);
    });

    it('keeps what a live node has leased, for as long as that may take, and not what a dead one had', async () => {
      const version = await publishTwice();
      const lease = openVersionLease({ directory: other.directory, holdMs: 0 });
      lease.holdCurrent([{ datasetName: 'a.a', version }]);
      const reports = await openReports(other);
      await collect();
      await passTime(10 * USES_FOR_MS);
      await node.postgres.query('UPDATE node SET last_seen = clock_timestamp()');
      expect(await collect()).toEqual({ removed: [], held: [`versions/a.a/${version}`] });
      const [listed] = await listNodes(node.postgres.query);
      expect(listed).toMatchObject({
        id: reports.id,
        release: '1.2.3',
        isLive: true,
        usesForMs: USES_FOR_MS,
        leased: [`a.a/${version}`],
      });
      // It was killed: its report gets old, and is not taken back.
      await passTime(2 * USES_FOR_MS);
      expect((await listNodes(node.postgres.query))[0]?.isLive).toBe(false);
      expect((await collect()).removed).toEqual([`versions/a.a/${version}`]);
      lease.close();
      await reports.close();
      expect(await listNodes(node.postgres.query)).toEqual([]);
    });

    it('reports leases again and again', { tags: 'slow' }, async () => {
      const version = await publishTwice();
      const reports = await openReports(other);
      const leased = async () => (await listNodes(node.postgres.query))[0]?.leased;
      expect(await leased()).toEqual([]);
      const lease = openVersionLease({ directory: other.directory, holdMs: 0 });
      lease.holdCurrent([{ datasetName: 'a.a', version }]);
      await expect.poll(leased).toEqual([`a.a/${version}`]);
      lease.close();
      await reports.close();
    });

    it('removes nothing just after the database has started, because no node could report', async () => {
      const version = await publishTwice();
      const careful = await cluster.openNode({ usesForMs: 0, marginMs: 24 * 3_600_000 });
      await collect();
      await passTime(10 * 24 * 3_600_000);
      const { removed } = await collectGarbage(careful.store, { now: Date.now() });
      expect(removed).toEqual([]);
      expect((await collect()).removed).toEqual([`versions/a.a/${version}`]);
    });

    it('finds a version again whose data could not be removed', async () => {
      const version = await publishTwice();
      await collect();
      await passTime(10 * USES_FOR_MS);
      failsRemoval = true;
      await expect(collect()).rejects.toThrow('The database of the rows is away.');
      failsRemoval = false;
      expect((await collect()).removed).toEqual([`versions/a.a/${version}`]);
    });

    it('removes the data of a killed publish, but not while a publish runs', async () => {
      await publishTwice();
      const announced = { datasetName: 'b.b', version: '20240101T000000000Z-0123456789ab' };
      const lock = await other.store.takePublishLock();
      await other.store.announce([announced]);
      await collect();
      expect(removedData).toEqual([]);
      await lock?.release();
      await collect();
      expect(removedData).toEqual([announced]);
      await collect();
      expect(removedData).toHaveLength(1);
    });

    it('does not let a publish switch to data that were removed because it was cut off', async () => {
      await publishTwice();
      const late = publishSmall(
        {
          ...other.store,
          announce: async (versions) => {
            await other.store.announce(versions);
            await collect();
            expect(removedData).toHaveLength(1);
          },
        },
        ['b.b'],
      );
      await expect(late).rejects.toThrow('were removed, because its publish lost its connection');
      await other.store.bringUpToDate();
      expect(openCatalog(other.directory).snapshot().datasets.size).toBe(1);
    });
  },
);
