/**
 * A box in degrees, edges included. `minLng > maxLng` means that it crosses the antimeridian.
 * Longitudes lie from -180 to 180, latitudes from -90 to 90.
 */
export type BoundingBox = {
  readonly minLng: number;
  readonly minLat: number;
  readonly maxLng: number;
  readonly maxLat: number;
};

export function crossesAntimeridian(box: BoundingBox): boolean {
  return box.minLng > box.maxLng;
}
