import type { BoundingBox } from './bounding-box.ts';

/**
 * A closed ring without crossings, as whole numbers of 10⁻⁹ degrees. Each edge goes from a vertex to the next one; the
 * last edge returns to the first vertex, which is not repeated. The least longitude is from -180 up to, but not
 * including, 180 degrees. Other longitudes may be greater than 180: so edges cross the antimeridian without a jump.
 */
export type Ring = readonly Vertex[];

export type Vertex = { readonly x: number; readonly y: number };

export const UNITS_PER_DEGREE = 1e9;

/** 180 and 360 degrees. */
export const HALF_TURN = 180 * UNITS_PER_DEGREE;
export const FULL_TURN = 360 * UNITS_PER_DEGREE;

/**
 * Degrees as the nearest whole number of 10⁻⁹ degrees, a half upwards. The multiplication, the addition and the floor
 * are those of IEEE 754, so databases compute the same number.
 */
export function toUnits(degrees: number): number {
  return Math.floor(degrees * UNITS_PER_DEGREE + 0.5);
}

/** The ends of a ring in longitude and latitude. */
export type Extent = Readonly<Record<'minX' | 'maxX' | 'minY' | 'maxY', number>>;

export function extentOf(ring: Ring): Extent {
  const [xs, ys] = [ring.map(({ x }) => x), ring.map(({ y }) => y)];
  return {
    minX: Math.min(...xs),
    maxX: Math.max(...xs),
    minY: Math.min(...ys),
    maxY: Math.max(...ys),
  };
}

/** A box that contains every point that rounds to a point of the ring: one unit larger on each side. */
export function boxAround(ring: Ring): BoundingBox {
  const { minX, maxX, minY, maxY } = extentOf(ring);
  const [west, east] = [minX - 1, maxX + 1];
  const isRound = east - west >= FULL_TURN;
  return {
    minLng: isRound ? -180 : (west < -HALF_TURN ? west + FULL_TURN : west) / UNITS_PER_DEGREE,
    maxLng: isRound ? 180 : (east > HALF_TURN ? east - FULL_TURN : east) / UNITS_PER_DEGREE,
    minLat: Math.max(-90, (minY - 1) / UNITS_PER_DEGREE),
    maxLat: Math.min(90, (maxY + 1) / UNITS_PER_DEGREE),
  };
}

/**
 * The side of the line through two points on which a third one lies, exactly: positive on the left, as seen from the
 * first point, negative on the right, and 0 on the line. Coordinates are whole numbers below 2⁵⁰.
 */
export function sideOf(from: Vertex, to: Vertex, { x, y }: Vertex): number {
  // The differences are exact. The products can be up to 2.6e23, of which a double keeps 53 bits.
  const left = (to.x - from.x) * (y - from.y);
  const right = (x - from.x) * (to.y - from.y);
  const difference = left - right;
  // Each product and the difference are rounded by at most 2⁻⁵³ of their size.
  if (Math.abs(difference) > (Math.abs(left) + Math.abs(right)) * 2 ** -50) return difference;
  const exactLeft = BigInt(to.x - from.x) * BigInt(y - from.y);
  const exactRight = BigInt(x - from.x) * BigInt(to.y - from.y);
  return exactLeft > exactRight ? 1 : exactLeft < exactRight ? -1 : 0;
}
