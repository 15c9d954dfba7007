import type { OutlineRing } from '@locmetrics/core/domain/outline';
import { readBoundaries } from '@locmetrics/ingest/enrich/read-boundaries';
import { decodeRings, encodeRings } from '@locmetrics/row-store/outline-bytes';
import {
  type ProjectedOutline,
  simplifyOutlines,
} from '@locmetrics/row-store/publish/simplify-outlines';
import { expect, test } from 'vitest';
import { randomNumbers } from '../support/random-numbers.ts';
import { announceSeed } from '../support/test-seed.ts';

/** Units of the world, which is 2^30 wide. */
const WORLD = 2 ** 30;
const STATES = await readStates();
const simplified = simplifyOutlines(STATES);

test('states are simplified up to the zoom at which nearly all positions are seen', () => {
  expect(simplified.wholeFrom).toBe(4);
  const counts = [0, 1, 2, 3].map((zoom) => pointsOf(simplified.at(zoom, zoom + 12)));
  expect(counts).toEqual(counts.toSorted((left, right) => left - right));
  expect(counts[0]).toBeLessThan(pointsOf(simplified.at('all', 30)) / 10);
});

test.each([3, 4, 5, 6, 7])('the areas of states are those of the source at zoom %i', (zoom) => {
  const drawn = simplified.at(zoom, zoom + 12).map(areaOf);
  const source = simplified.at('all', 30).map(areaOf);
  const unit = 2 ** (30 - zoom - 12);
  for (const [index, area] of drawn.entries()) {
    const whole = source[index] ?? 0;
    // A position moves by about four units at most, all around.
    const perimeter = perimeterOf(simplified.at('all', 30)[index] ?? []);
    expect(Math.abs(area * unit ** 2 - whole)).toBeLessThan(perimeter * 4 * unit);
  }
});

test.each([0, 3, 5, 8])('states share their borders at zoom %i as in the source', (zoom) => {
  const single = singleEdges(simplified.at(zoom, zoom + 12));
  expect(single).toBeLessThanOrEqual(singleEdges(simplified.at('all', 30)));
});

test('outer rings are clockwise on a map, and holes are not', () => {
  const square = (west: number, north: number, size: number) =>
    [
      [west, north],
      [west, north + size],
      [west + size, north + size],
      [west + size, north],
      [west, north],
    ] as const;
  const outline = [[square(0, 0, WORLD / 2), square(WORLD / 8, WORLD / 8, WORLD / 8)]] as const;
  for (const rings of [outline, [outline[0].map((ring) => ring.toReversed())]]) {
    const [drawn = []] = simplifyOutlines([rings]).at(0, 12);
    expect(drawn.map(({ isHole, points }) => [isHole, ringArea(points) > 0])).toEqual([
      [false, true],
      [true, false],
    ]);
  }
});

test('an outline that is smaller than a unit is left out', () => {
  const speck = [
    [0, 0],
    [100, 0],
    [100, 100],
    [0, 0],
  ] as const;
  const { at } = simplifyOutlines([[[speck]]]);
  expect(at(0, 12)).toEqual([[]]);
  expect(at('all', 30)[0]).toHaveLength(1);
});

test('the bytes of rings are those rings', () => {
  const random = randomNumbers(announceSeed('rings'));
  const number = () => Math.trunc((random() - 0.5) * 2 ** (1 + random() * 30));
  for (let round = 0; round < 200; round += 1) {
    const rings = Array.from({ length: Math.trunc(random() * 4) }, (_, index) => ({
      isHole: index > 0,
      points: Int32Array.from({ length: 6 + 2 * Math.trunc(random() * 5) }, number),
    }));
    expect(decodeRings(encodeRings(rings))).toEqual(rings);
  }
});

test('bytes that end early are refused', () => {
  const bytes = encodeRings([{ isHole: false, points: Int32Array.of(0, 0, 9000, 0, 9000, 9000) }]);
  for (let length = 1; length < bytes.length; length += 1) {
    expect(() => decodeRings(bytes.slice(0, length))).toThrow(RangeError);
  }
});

async function readStates(): Promise<readonly ProjectedOutline[]> {
  const { areas } = await readBoundaries({ name: 'us_states' });
  return areas.map(({ polygons }) =>
    polygons.map((rings) =>
      rings.map((ring) =>
        ring.map(([longitude = 0, latitude = 0]) => {
          const south = 0.5 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI);
          return [
            Math.round(((longitude + 180) / 360) * WORLD),
            Math.round(south * WORLD),
          ] as const;
        }),
      ),
    ),
  );
}

type Drawn = readonly (readonly OutlineRing[])[];

function pointsOf(drawn: Drawn): number {
  return drawn.flat().reduce((sum, { points }) => sum + points.length, 0);
}

function areaOf(rings: readonly OutlineRing[]): number {
  return rings.reduce((sum, { points }) => sum + ringArea(points), 0);
}

function ringArea(points: Int32Array): number {
  return edgesOf(points).reduce(
    (sum, [x, y, nextX, nextY]) => sum + (x * nextY - nextX * y) / 2,
    0,
  );
}

function perimeterOf(rings: readonly OutlineRing[]): number {
  return rings
    .flatMap(({ points }) => edgesOf(points))
    .reduce((sum, [x, y, nextX, nextY]) => sum + Math.hypot(nextX - x, nextY - y), 0);
}

/** The edges that only one ring has. */
function singleEdges(drawn: Drawn): number {
  const seen = new Map<string, number>();
  for (const edge of drawn.flat().flatMap(({ points }) => edgesOf(points))) {
    const [x, y, nextX, nextY] = edge;
    const key = [`${x} ${y}`, `${nextX} ${nextY}`].sort().join();
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return [...seen.values()].filter((count) => count === 1).length;
}

function edgesOf(points: Int32Array): readonly (readonly [number, number, number, number])[] {
  return Array.from({ length: points.length / 2 }, (_, index) => {
    const [at, next] = [index * 2, ((index + 1) * 2) % points.length];
    return [points[at] ?? 0, points[at + 1] ?? 0, points[next] ?? 0, points[next + 1] ?? 0];
  });
}
