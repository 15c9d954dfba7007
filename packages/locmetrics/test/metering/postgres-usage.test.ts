// @module-tag slow

import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPostgres } from '@locmetrics/cluster/postgres/open-postgres';
import { copyUsage } from '@locmetrics/cluster/usage/copy-usage';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import type { UsagePlace } from '@locmetrics/server/metering/usage-files';
import { toUsageLine } from '@locmetrics/server/metering/usage-line';
import { openUsageMerger } from '@locmetrics/server/metering/usage-merger';
import type { UsageQuery } from '@locmetrics/server/metering/usage-query';
import { openUsageReader } from '@locmetrics/server/metering/usage-reader';
import type { Observation } from '@locmetrics/server/observe/observation';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { USAGE_THREAD } from '../../src/compose/open-data.ts';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { openProxy } from '../postgres/open-proxy.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { RECORD } from './usage-record.ts';
import { readAll, requestIds, segmentEndings } from './usage-under-test.ts';

const MARCH: UsageQuery = {
  organisationId: undefined,
  from: '2026-03-01',
  to: '2026-03-31',
  groupBy: ['day'],
  after: undefined,
  rowsMax: 100,
};

describe.skipIf(!hasPostgres())(
  'usage of several nodes (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let folder: string;
    let one: UsagePlace;
    let other: UsagePlace;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      const postgres = await server.createDatabase();
      folder = temporaryFolder();
      const placeOf = (name: string) => ({
        store: join(folder, name, 'usage.sqlite'),
        segments: join(folder, name, 'usage'),
        postgres,
      });
      [one, other] = [placeOf('one'), placeOf('other')];
      for (const { segments } of [one, other]) await mkdir(segments, { recursive: true });
    });

    let segments = 0;
    const record = async (
      place: UsagePlace,
      ids: readonly string[],
      given: Partial<UsageRecord> = {},
    ): Promise<string> => {
      segments += 1;
      const path = join(place.segments, `${segments}-a.done.ndjson`);
      const lines = ids.map((requestId) => toUsageLine({ ...RECORD, ...given, requestId }));
      await writeFile(path, lines.join(''));
      return path;
    };
    const inStore = async <Result>(
      place: UsagePlace,
      work: (store: Awaited<ReturnType<typeof openUsageStore>>) => Promise<Result>,
    ): Promise<Result> => {
      const store = await openUsageStore(place);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    };
    const merge = (place: UsagePlace) => inStore(place, (store) => store.merge());
    const idsIn = async (place: UsagePlace) => requestIds(await readAll(place));
    const inFile = ({ store, segments: path }: UsagePlace): UsagePlace => ({
      store,
      segments: path,
    });

    const whileAway = async (work: () => Promise<void>) => {
      await server.stop('immediate');
      try {
        await work();
      } finally {
        await server.start();
      }
    };

    test('a query has what this node recorded before, and what others have merged', async () => {
      await record(one, ['one-1']);
      await merge(one);
      await record(one, ['one-2']);
      await record(other, ['other-1', 'other-2']);
      expect(await idsIn(other)).toEqual(['one-1', 'other-1', 'other-2']);
      expect(await idsIn(one)).toEqual(['one-1', 'one-2', 'other-1', 'other-2']);
    });

    test.each(['before', 'after'] as const)(
      'a chunk is merged once if the connection is lost %s its commit',
      async (when) => {
        const proxy = await openProxy(one.postgres ?? '');
        await record(one, ['1', '2', '3']);
        await inStore({ ...one, postgres: proxy.url }, async (store) => {
          await store.merge();
          await record(one, ['4', '5']);
          proxy.cutAtCommit(when);
          await expect(store.merge()).rejects.toMatchObject({ kind: 'unsure' });
          expect(proxy.hasCut()).toBe(true);
          expect(await store.merge()).toEqual({
            records: when === 'before' ? 2 : 0,
            unreadableLines: 0,
          });
        });
        expect(await segmentEndings(one)).toEqual([]);
        expect(await idsIn(one)).toEqual(['1', '2', '3', '4', '5']);
      },
    );

    test('while PostgreSQL is away reports are refused, and usage waits on the disk', async () => {
      const observed: Observation[] = [];
      const observe = (happened: Observation) => observed.push(happened);
      const merger = openUsageMerger({ place: one, code: USAGE_THREAD, keepMs: 1e12, observe });
      const reader = openUsageReader({ place: one, code: USAGE_THREAD, observe });
      const read = () => reader.read(MARCH, new AbortController().signal);
      await record(one, ['1']);
      expect((await read()).total.requests).toBe(1);
      await whileAway(async () => {
        await record(one, ['2', '3']);
        await expect(read()).rejects.toMatchObject({
          name: 'ServiceError',
          code: 'UNAVAILABLE',
          message: 'Usage cannot be read now: its database cannot be reached.',
        });
        await expect.poll(() => merger.lagMs()).toBeGreaterThan(2000);
        await expect(merger.usedRows('acme')).rejects.toMatchObject({ name: 'UsageAwayError' });
        const kinds = () => observed.map(({ kind }) => kind);
        await expect.poll(kinds).toContain('usage_merge_failed');
        expect(await segmentEndings(one)).toEqual(['.done.ndjson']);
      });
      await expect.poll(() => merger.lagMs()).toBeLessThan(2000);
      expect((await read()).total.requests).toBe(3);
      await Promise.all([merger.close(), reader.close()]);
    });

    test('a service stops although PostgreSQL is away', async () => {
      const merger = openUsageMerger({
        place: one,
        code: USAGE_THREAD,
        keepMs: 1e12,
        observe: () => {},
      });
      await record(one, ['1']);
      await whileAway(merger.close);
      expect(await idsIn(one)).toEqual(['1']);
    });

    test('usage that goes to PostgreSQL is not merged into the file by mistake', async () => {
      await merge(one);
      await record(one, ['1']);
      await expect(merge(inFile(one))).rejects.toMatchObject({
        name: 'ControlError',
        message: expect.stringMatching(
          /is merged into PostgreSQL at 127\.0\.0\.1:\d+\/database_\d+, not into/,
        ),
        hint: 'Name that PostgreSQL with --control.',
      });
      expect(await idsIn(one)).toEqual(['1']);
    });

    test('a segment that comes back with an old copy of its disk is not merged again', async () => {
      await record(one, ['1', '2']);
      await cp(one.segments, join(folder, 'copy'), { recursive: true });
      await merge(one);
      await cp(join(folder, 'copy'), one.segments, { recursive: true });
      await cp(join(folder, 'copy'), other.segments, { recursive: true });
      await merge(other);
      expect(await idsIn(one)).toEqual(['1', '2']);
      expect(await segmentEndings(one)).toEqual([]);
    });

    test('texts that PostgreSQL cannot store do not block the records after them', async () => {
      const resource = Array.from({ length: 5000 }, (_, index) =>
        String.fromCodePoint(0x4e00 + index),
      );
      await record(one, ['1'], { resource: resource.join('') });
      await record(one, ['2'], { tokenId: 'a\0b' });
      await record(one, ['3']);
      expect(await idsIn(one)).toEqual(['1', '2', '3']);
    });

    test('only tables that a newer version made are refused', async () => {
      await merge(one);
      const postgres = openPostgres(one.postgres ?? '');
      await postgres.query('DROP SCHEMA locmetrics CASCADE');
      await record(one, ['1']);
      expect(await idsIn(one)).toEqual(['1']);
      await postgres.query('UPDATE schema_version SET version = 99');
      await postgres.close();
      await expect(merge(one)).rejects.toMatchObject({ kind: 'refused' });
    });

    test('usage is copied from a file to PostgreSQL and back, and half merged segments go on', async () => {
      const ids = Array.from({ length: 12_000 }, (_, index) => `${index}`.padStart(5, '0'));
      await record(inFile(one), ids);
      const path = await record(inFile(one), ['x']);
      const open = path.replace('done', 'open');
      await rm(path);
      await writeFile(open, toUsageLine({ ...RECORD, requestId: 'y' }));
      await merge(inFile(one));
      await writeFile(open, toUsageLine({ ...RECORD, requestId: 'z' }), { flag: 'a' });
      // The row of a segment whose file is gone is removed with the next merge.
      const counts = { records: 12_001, sums: 1, segments: 2 };
      expect(await copyUsage(inFile(one), one)).toEqual(counts);
      await expect(merge(inFile(one))).rejects.toMatchObject({ name: 'ControlError' });
      expect(await idsIn(one)).toEqual([...ids, 'y', 'z']);
      await expect(copyUsage(inFile(one), one)).rejects.toMatchObject({
        message:
          'The PostgreSQL of --control already has usage (12002 records): nothing was copied.',
      });
      await expect(copyUsage(one, inFile(one))).rejects.toMatchObject({
        message: `${one.store} already has usage (12001 records): nothing was copied.`,
      });
      const back = { ...inFile(one), store: join(folder, 'back.sqlite') };
      await copyUsage(one, back);
      expect(await readdir(one.segments)).toHaveLength(1);
      await writeFile(open, toUsageLine({ ...RECORD, requestId: 'zz' }), { flag: 'a' });
      expect(await idsIn(back)).toEqual([...ids, 'y', 'z', 'zz']);
    });
  },
);
