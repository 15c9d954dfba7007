import { READER_ROLE, SCHEMA } from './load-postgresql.ts';
import type { Postgresql } from './open-postgresql.ts';

/** The last zoom with outlines of its own. Deeper ones have all positions at it, as ours. */
const ZOOM_MAX = 8;

/** Adds the outlines of counties for each zoom, and a function for tiles. PostGIS must be there, and PostgREST start later. */
export async function loadCountyTiles(postgresql: Postgresql): Promise<void> {
  await postgresql.run(`
    SET client_min_messages = warning;
    CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public;
    SET search_path = ${SCHEMA}, public;
    ${OUTLINES}
    ${FUNCTION}
    VACUUM ANALYZE county_outlines;
    GRANT SELECT ON county_outlines TO ${READER_ROLE};`);
}

/**
 * In Web Mercator, simplified for each zoom to half a pixel of 512 for a tile, so that a tile reads few positions. The index has
 * the zoom too.
 */
const OUTLINES = `
DROP TABLE IF EXISTS county_outlines;
CREATE TABLE county_outlines AS
  SELECT zoom, county, name, people AS value,
    CASE WHEN zoom = ${ZOOM_MAX} THEN shape
      ELSE ST_SimplifyPreserveTopology(shape, 40075016.7 / 2 ^ zoom / 512 / 2) END AS shape
  FROM generate_series(0, ${ZOOM_MAX}) AS zoom,
    (SELECT county, name, people,
      ST_Transform(ST_SetSRID(ST_GeomFromGeoJSON(outline), 4326), 3857) AS shape FROM counties) AS whole;
CREATE INDEX county_outlines_by_zoom ON county_outlines USING gist (zoom, shape);
CLUSTER county_outlines USING county_outlines_by_zoom;
`;

/** Cut 64 of 4,096 units outside of the tile, as ours. The domain of the result is that of the other tiles. */
const FUNCTION = `
DROP FUNCTION IF EXISTS county_tile;
CREATE FUNCTION county_tile(z integer, x integer, y integer) RETURNS "application/vnd.mapbox-vector-tile"
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT ST_AsMVT(shown, 'features') FROM (
    SELECT ST_AsMVTGeom(shape, ST_TileEnvelope(z, x, y), 4096, 64, true) AS geom, county AS id, name, value
    FROM county_outlines
    WHERE zoom = least(z, ${ZOOM_MAX}) AND shape && ST_TileEnvelope(z, x, y, margin => 64.0 / 4096)) AS shown
    WHERE geom IS NOT NULL);
END $$;
`;
