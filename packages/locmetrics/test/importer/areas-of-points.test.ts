// @module-tag sized

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { indexAreas } from '@locmetrics/ingest/enrich/area-index';
import { readBoundaries } from '@locmetrics/ingest/enrich/read-boundaries';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evenly } from '../support/evenly.ts';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';

const POINTS = testCount('AREA_POINTS', { few: 100, all: 20_000 });

type Position = readonly [longitude: number, latitude: number];
type PlainArea = { readonly id: string; readonly rings: readonly Ring[] };
/** No line to the east from a point outside these latitudes, or east of the ring, crosses an edge of it. */
type Ring = {
  readonly corners: readonly Position[];
  readonly south: number;
  readonly north: number;
  readonly east: number;
};

/** The counties of the file as this test decodes them: the rings of a county count together, even or odd. */
async function decodeCounties(): Promise<readonly PlainArea[]> {
  const path = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  const { arcs, objects, transform } = JSON.parse(await readFile(path, 'utf8'));
  const [scaleX, scaleY] = transform.scale;
  const [left, bottom] = transform.translate;
  const lines: readonly (readonly Position[])[] = arcs.map((arc: readonly Position[]) => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]): Position => {
      x += dx;
      y += dy;
      return [x * scaleX + left, y * scaleY + bottom];
    });
  });
  const toRing = (numbers: readonly number[]): readonly Position[] =>
    numbers.flatMap((number) =>
      number < 0 ? (lines[~number] ?? []).toReversed() : (lines[number] ?? []),
    );
  return objects.counties.geometries.map(
    (county: { readonly id: string; readonly type: string; readonly arcs: unknown }) => {
      // The shape of the file: rings of a polygon, or of several.
      const rings = (county.type === 'Polygon' ? county.arcs : [county.arcs].flat(2)) as number[][];
      return { id: county.id, rings: rings.map((numbers) => withEdges(toRing(numbers))) };
    },
  );
}

function withEdges(corners: readonly Position[]): Ring {
  const latitudes = corners.map(([, latitude]) => latitude);
  return {
    corners,
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
    east: Math.max(...corners.map(([longitude]) => longitude)),
  };
}

/** The areas with the point, by the number of edges that a line from it to the east crosses. */
function findPlainly(areas: readonly PlainArea[], [x, y]: Position): readonly string[] {
  return areas.flatMap(({ id, rings }) => {
    let crossed = 0;
    for (const { corners, south, north, east } of rings) {
      if (y < south || y > north || x > east) continue;
      for (let index = 1; index < corners.length; index += 1) {
        const [x1, y1] = corners[index - 1] ?? [0, 0];
        const [x2, y2] = corners[index] ?? [0, 0];
        if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) crossed += 1;
      }
    }
    return crossed % 2 === 1 ? id : [];
  });
}

test(
  'a random point lies in the county that counting crossed edges finds',
  async () => {
    const seed = announceSeed('areas of points');
    const counties = await decodeCounties();
    const { areas } = await readBoundaries({ name: 'us_counties' });
    const index = indexAreas(areas);
    const corners = counties.flatMap(({ rings }) => rings.flatMap((ring) => ring.corners));
    // Half of the points are near a corner, where mistakes would be.
    const randomPoint = fc.oneof(
      fc.tuple(evenly(-180, -64), evenly(15, 72)),
      fc
        .tuple(
          fc.constantFrom(...corners),
          fc.integer({ min: -1000, max: 1000 }),
          fc.integer({ min: -1000, max: 1000 }),
        )
        .map(([[x, y], dx, dy]) => [x + dx * 1.37e-5, y + dy * 1.37e-5] as const),
    );
    fc.assert(
      fc.property(randomPoint, ([longitude, latitude]) => {
        // Near some corners, the counties of the file overlap by a metre.
        const plain = findPlainly(counties, [longitude, latitude]).toSorted();
        const around = index.listAround(latitude, longitude).map((area) => areas[area]?.id);
        const found = areas[index.find(latitude, longitude)]?.id;
        // On a border the two ways may differ.
        fc.pre(found === undefined || around.includes(found));
        expect(around.toSorted()).toEqual(plain);
        expect(found).toBe(around[0]);
      }),
      { seed, numRuns: POINTS },
    );
  },
  60_000 + POINTS * 20,
);

test('every county lies in its state', async () => {
  const counties = await readBoundaries({ name: 'us_counties' });
  const states = await readBoundaries({ name: 'us_states' });
  const ofCounties = indexAreas(counties.areas);
  const ofStates = indexAreas(states.areas);
  const corners = counties.areas.flatMap(({ polygons }) => polygons.flat(2));
  const middles = corners.slice(1).map(([x = 0, y = 0], index): Position => {
    const [x0 = 0, y0 = 0] = corners[index] ?? [];
    return [(x + x0) / 2, (y + y0) / 2];
  });
  const strange = middles.filter(([longitude, latitude]) => {
    const [county, ...others] = ofCounties.listAround(latitude, longitude);
    if (county === undefined || others.length > 0) return false;
    const state = states.areas[ofStates.find(latitude, longitude)]?.id;
    return counties.areas[county]?.id.slice(0, 2) !== state;
  });
  expect(strange).toEqual([]);
  expect([counties.areas.length, states.areas.length]).toEqual([3231, 56]);
});
