import { join } from 'node:path';
import type { UsagePlace } from '@locmetrics/server/metering/usage-files';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { delay } from '../support/delay.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { type Recording, startRecordingProcess } from './start-recording-process.ts';
import { startUsageProcess } from './start-usage-process.ts';
import { readAll } from './usage-under-test.ts';

const ROUNDS = testCount('USAGE_CRASHES', { few: 1, all: 30 });

describe.skipIf(!hasPostgres())(
  'usage of two nodes (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let folder: string;
    beforeAll(async () => {
      server = await startPostgres();
      folder = temporaryFolder();
    });
    afterAll(async () => {
      await server.end();
    });

    test('each appended record is in PostgreSQL once, though processes are killed and PostgreSQL crashes', {
      tags: 'slow',
      timeout: 180_000 + ROUNDS * 30_000,
    }, async () => {
      const random = randomNumbers(announceSeed('usage of two nodes'));
      const below = (end: number) => Math.floor(random() * end);
      const postgres = await server.createDatabase();
      const nodes: readonly UsagePlace[] = ['one', 'other'].map((name) => ({
        store: join(folder, `${name}.sqlite`),
        segments: join(folder, name),
        postgres,
      }));
      const everyNode = [...nodes, ...nodes];
      const startMerging = (place: UsagePlace) => ({ place, process: startUsageProcess(place) });
      const mergers = everyNode.map(startMerging);
      const recordings: Recording[] = [];
      const startWriting = (segments: string, name: string): Recording => {
        const writer = startRecordingProcess(segments, name);
        recordings.push(writer);
        return writer;
      };
      const writers = everyNode.map(({ segments }, index) => startWriting(segments, `${index}`));
      for (let round = 0; round < ROUNDS; round += 1) {
        await Promise.all(
          [...writers, ...mergers.map(({ process }) => process)].map(({ begun }) => begun),
        );
        for (let kill = 0; kill < 4; kill += 1) {
          await delay(below(150));
          const index = below(mergers.length);
          const killed = mergers[index];
          if (killed === undefined) throw new Error('There is one merger for each index.');
          await killed.process.kill();
          mergers[index] = startMerging(killed.place);
          if (kill === 2) {
            await server.stop('immediate');
            await delay(below(300));
            await server.start();
          }
        }
        // One is killed, another one ends by itself, and both are replaced; the others go on.
        for (const [index, end] of [
          [round, (writer: Recording) => writer.kill()],
          [round + 1, (writer: Recording) => writer.stop()],
        ] as const) {
          const at = index % writers.length;
          const [writer, place] = [writers[at], everyNode[at]];
          if (writer === undefined || place === undefined) throw new Error('One for each place.');
          await end(writer);
          writers[at] = startWriting(place.segments, `${at}-of-round-${round}`);
        }
      }
      await Promise.all(writers.map(({ stop }) => stop()));
      // Those that were not killed have ended by themselves, and printed how much they had merged.
      const merged = await Promise.all(mergers.map(({ process }) => process.stop()));
      expect(merged.every(Number.isInteger)).toBe(true);
      for (const place of nodes) {
        const store = await openUsageStore(place);
        await store.merge();
        await store.close();
      }
      const ids = (await readAll({ ...nodes[0], postgres } as UsagePlace)).map(
        ({ requestId }) => requestId,
      );
      const found = new Set(ids);
      expect(found.size).toBe(ids.length);
      const known = recordings.map((recording) => recording.ids());
      const recorded = known.flatMap((one) => one.recorded);
      const unsure = new Set(known.flatMap((one) => one.unsure));
      process.stderr.write(`${recorded.length} records, ${merged} merged at the end\n`);
      expect(recorded.length).toBeGreaterThan(ROUNDS * 100);
      expect(recorded.filter((id) => !found.has(id))).toEqual([]);
      const expected = new Set(recorded);
      expect(ids.filter((id) => !expected.has(id) && !unsure.has(id))).toEqual([]);
    });
  },
);
