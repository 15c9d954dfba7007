// @module-tag sized

import { placeOfBox } from '@locmetrics/core/geometry/box-in-ring';
import { planPolygon } from '@locmetrics/core/plan/plan-polygon';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInPlainRing } from '../conformance/areas/plain-ring.ts';
import { type TestPoint, type TestPolygon, toPolygon } from '../conformance/areas/test-polygon.ts';
import { GRID, placeOn, randomRings } from '../conformance/random/random-polygon.ts';
import { defineTable } from '../conformance/table.ts';
import { assertRandom } from '../support/assert-random.ts';
import { evenly } from '../support/evenly.ts';
import { atLeast, testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';

const CASES = testCount('RINGS', { few: 10, all: 100 });
const RINGS = 4;
const BOXES = 100;
const TIMEOUT_MS = 1_800_000;

const share = evenly(0, 1);
const side = fc.oneof(fc.integer({ min: -1, max: GRID + 1 }), evenly(-1, GRID + 1));
const width = fc.oneof(fc.constantFrom(0, 1), evenly(0, 2));
const boxOnGrid = fc.record({ x: side, y: side, width, height: width });

test(
  'a box that is inside or outside a ring has only such points',
  async () => {
    const seed = announceSeed('random boxes in rings');
    const seen = { inside: 0, outside: 0, both: 0 };
    const property = fc.asyncProperty(
      randomRings(RINGS),
      fc.array(boxOnGrid, { minLength: BOXES, maxLength: BOXES }),
      fc.array(fc.tuple(share, share), { minLength: 10, maxLength: 10 }),
      async ({ placing, rings }, boxes, shares) => {
        for (const polygon of rings.map((ring) => ring.map((point) => placeOn(placing, point)))) {
          const ring = ringOf(polygon);
          for (const { x, y, ...size } of boxes) {
            const [minLng, minLat] = placeOn(placing, [x, y]);
            const [maxLng, maxLat] = placeOn(placing, [x + size.width, y + size.height]);
            if (maxLng < minLng) continue;
            const place = placeOfBox({ minLng, minLat, maxLng, maxLat }, ring);
            seen[place] += 1;
            if (place === 'both') continue;
            const corners = [0, 1].flatMap((east) => [0, 1].map((north) => [east, north] as const));
            for (const [east, north] of [...corners, ...shares]) {
              const point: TestPoint = [
                Math.min(minLng + (maxLng - minLng) * east, maxLng),
                Math.min(minLat + (maxLat - minLat) * north, maxLat),
              ];
              expect(isInPlainRing(point, polygon), `${point} in ${polygon}`).toBe(
                place === 'inside',
              );
            }
          }
        }
      },
    );
    await assertRandom(property, { seed, numRuns: CASES, timeoutMs: TIMEOUT_MS });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(atLeast(CASES));
  },
  TIMEOUT_MS,
);

/** Of a dataset with points. */
const { version } = defineTable({
  name: 'domain.points',
  fields: { id: 'string', latitude: 'float', longitude: 'float' },
  point: { latitude: 'latitude', longitude: 'longitude' },
  rows: [],
});

function ringOf(polygon: TestPolygon) {
  const planned = planPolygon(toPolygon(polygon), version.dataset, '/polygon');
  const [ring] = planned.flatMap((one) => (one.kind === 'polygon' ? [one.ring] : []));
  if (ring === undefined) throw new Error('A polygon was planned without its ring.');
  return ring;
}
