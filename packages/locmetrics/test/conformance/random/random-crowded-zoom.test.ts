// @module-tag sized

import { TILE_ZOOM_MAX } from '@locmetrics/core/geometry/tile';
import { findCrowdedZoom } from '@locmetrics/server/service/tiles/find-crowded-zoom';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { evenly } from '../../support/evenly.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { askTile } from '../areas/tile-question.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { COMPARED } from '../engines/engines.ts';
import { openService } from '../engines/service-under-test.ts';
import { where } from '../filter-clause.ts';
import { defineTable, type Table } from '../table.ts';

/** The number of tables. Each gets six questions. */
const TABLES = testCount('TABLES', { few: 5, all: 40 });
const DATASET = 'conformance.crowded';
const TIMEOUT_MS = 1_800_000 + TABLES * 3_000 * COMPARED.length;

test(
  'the last zoom of a crowded tile is that of counting each tile',
  async () => {
    const seed = announceSeed('random crowded zooms');
    const seen = new Set<number | undefined>();
    const property = fc.asyncProperty(points, async (all) => {
      const table = tableOf(all);
      for (const engine of COMPARED) {
        const found = await askCrowdedZooms(engine, table);
        const expected = QUESTIONS.map(({ recordsMax, least }) => {
          const asked = all.filter(({ people }) => people >= least);
          return countedZoom(asked, recordsMax);
        });
        expect(found, engine.name).toEqual(expected);
        for (const zoom of expected) seen.add(zoom);
      }
    });
    await assertRandom(property, { seed, numRuns: TABLES, timeoutMs: TIMEOUT_MS });
    // There are eighteen possible answers.
    expect(seen.size).toBeGreaterThan(atLeast(3));
  },
  TIMEOUT_MS,
);

type Point = { readonly longitude: number; readonly latitude: number; readonly people: number };

const QUESTIONS = [1, 4, 30].flatMap((recordsMax) => [
  { recordsMax, least: 0 },
  { recordsMax, least: 50 },
]);

/** Points around a few places, in circles of very different widths. */
const points: fc.Arbitrary<readonly Point[]> = fc
  .array(
    fc
      .record({
        longitude: evenly(-180, 180),
        latitude: evenly(-85, 85),
        width: fc.integer({ min: 0, max: 18 }).map((halvings) => 360 / 2 ** halvings),
      })
      .chain(({ longitude, latitude, width }) => {
        const offset = evenly(-width, width);
        const point = fc.record({
          longitude: offset.map((east) => clamp(longitude + east, 180)),
          latitude: offset.map((north) => clamp(latitude + north, 85)),
          people: fc.integer({ min: 0, max: 99 }),
        });
        return fc.array(point, { minLength: 1, maxLength: 40, size: 'max' });
      }),
    { minLength: 1, maxLength: 5 },
  )
  .map((groups) => groups.flat());

/** Rounded, because a point within one rounding step of an edge can be in the cell beside its tile. */
function clamp(degrees: number, limit: number): number {
  return Math.round(Math.max(-limit, Math.min(limit, degrees)) * 1e7) / 1e7;
}

function tableOf(all: readonly Point[]): Table {
  return defineTable({
    name: DATASET,
    fields: { id: 'string', longitude: 'float', latitude: 'float', people: 'integer' },
    point: { latitude: 'latitude', longitude: 'longitude' },
    rows: all.map(({ people, ...place }, index) => ({
      id: String(index).padStart(4, '0'),
      ...place,
      people: BigInt(people),
    })),
  });
}

async function askCrowdedZooms(engine: EngineUnderTest, table: Table) {
  const service = await openService(engine, [table]);
  try {
    const found: (number | undefined)[] = [];
    for (const { recordsMax, least } of QUESTIONS) {
      const filters = least === 0 ? [] : [where('people', '>=', least)];
      const zoom = await findCrowdedZoom(
        async (tile) => {
          const cells = await askTile(service, { dataset: DATASET, tile, filters, limit: 0 });
          return cells.kind === 'cells' ? cells.cells : [];
        },
        { recordsMax, tilesMax: 64 },
      );
      found.push(zoom);
    }
    return found;
  } finally {
    await service.close();
  }
}

/** Counts the points of each tile of each zoom by the edges of the tiles. */
function countedZoom(all: readonly Point[], recordsMax: number): number | undefined {
  for (let zoom = TILE_ZOOM_MAX; zoom >= 0; zoom -= 1) {
    const counts = new Map<string, number>();
    for (const point of all) {
      const tile = tileOf(point, zoom);
      const count = (counts.get(tile) ?? 0) + 1;
      if (count > recordsMax) return zoom;
      counts.set(tile, count);
    }
  }
  return undefined;
}

function tileOf({ longitude, latitude }: Point, z: number): string {
  const tiles = 2 ** z;
  const x = Math.min(Math.floor(((longitude + 180) / 360) * tiles), tiles - 1);
  const angle = (latitude * Math.PI) / 180;
  const share = (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2;
  const y = Math.min(Math.floor(share * tiles), tiles - 1);
  return `${x} ${y}`;
}
