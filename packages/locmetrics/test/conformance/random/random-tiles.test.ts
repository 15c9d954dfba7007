// @module-tag sized

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { askTiles, countTiles, randomTileQuestion } from '../areas/tile-question.ts';
import { COMPARED } from '../engines/engines.ts';
import { memoryEngine } from '../engines/memory-engine.ts';
import type { Table } from '../table.ts';
import { randomTable } from './random-table.ts';

/** The number of tables. Each gets 50 questions. */
const TABLES = testCount('TABLES', { few: 2, all: 50 });
const TIMEOUT_MS = 1_800_000 + TABLES * 2_000 * COMPARED.length;

test(
  'every engine answers random tiles as the plain reference does',
  async () => {
    const seed = announceSeed('random tiles');
    const seen = { points: 0, cells: 0, aggregates: 0 };
    const property = fc.asyncProperty(
      randomTable,
      fc.noBias(fc.array(randomTileQuestion, { minLength: 50, maxLength: 50 })),
      async (random, questions) => {
        const table = withPoint(random);
        const dataset = table.version.dataset.name;
        const asked = questions.map((question) => ({ ...question, dataset }));
        const expected = await askTiles(memoryEngine, table, asked);
        countTiles(expected, seen);
        for (const engine of COMPARED) {
          expect(await askTiles(engine, table, asked), engine.name).toStrictEqual(expected);
        }
      },
    );
    await assertRandom(property, {
      seed,
      numRuns: TABLES,
      verbose: fc.VerbosityLevel.Verbose,
      timeoutMs: TIMEOUT_MS,
    });
    expect(seen.points).toBeGreaterThan(atLeast(TABLES * 10));
    expect(seen.cells).toBeGreaterThan(atLeast(TABLES * 10));
    expect(seen.aggregates).toBeGreaterThan(atLeast(TABLES * 5));
  },
  TIMEOUT_MS,
);

function withPoint({ version, rows }: Table): Table {
  const point = { latitude: 'latitude', longitude: 'longitude' };
  return { version: { ...version, dataset: { ...version.dataset, point, vectors: point } }, rows };
}
