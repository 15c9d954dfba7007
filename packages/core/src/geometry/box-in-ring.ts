import type { BoundingBox } from './bounding-box.ts';
import { isInRing } from './is-in-ring.ts';
import { FULL_TURN, type Ring, sideOf, toUnits, type Vertex } from './ring.ts';
import { type BandEdge, ringBands } from './ring-bands.ts';

/** Whether all points of a box are inside a ring, all are outside, or some may be on either side. */
export type BoxPlace = 'inside' | 'outside' | 'both';

/**
 * Decides for a box that does not cross the antimeridian, so that its points need not be compared one by one. If no edge of
 * the ring has a point of the box, all of its points are on the side of a corner.
 */
export function placeOfBox({ minLng, minLat, maxLng, maxLat }: BoundingBox, ring: Ring): BoxPlace {
  const { minX, maxX, minY, maxY, height, bands } = ringBands(ring);
  const [south, north] = [toUnits(minLat), toUnits(maxLat)];
  if (north < minY || south > maxY) return 'outside';
  const turn = turnOf(toUnits(minLng), toUnits(maxLng), minX);
  // A ring around the earth has one meridian on both of its sides.
  if (turn === undefined || maxX - minX === FULL_TURN) return 'both';
  const box = { west: toUnits(minLng) + turn, south, east: toUnits(maxLng) + turn, north };
  if (box.west > maxX) return 'outside';
  const first = Math.floor((Math.max(south, minY) - minY) / height);
  const last = Math.floor((Math.min(north, maxY) - minY) / height);
  for (let band = first; band <= last; band += 1) {
    for (const edge of bands[band] ?? []) if (mayTouch(edge, box)) return 'both';
  }
  return isInRing(minLng, minLat, ring) ? 'inside' : 'outside';
}

/** The turn that moves both longitudes to where those of the ring are; undefined if they need different ones. */
function turnOf(west: number, east: number, minX: number): number | undefined {
  if (east < minX) return FULL_TURN;
  if (west >= minX + FULL_TURN) return -FULL_TURN;
  return west >= minX && east < minX + FULL_TURN ? 0 : undefined;
}

type UnitBox = Readonly<Record<'west' | 'south' | 'east' | 'north', number>>;

/** Whether an edge has a point of a box. */
function mayTouch({ from, to }: BandEdge, { west, south, east, north }: UnitBox): boolean {
  if (from.y > north || to.y < south) return false;
  if ((from.x < west && to.x < west) || (from.x > east && to.x > east)) return false;
  const sideAt = (corner: Vertex): number => Math.sign(sideOf(from, to, corner));
  const side = sideAt({ x: west, y: south });
  return (
    side === 0 ||
    side !== sideAt({ x: east, y: south }) ||
    side !== sideAt({ x: west, y: north }) ||
    side !== sideAt({ x: east, y: north })
  );
}
