import { PAGE_SIZE, PLACE_FIELDS } from '../workloads/records.ts';
import { READER_ROLE, SCHEMA } from './load-postgresql.ts';
import type { Postgresql } from './open-postgresql.ts';

/** Adds the points of the places and a function for those in a polygon. PostGIS must be there, and PostgREST start later. */
export async function loadPolygons(postgresql: Postgresql): Promise<void> {
  await postgresql.run(`
    SET client_min_messages = warning;
    SET search_path = ${SCHEMA}, public;
    ${POINTS}
    ${FUNCTION}
    VACUUM ANALYZE polygon_places;
    GRANT SELECT ON polygon_places TO ${READER_ROLE};`);
}

/** Points in degrees, in the order of the index, with what is needed to find the page. */
const POINTS = `
DROP TABLE IF EXISTS polygon_places;
CREATE TABLE polygon_places AS
  SELECT location_id, floor_area,
    ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geometry(Point, 4326) AS point
  FROM places;
CREATE INDEX polygon_places_by_point ON polygon_places USING gist (point);
CLUSTER polygon_places USING polygon_places_by_point;
`;

const FIELDS = PLACE_FIELDS.names
  .map((name) => `'${name}', coalesce(places.${name}::text, '')`)
  .join(', ');

/** The places are found once, for the page and for its total. The polygon is parsed once. */
const FUNCTION = `
DROP FUNCTION IF EXISTS places_in_polygon;
CREATE FUNCTION places_in_polygon(area json) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  shape geometry := ST_SetSRID(ST_GeomFromGeoJSON(area), 4326);
BEGIN
  RETURN (
    WITH found AS MATERIALIZED (
      SELECT location_id, floor_area FROM polygon_places WHERE ST_Intersects(point, shape)),
    page AS (
      SELECT * FROM found ORDER BY floor_area DESC, location_id LIMIT ${PAGE_SIZE})
    SELECT json_build_object(
      'records', coalesce(json_agg(json_build_object('fields', json_build_object(${FIELDS}))
        ORDER BY page.floor_area DESC, page.location_id), '[]'::json),
      'nextPageToken', '',
      'totalSize', (SELECT count(*) FROM found),
      'version', 'one')
    FROM page JOIN places USING (location_id));
END $$;
`;
