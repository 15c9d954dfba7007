import { TILE_CELLS, TILE_POINTS_MAX } from '../workloads/tiles.ts';
import { READER_ROLE, SCHEMA } from './load-postgresql.ts';
import type { Postgresql } from './open-postgresql.ts';

/**
 * Adds the points of the places and a function for tiles, if PostGIS is there. Returns its version; undefined without it.
 * PostgREST must start after this.
 */
export async function loadTiles(postgresql: Postgresql): Promise<string | undefined> {
  const found = await postgresql.run(
    "SELECT default_version FROM pg_available_extensions WHERE name = 'postgis';",
  );
  const version = found.trim();
  if (version === '') return undefined;
  await postgresql.run(`
    SET client_min_messages = warning;
    CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public;
    SET search_path = ${SCHEMA}, public;
    ${TILE_TABLE}
    ${TILE_FUNCTION}
    VACUUM ANALYZE tile_places;
    GRANT SELECT ON tile_places TO ${READER_ROLE};`);
  return version;
}

/** Points in Web Mercator, in the order of the index, so that those of a tile are in few pages. */
const TILE_TABLE = `
DROP TABLE IF EXISTS tile_places;
CREATE TABLE tile_places AS
  SELECT location_id, location_name, floor_area, longitude,
    ST_Transform(ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), 3857)::geometry(Point, 3857) AS point
  FROM places;
CREATE INDEX tile_places_by_point ON tile_places USING gist (point);
CLUSTER tile_places USING tile_places_by_point;
`;

/** The index rounds the edges of a tile outwards by up to a metre, so points near them are compared once more. */
const IN_TILE = `point && area AND longitude >= west AND longitude < east
    AND ST_Y(point) > ST_YMin(area) AND ST_Y(point) <= ST_YMax(area)`;

/**
 * Points up to the same number as ours; else the same cells with the same sum. Columns are counted in degrees: many edges of columns
 * have six decimals or fewer, as places have, and metres would round a place on such an edge to either side.
 */
const TILE_FUNCTION = `
-- Both results are of the domain.
DROP FUNCTION IF EXISTS tile, county_tile;
DROP DOMAIN IF EXISTS "application/vnd.mapbox-vector-tile";
CREATE DOMAIN "application/vnd.mapbox-vector-tile" AS bytea;
CREATE FUNCTION tile(z integer, x integer, y integer) RETURNS "application/vnd.mapbox-vector-tile"
LANGUAGE plpgsql STABLE AS $$
DECLARE
  area geometry := ST_TileEnvelope(z, x, y);
  west float8 := x / 2.0 ^ z * 360 - 180;
  east float8 := (x + 1) / 2.0 ^ z * 360 - 180;
  side float8 := (ST_XMax(area) - ST_XMin(area)) / ${TILE_CELLS};
  places integer;
BEGIN
  SELECT count(*) INTO places FROM (
    SELECT FROM tile_places WHERE ${IN_TILE} LIMIT ${TILE_POINTS_MAX + 1}) AS shown;
  IF places <= ${TILE_POINTS_MAX} THEN
    RETURN (SELECT ST_AsMVT(shown, 'records') FROM (
      SELECT ST_AsMVTGeom(point, area, 4096, 0, false) AS geom, location_id, location_name, floor_area
      FROM tile_places WHERE ${IN_TILE}) AS shown);
  END IF;
  RETURN (SELECT ST_AsMVT(shown, 'cells') FROM (
    SELECT ST_AsMVTGeom(ST_MakeEnvelope(
        ST_XMin(area) + lng * side, ST_YMax(area) - (lat + 1) * side,
        ST_XMin(area) + (lng + 1) * side, ST_YMax(area) - lat * side, 3857), area, 4096, 0, false) AS geom,
      count, "sum:floor_area"
    FROM (
      SELECT floor((longitude + 180) / 360 * 2 ^ z * ${TILE_CELLS}) - x * ${TILE_CELLS} AS lng,
        floor((ST_YMax(area) - ST_Y(point)) / side) AS lat,
        count(*) AS count, sum(floor_area)::bigint AS "sum:floor_area"
      FROM tile_places WHERE ${IN_TILE} GROUP BY 1, 2) AS cells) AS shown);
END $$;
`;
