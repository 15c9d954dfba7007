// @module-tag sized

import fc from 'fast-check';
import { expect } from 'vitest';
import { atLeast, testCount } from '../test-count.ts';
import { ENGINES } from './engines.ts';
import { memoryEngine } from './memory-engine.ts';
import { randomTable } from './random-table.ts';
import { openService } from './service-under-test.ts';
import type { Table } from './table.ts';
import { testOn } from './test-on.ts';
import { announceSeed } from './test-seed.ts';
import { askTile, randomTileQuestion } from './tile-question.ts';

/** The number of tables. Each gets 50 questions. */
const TABLES = testCount('TABLES', { few: 4, all: 50 });
const TIMEOUT_MS = 60_000 + TABLES * 2_000;

testOn(ENGINES.filter((engine) => engine !== memoryEngine))(
  'the $name engine answers random tiles as the plain reference does',
  async (engine) => {
    const seed = announceSeed('random tiles');
    const seen = { points: 0, cells: 0, aggregates: 0 };
    const property = fc.asyncProperty(
      randomTable,
      fc.noBias(fc.array(randomTileQuestion, { minLength: 50, maxLength: 50 })),
      async (random, questions) => {
        const table = withPoint(random);
        const reference = await openService(memoryEngine, [table]);
        const service = await openService(engine, [table]);
        try {
          const dataset = table.version.dataset.name;
          for (const question of questions) {
            const given = await askTile(service, { ...question, dataset });
            expect(given).toStrictEqual(await askTile(reference, { ...question, dataset }));
            if (given.kind === 'points') seen.points += given.rows.length;
            if (given.kind === 'points') continue;
            seen.cells += given.cells.length;
            const values = given.cells.flatMap((cell) => cell.values);
            seen.aggregates += values.filter((value) => value !== null).length;
          }
        } finally {
          await Promise.all([reference.close(), service.close()]);
        }
      },
    );
    await fc.assert(property, { seed, numRuns: TABLES, verbose: fc.VerbosityLevel.Verbose });
    expect(seen.points).toBeGreaterThan(atLeast(TABLES * 10));
    expect(seen.cells).toBeGreaterThan(atLeast(TABLES * 10));
    expect(seen.aggregates).toBeGreaterThan(atLeast(TABLES * 5));
  },
  TIMEOUT_MS,
);

function withPoint({ version, rows }: Table): Table {
  const point = { latitude: 'latitude', longitude: 'longitude' };
  return { version: { ...version, dataset: { ...version.dataset, point } }, rows };
}
