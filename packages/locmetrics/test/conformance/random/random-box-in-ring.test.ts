// @module-tag sized

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import type { TestPoint, TestPolygon } from '../areas/test-polygon.ts';
import { askTile } from '../areas/tile-question.ts';
import { COMPARED } from '../engines/engines.ts';
import { memoryEngine } from '../engines/memory-engine.ts';
import { openService } from '../engines/service-under-test.ts';
import { defineTable, type Table } from '../table.ts';
import { GRID, placeOn, randomRings } from './random-polygon.ts';

const TABLES = testCount('TABLES', { few: 2, all: 20 });
const RINGS = 4;
const TIMEOUT_MS = 1_800_000 + TABLES * 10_000 * COMPARED.length;

test(
  'every engine finds what the plain reference finds of many points, most of which are in blocks inside or outside',
  async () => {
    const seed = announceSeed('random polygons over many points');
    const property = fc.asyncProperty(randomRings(RINGS), fc.nat(), async (random, start) => {
      const { placing, rings } = random;
      const table = tableOf(manyPoints(start).map((point) => placeOn(placing, point)));
      const polygons = rings.map((ring) => ring.map((point) => placeOn(placing, point)));
      const expected = await askAll(memoryEngine, table, polygons);
      for (const engine of COMPARED) {
        expect(await askAll(engine, table, polygons), engine.name).toEqual(expected);
      }
    });
    await assertRandom(property, { seed, numRuns: TABLES, timeoutMs: TIMEOUT_MS });
  },
  TIMEOUT_MS,
);

/** Dense enough that blocks of them are small. */
function manyPoints(start: number): readonly TestPoint[] {
  const part = (index: number, step: number): number =>
    ((start + index * step) % 1_000_003) / 1_000_003;
  return Array.from({ length: 6000 }, (_, index) => [
    part(index, 618_034) * GRID,
    part(index, 414_214) * GRID,
  ]);
}

async function askAll(engine: typeof memoryEngine, table: Table, polygons: readonly TestPolygon[]) {
  const service = await openService(engine, [table]);
  try {
    const answers: unknown[] = [];
    for (const polygon of polygons) {
      const { totalSize } = await service.listRecords({ polygon, countOnly: true });
      const orderBy = { fieldName: 'size', descending: true };
      const page = await service.listRecords({ polygon, orderBy, pageSize: 40 });
      const tile = { z: 0, x: 0, y: 0 };
      const asked = { dataset: table.version.dataset.name, tile, polygon, limit: 10 };
      answers.push([totalSize, page.totalSize, page.rows, await askTile(service, asked)]);
    }
    return answers;
  } finally {
    await service.close();
  }
}

function tableOf(points: readonly TestPoint[]): Table {
  return defineTable({
    name: 'conformance.many_in_rings',
    fields: {
      id: 'string',
      latitude: 'float',
      longitude: 'float',
      size: { type: 'integer', sorted: true },
    },
    point: { latitude: 'latitude', longitude: 'longitude' },
    rows: points.map(([longitude, latitude], index) => ({
      id: String(index).padStart(5, '0'),
      latitude,
      longitude,
      size: BigInt((index * 7919) % 1009),
    })),
  });
}
