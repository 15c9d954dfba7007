// @module-tag sized

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { evenly } from '../../support/evenly.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { isInPlainRing } from '../areas/plain-ring.ts';
import type { TestPoint, TestPolygon } from '../areas/test-polygon.ts';
import { askTiles } from '../areas/tile-question.ts';
import { COMPARED } from '../engines/engines.ts';
import { memoryEngine } from '../engines/memory-engine.ts';
import { openService } from '../engines/service-under-test.ts';
import { defineTable, type Table } from '../table.ts';
import { GRID, placeOn, randomRings } from './random-polygon.ts';

/*
 * Points on vertices, on edges, next to them and between them, in polygons that are simple and not convex. A plain test
 * of whole numbers decides what is inside.
 */

/** The number of tables. Each gets 12 polygons. */
const TABLES = testCount('TABLES', { few: 3, all: 40 });
const POLYGONS = 12;
const TIMEOUT_MS = 1_800_000 + TABLES * 3_000 * COMPARED.length;

test(
  'every engine finds the records that an exact test finds inside polygons',
  async () => {
    const seed = announceSeed('random polygons');
    const seen = { inside: 0, outside: 0 };
    const property = fc.asyncProperty(
      randomRings(POLYGONS),
      fc.array(randomPoint, { minLength: 60, maxLength: 200, size: 'max' }),
      async ({ placing, rings }, drawn) => {
        const points = drawn.map((point) => placeOn(placing, point));
        const polygons = rings.map((ring) => ring.map((point) => placeOn(placing, point)));
        const table = tableOf(points);
        const expected = polygons.map((polygon) => insideOf(points, polygon));
        for (const ids of expected) {
          seen.inside += ids.length;
          seen.outside += points.length - ids.length;
        }
        for (const engine of [memoryEngine, ...COMPARED]) {
          const service = await openService(engine, [table]);
          try {
            for (const [index, polygon] of polygons.entries()) {
              const found = await service.column('id', { polygon, pageSize: 1000 });
              expect(found, `${engine.name} ${JSON.stringify(polygon)}`).toEqual(expected[index]);
              const { totalSize } = await service.listRecords({ polygon, countOnly: true });
              expect(totalSize).toBe(expected[index]?.length);
              const orderBy = { fieldName: 'longitude', descending: true };
              const ordered = await service.column('id', { polygon, orderBy, pageSize: 50 });
              expect(ordered.toSorted()).toEqual(expected[index]?.toSorted());
            }
          } finally {
            await service.close();
          }
          const world = { dataset: table.version.dataset.name, tile: { z: 0, x: 0, y: 0 } };
          const questions = polygons.map((polygon) => ({ ...world, polygon }));
          const tiles = await askTiles(engine, table, questions);
          expect(tiles.map((tile) => (tile.kind === 'points' ? tile.rows.length : -1))).toEqual(
            polygons.map((polygon) => insideOf(points.filter(isOnMap), polygon).length),
          );
        }
      },
    );
    await assertRandom(property, {
      seed,
      numRuns: TABLES,
      verbose: fc.VerbosityLevel.Verbose,
      timeoutMs: TIMEOUT_MS,
    });
    expect(seen.inside).toBeGreaterThan(atLeast(TABLES * 10));
    expect(seen.outside).toBeGreaterThan(atLeast(TABLES * 10));
  },
  TIMEOUT_MS,
);

const place = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: GRID }), weight: 3 },
  { arbitrary: fc.integer({ min: 0, max: 2 * GRID }).map((half) => half / 2), weight: 1 },
  { arbitrary: evenly(-1, GRID + 1), weight: 1 },
);

/** A point on a grid or between its points, sometimes a little beside it. */
const randomPoint = fc
  .tuple(place, place, fc.constantFrom(0, 0, 0, 4e-10, -4e-10, 6e-10, -6e-10))
  .map(([x, y, beside]): TestPoint => [x + beside, y - beside]);

/** The tiles of the web end before the poles, where the map is a square. */
const MAP_EDGE = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

function isOnMap([, latitude]: TestPoint): boolean {
  return Math.abs(latitude) < MAP_EDGE;
}

function insideOf(points: readonly TestPoint[], polygon: TestPolygon): readonly string[] {
  return points.flatMap((point, index) => (isInPlainRing(point, polygon) ? [idOf(index)] : []));
}

function idOf(index: number): string {
  return String(index).padStart(4, '0');
}

function tableOf(points: readonly TestPoint[]): Table {
  return defineTable({
    name: 'conformance.random_points',
    fields: { id: 'string', latitude: 'float', longitude: 'float' },
    point: { latitude: 'latitude', longitude: 'longitude' },
    rows: points.map(([longitude, latitude], index) => ({
      id: idOf(index),
      latitude,
      longitude,
    })),
  });
}
