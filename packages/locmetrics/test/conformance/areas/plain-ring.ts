import type { TestPoint, TestPolygon } from './test-polygon.ts';

const TURN = 360_000_000_000n;

/**
 * Whether a point is in a ring, by its winding number over all edges: slow, and unlike the service, which counts
 * crossings. All numbers are whole.
 */
export function isInPlainRing(point: TestPoint, polygon: TestPolygon): boolean {
  const vertices = polygon.map(toWhole);
  let [longitude = 0n] = vertices[0] ?? [];
  const ring = vertices.map(([x, y], index) => {
    const [before = x] = vertices[index - 1] ?? [];
    const step = x - before;
    longitude += step > TURN / 2n ? step - TURN : step < -TURN / 2n ? step + TURN : step;
    return [longitude, y] as const;
  });
  const [x, y] = toWhole(point);
  return [-2n, -1n, 0n, 1n, 2n].some((turns) => isWound([x + turns * TURN, y], ring));
}

function isWound([x, y]: readonly [bigint, bigint], ring: readonly (readonly [bigint, bigint])[]) {
  let winding = 0;
  for (const [index, [x2, y2]] of ring.entries()) {
    const [x1, y1] = ring[index - 1] ?? [x2, y2];
    const side = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1);
    const isBetween = (one: bigint, other: bigint, value: bigint) =>
      (one <= value && value <= other) || (other <= value && value <= one);
    if (side === 0n && isBetween(x1, x2, x) && isBetween(y1, y2, y)) return true;
    if (y1 <= y && y2 > y && side > 0n) winding += 1;
    if (y1 > y && y2 <= y && side < 0n) winding -= 1;
  }
  return winding !== 0;
}

function toWhole([longitude, latitude]: TestPoint): readonly [bigint, bigint] {
  return [BigInt(Math.floor(longitude * 1e9 + 0.5)), BigInt(Math.floor(latitude * 1e9 + 0.5))];
}
