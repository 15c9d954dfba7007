/** A polygon of a request, in degrees: one ring, whose last point repeats the first. Not checked yet. */
export type GeoPolygon = {
  readonly coordinates: readonly GeoCoordinate[];
  /** Where the points are in the polygon of the request: in GeoJSON they are in its first ring. */
  readonly pointsAt: '/coordinates' | '/coordinates/0';
};

export type GeoCoordinate = { readonly longitude: number; readonly latitude: number };

/** The number of points of a polygon, the repeated one included. */
export const POLYGON_POINTS_MIN = 4;
export const POLYGON_POINTS_MAX = 500;
