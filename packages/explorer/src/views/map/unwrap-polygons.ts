import type { FeatureCollection, Geometry, Polygon, Position } from 'geojson';

/**
 * The polygons for a flat map. The boundaries are those of a sphere: a ring jumps from 180 to -180 degrees where it
 * crosses the antimeridian. Here it goes on beyond 180 degrees.
 */
export function unwrapPolygons(collection: FeatureCollection): FeatureCollection {
  return {
    ...collection,
    features: collection.features.map((feature) => ({
      ...feature,
      geometry: unwrapGeometry(feature.geometry),
    })),
  };
}

function unwrapGeometry(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') {
    return { type: 'Polygon', coordinates: unwrapPolygon(geometry.coordinates) };
  }
  if (geometry.type !== 'MultiPolygon') return geometry;
  return { type: 'MultiPolygon', coordinates: geometry.coordinates.map(unwrapPolygon) };
}

function unwrapPolygon(rings: Polygon['coordinates']): Polygon['coordinates'] {
  return rings.map(unwrapRing);
}

function unwrapRing(ring: readonly Position[]): Position[] {
  let turns = 0;
  let last = ring[0]?.[0] ?? 0;
  return ring.map(([longitude = 0, latitude = 0]) => {
    if (longitude - last > 180) turns -= 1;
    if (longitude - last < -180) turns += 1;
    last = longitude;
    return [longitude + turns * 360, latitude];
  });
}
