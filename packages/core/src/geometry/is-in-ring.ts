import { FULL_TURN, type Ring, sideOf, toUnits, type Vertex } from './ring.ts';
import { type BandEdge, type RingBands, ringBands } from './ring-bands.ts';

/** Whether a point in degrees, rounded to 10⁻⁹ degrees, is inside a ring or on one of its edges. */
export function isInRing(longitude: number, latitude: number, ring: Ring): boolean {
  return isInBands(toUnits(longitude), toUnits(latitude), ringBands(ring));
}

function isInBands(
  longitude: number,
  y: number,
  { minX, maxX, minY, maxY, height, bands }: RingBands,
): boolean {
  if (y < minY || y > maxY) return false;
  const isWest = longitude < minX;
  const x = isWest
    ? longitude + FULL_TURN
    : longitude >= minX + FULL_TURN
      ? longitude - FULL_TURN
      : longitude;
  if (x > maxX || x < minX) return false;
  let isInside = false;
  for (const edge of bands[Math.floor((y - minY) / height)] ?? []) {
    const place = placeAt({ x, y }, edge);
    if (place === 'on') return true;
    if (place === 'crossed') isInside = !isInside;
  }
  return isInside;
}

/**
 * Whether a point is on an edge, or a line from it to the east crosses the edge. A line through a vertex crosses only
 * the edges that begin there, so that it crosses the ring once where the ring goes on and not at all where it turns.
 */
function placeAt(point: Vertex, { from, to }: BandEdge): 'on' | 'crossed' | 'apart' {
  const { x, y } = point;
  if (y < from.y || y > to.y) return 'apart';
  if (x > from.x && x > to.x) return 'apart';
  if (x < from.x && x < to.x) return y < to.y ? 'crossed' : 'apart';
  // The point is in the box of the edge.
  if (from.y === to.y) return 'on';
  const side = sideOf(from, to, point);
  if (side === 0) return 'on';
  return side > 0 && y < to.y ? 'crossed' : 'apart';
}
