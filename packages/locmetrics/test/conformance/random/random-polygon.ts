import fc from 'fast-check';
import { evenly } from '../../support/evenly.ts';
import type { TestPoint, TestPolygon } from '../areas/test-polygon.ts';

/** The corner of a polygon, and the size of a step of its grid in degrees. */
export type Placing = { readonly at: TestPoint; readonly step: number };

/** A grid has as many columns and rows. */
export const GRID = 8;

/** Corners from which a grid of whole degrees is on the earth, some of them across the antimeridian. */
const placedByDegrees: fc.Arbitrary<Placing> = fc.record({
  at: fc.tuple(
    fc.constantFrom(-180, -176, -4, 0, 7, 172, 176, 179),
    fc.integer({ min: -90, max: 82 }),
  ),
  step: fc.constantFrom(1, 0.37),
});

/** Corners of grids of which each point rounds to a place next to the one before. */
const placedByUnits: fc.Arbitrary<Placing> = fc.record({
  at: fc.constantFrom<TestPoint>([7.4474, 46.948], [-180, 0], [180, 5], [179.999999998, -90]),
  step: fc.constantFrom(1e-9, 1.5e-9),
});

/** A point of a grid in degrees; longitudes continue at -180 after 180. */
export function placeOn(
  { at: [longitude, latitude], step }: Placing,
  [x, y]: TestPoint,
): TestPoint {
  const moved = longitude + x * step;
  const turned = moved > 180 ? moved - 360 : moved < -180 ? moved + 360 : moved;
  return [turned, Math.max(-90, Math.min(90, latitude + y * step))];
}

/**
 * A simple ring on a small grid: two chains of points from one side to the other, of which one is everywhere above the
 * other, some of them turned by a quarter. Many edges are level, upright, or on one line.
 */
const onGrid: fc.Arbitrary<TestPolygon> = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(GRID - 1), fc.nat(GRID - 1)), { minLength: 2, maxLength: GRID + 1 }),
    fc.boolean(),
    fc.nat(),
  )
  .map(([columns, isTurned, start]) => {
    const lower = columns.map(([one, other], x): TestPoint => [x, Math.min(one, other)]);
    const upper = columns.map(([one, other], x): TestPoint => [x, Math.max(one, other) + 1]);
    const ring = [...lower, ...upper.toReversed()];
    const first = start % ring.length;
    const moved = [...ring.slice(first), ...ring.slice(0, first)];
    return closed(isTurned ? moved.map(([x, y]): TestPoint => [y, x]) : moved);
  });

/** A ring that is seen whole from its middle, with vertices between the points of a grid. */
const star: fc.Arbitrary<TestPolygon> = fc
  .array(evenly(0.1, 1), { minLength: 3, maxLength: 60 })
  .map((radii) =>
    closed(
      radii.map((radius, index): TestPoint => {
        const angle = (2 * Math.PI * index) / radii.length;
        const half = (GRID / 2) * radius;
        return [GRID / 2 + half * Math.cos(angle), GRID / 2 + half * Math.sin(angle)];
      }),
    ),
  );

/** Where a grid is, and rings on it that have different points after rounding. */
export const randomRings = (
  count: number,
): fc.Arbitrary<{ readonly placing: Placing; readonly rings: readonly TestPolygon[] }> => {
  const ringsOf = (ring: fc.Arbitrary<TestPolygon>) =>
    fc.array(ring, { minLength: count, maxLength: count });
  return fc.oneof(
    fc.record({ placing: placedByDegrees, rings: ringsOf(fc.oneof(onGrid, star)) }),
    fc.record({ placing: placedByUnits, rings: ringsOf(onGrid) }),
  );
};

/** A polygon that is not refused. */
export const randomPolygon: fc.Arbitrary<TestPolygon> = fc
  .tuple(fc.oneof(onGrid, star), largePlacing())
  .map(([ring, placing]) => ring.map((point) => placeOn(placing, point)));

/** Polygons that have many of the points of a random table. */
function largePlacing(): fc.Arbitrary<Placing> {
  return fc.record({
    at: fc.tuple(fc.constantFrom(-180, -100, -20, 0, 100, 170), fc.constantFrom(-90, -45, -10, 0)),
    step: fc.constantFrom(1, 5, 11.25),
  });
}

function closed(points: TestPolygon): TestPolygon {
  return [...points, ...points.slice(0, 1)];
}
