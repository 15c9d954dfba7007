import type { GeoPolygon } from '@locmetrics/core/geometry/polygon';

/** The points of a ring, the first one repeated at the end: longitude and latitude. */
export type TestPolygon = readonly TestPoint[];
export type TestPoint = readonly [longitude: number, latitude: number];

export function toPolygon(points: TestPolygon): GeoPolygon {
  return {
    coordinates: points.map(([longitude, latitude]) => ({ longitude, latitude })),
    pointsAt: '/coordinates',
  };
}
