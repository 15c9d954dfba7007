import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import type { UsagePlace } from '@locmetrics/server/metering/usage-files';
import { toUsageLine } from '@locmetrics/server/metering/usage-line';
import { ABANDONED_AFTER_MS } from '@locmetrics/server/metering/usage-segment';
import type { UsageStore } from '@locmetrics/server/metering/usage-store';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { delay } from '../support/delay.ts';
import { testCount } from '../support/test-count.ts';
import { until } from '../support/until.ts';
import { startUsageProcess } from './start-usage-process.ts';
import { RECORD } from './usage-record.ts';
import { readAll, requestIds, segmentEndings } from './usage-under-test.ts';

const linesOf = (records: readonly UsageRecord[]): string => records.map(toUsageLine).join('');
const idsOf = (records: readonly UsageRecord[]) => requestIds(records);
const numbered = (count: number, name = 'request'): readonly UsageRecord[] =>
  Array.from({ length: count }, (_, index) => ({ ...RECORD, requestId: `${name}-${index}` }));

/** Segments are merged, each record once, into a store of any kind. */
export function testMerging(place: () => UsagePlace, seed: number): void {
  let store: UsageStore;
  beforeEach(async () => {
    store = await openUsageStore(place());
    await mkdir(place().segments);
  });
  afterEach(() => store.close());

  const pathOf = (name: string) => join(place().segments, name);

  test('without a folder of segments there is nothing to merge', async () => {
    const elsewhere = await openUsageStore({ ...place(), segments: pathOf('nowhere') });
    expect(await elsewhere.merge()).toEqual({ records: 0, unreadableLines: 0 });
    await elsewhere.close();
  });

  test('a segment is merged up to its end, and further when it has grown', async () => {
    const [first, second, third] = [numbered(2, 'a'), numbered(3, 'b'), numbered(1, 'c')];
    await writeFile(pathOf('1-a.open.ndjson'), linesOf(first));
    expect(await store.merge()).toEqual({ records: 2, unreadableLines: 0 });
    expect(await store.merge()).toEqual({ records: 0, unreadableLines: 0 });
    await appendFile(pathOf('1-a.open.ndjson'), linesOf(second));
    expect(await store.merge()).toEqual({ records: 3, unreadableLines: 0 });
    await appendFile(pathOf('1-a.open.ndjson'), linesOf(third));
    await rename(pathOf('1-a.open.ndjson'), pathOf('1-a.done.ndjson'));
    expect(await store.merge()).toEqual({ records: 1, unreadableLines: 0 });
    expect(await segmentEndings(place())).toEqual([]);
    expect(idsOf(await readAll(place()))).toEqual(idsOf([...first, ...second, ...third]));
  });

  test('a segment of many chunks is merged completely', async () => {
    const records = numbered(20_000);
    await writeFile(pathOf('1-a.done.ndjson'), linesOf(records));
    expect(await store.merge()).toEqual({ records: 20_000, unreadableLines: 0 });
    expect(idsOf(await readAll(place()))).toEqual(idsOf(records));
  });

  test('of a segment truncated anywhere, the records before the cut are merged, and later ones too', {
    tags: 'sized',
  }, async () => {
    const records = numbered(20).map((record) => ({ ...record, resource: 'ä.ö\n"😀' }));
    const bytes = Buffer.from(linesOf(records));
    let segments = 0;
    let expected = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.byteLength), fc.boolean(), async (cut, isDone) => {
        segments += 1;
        const path = pathOf(`${segments}-a.${isDone ? 'done' : 'open'}.ndjson`);
        await writeFile(path, bytes.subarray(0, cut));
        const whole = bytes.subarray(0, cut).filter((byte) => byte === 0x0a).byteLength;
        expect(await store.merge()).toEqual({ records: whole, unreadableLines: 0 });
        expected += whole;
        if (isDone) return;
        await appendFile(path, bytes.subarray(cut));
        expect(await store.merge()).toEqual({ records: 20 - whole, unreadableLines: 0 });
        expected += 20 - whole;
      }),
      { seed, numRuns: testCount('USAGE_CUTS', { few: 20, all: 100 }) },
    );
    expect(await readAll(place())).toHaveLength(expected);
  });

  test('invalid lines are skipped and counted, and the lines after them are merged', async () => {
    const [first, second] = [numbered(1, 'a'), numbered(1, 'b')];
    const damaged = [
      'null',
      '{"time":1}',
      '\0\0\0',
      linesOf(first).slice(9, -1),
      '[1]',
      '{"time":-1}',
    ];
    await writeFile(
      pathOf('1-a.done.ndjson'),
      `${linesOf(first)}${damaged.join('\n')}\n${linesOf(second)}`,
    );
    await writeFile(pathOf('2-b.done.ndjson'), Buffer.alloc(2 ** 20 + 10));
    expect(await store.merge()).toEqual({ records: 2, unreadableLines: damaged.length + 1 });
    expect(await segmentEndings(place())).toEqual([]);
    expect(idsOf(await readAll(place()))).toEqual(['a-0', 'b-0']);
  });

  test('a segment without a writer is removed once it is merged', async () => {
    const path = pathOf('1-a.open.ndjson');
    await writeFile(path, linesOf(numbered(2)));
    const quietSince = async (agoMs: number) => {
      const time = (Date.now() - agoMs) / 1000;
      await utimes(path, time, time);
    };
    await quietSince(ABANDONED_AFTER_MS - 60_000);
    await store.merge();
    expect(await segmentEndings(place())).toEqual(['.open.ndjson']);
    await quietSince(ABANDONED_AFTER_MS + 60_000);
    await store.merge();
    expect(await segmentEndings(place())).toEqual(['.done.ndjson']);
    await store.merge();
    expect(await segmentEndings(place())).toEqual([]);
    expect(await readAll(place())).toHaveLength(2);
  });

  test('other files in the folder are not touched', async () => {
    await writeFile(pathOf('notes.txt'), linesOf(numbered(1)));
    expect(await store.merge()).toEqual({ records: 0, unreadableLines: 0 });
    expect(await readdir(place().segments)).toContain('notes.txt');
  });

  test('two processes that merge at the same time merge each record once', {
    tags: 'slow',
  }, async () => {
    const processes = [1, 2].map(() => startUsageProcess(place()));
    const expected: string[] = [];
    await Promise.all(processes.map(({ begun }) => begun));
    // Repeat until both processes have merged something: one process alone would prove nothing.
    const isOver = () => processes.every(({ hasMerged }) => hasMerged());
    for (let round = 0; round < 40 || !isOver(); round += 1) {
      const records = numbered(500, `round-${round}`);
      expected.push(...idsOf(records));
      await writeFile(pathOf(`${round}-a.open.ndjson`), linesOf(records.slice(0, 300)));
      await appendFile(pathOf(`${round}-a.open.ndjson`), linesOf(records.slice(300)));
      await rename(pathOf(`${round}-a.open.ndjson`), pathOf(`${round}-a.done.ndjson`));
      await until(() => !existsSync(pathOf(`${round}-a.done.ndjson`)));
    }
    const merged = await Promise.all(processes.map(({ stop }) => stop()));
    const mergedHere = (await store.merge()).records;
    expect(merged.reduce((sum, records) => sum + records, mergedHere)).toBe(expected.length);
    expect(idsOf(await readAll(place()))).toEqual(expected.sort());
    expect(await segmentEndings(place())).toEqual([]);
  });

  test('a process that is killed during a merge has merged each record once or not yet', {
    tags: 'slow',
  }, async () => {
    const expected: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const records = numbered(5000, `round-${round}`);
      expected.push(...idsOf(records));
      await writeFile(pathOf(`${round}-a.done.ndjson`), linesOf(records));
      const merging = startUsageProcess(place());
      await merging.begun;
      await delay(round * 5);
      await merging.kill();
    }
    expect(idsOf(await readAll(place()))).toEqual(expected.sort());
  });
}
