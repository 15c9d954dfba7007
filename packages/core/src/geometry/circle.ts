import type { BoundingBox } from './bounding-box.ts';
import type { GeoCoordinate } from './polygon.ts';

/** A circle of a request: all points up to a distance from its centre. Not checked yet. */
export type GeoCircle = GeoCoordinate & { readonly radiusMetres: number };

/** The mean radius of the earth: distances are those of a sphere. */
export const EARTH_RADIUS_METRES = 6_371_008.8;

/** Half the circumference, rounded up to a whole metre: the distance of the opposite point. */
export const RADIUS_MAX_METRES = 20_015_115;

/** A square of a chord that no two points of the unit sphere have. */
const BEYOND_ALL = 5;

/** The square of the longest chord inside a circle. It is computed here alone, so that all engines compare with the same. */
export function chordLimit(radiusMetres: number): number {
  if (radiusMetres >= Math.PI * EARTH_RADIUS_METRES) return BEYOND_ALL;
  const chord = 2 * Math.sin(radiusMetres / (2 * EARTH_RADIUS_METRES));
  return chord * chord;
}

/** A box that contains all points of a circle: a metre larger on each side, far more than the rounding of chords. */
export function boxAroundCircle({ longitude, latitude, radiusMetres }: GeoCircle): BoundingBox {
  const angle = toDegrees(radiusMetres / EARTH_RADIUS_METRES) + MARGIN_DEGREES;
  const [south, north] = [latitude - angle, latitude + angle];
  const latitudes = { minLat: Math.max(-90, south), maxLat: Math.min(90, north) };
  // Around a pole there are all longitudes.
  if (south <= -90 || north >= 90) return { ...latitudes, minLng: -180, maxLng: 180 };
  const reach =
    toDegrees(Math.asin(Math.min(1, Math.sin(toRadians(angle)) / Math.cos(toRadians(latitude))))) +
    MARGIN_DEGREES;
  const [west, east] = [longitude - reach, longitude + reach];
  if (east - west >= 360) return { ...latitudes, minLng: -180, maxLng: 180 };
  return {
    ...latitudes,
    minLng: west < -180 ? west + 360 : west,
    maxLng: east > 180 ? east - 360 : east,
  };
}

const MARGIN_DEGREES = 1e-5;

function toDegrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
