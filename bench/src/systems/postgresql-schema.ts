import { COMPONENTS } from '../dataset/manifest.ts';
import {
  type AggregateQuery,
  GROWN,
  QUANTILE,
  TOTALS,
  YEAR,
} from '../workloads/aggregate-queries.ts';
import { PARTNER, PARTNER_HIDDEN, PARTNER_PLACES } from '../workloads/partner.ts';
import { PAGE_SIZE, PLACE_FIELDS, type RecordFields, VISIT_FIELDS } from '../workloads/records.ts';

/** The tables, with the columns of the files. Ids are ordered by their bytes, like ours. */
export const TABLES = `
CREATE TABLE places (
  location_id text COLLATE "C" NOT NULL, location_name text COLLATE "C", category text, brand text,
  street_address text, city text, region text, postal_code text, iso_country_code text,
  latitude double precision, longitude double precision,
  us_state_2020 text, us_state text, us_county_2020 text, us_county text, us_cbsa_2023 text, us_cbsa text,
  us_tract_2020 text, us_block_group_2020 text, h3 text, floor_area bigint, is_obfuscated boolean);
CREATE TABLE visits (
  location_id text COLLATE "C" NOT NULL, observation_start_date date NOT NULL, observation_end_date date,
  visits bigint, visitors bigint, median_minutes double precision);
CREATE TABLE long_visits (LIKE visits);
CREATE TABLE names (name_id bigint NOT NULL, name text COLLATE "C");
CREATE TABLE counties (
  county text NOT NULL, name text, year_start date, year_end date, people bigint, longitude double precision, latitude double precision, outline text);
`;

/** One suitable index for each workload. bench/README.md explains the choice. */
export const INDEXES = `
ALTER TABLE places ADD PRIMARY KEY (location_id);
CREATE INDEX ON places (region, floor_area DESC, location_id) INCLUDE (latitude, longitude);
CREATE INDEX ON places (region, latitude, longitude) INCLUDE (floor_area, location_id);
CREATE INDEX ON places (category, location_id) INCLUDE (us_state_2020, is_obfuscated);
CREATE INDEX ON places USING gist (point(longitude, latitude));
ALTER TABLE visits ADD PRIMARY KEY (location_id, observation_start_date);
CREATE INDEX ON visits (visits DESC, location_id, observation_start_date);
CREATE INDEX ON visits (observation_start_date);
CREATE INDEX ON visits (location_id) INCLUDE (observation_start_date, visits);
CREATE INDEX ON visits (observation_start_date, location_id) INCLUDE (visits);
CREATE INDEX ON visits (observation_start_date, visits);
ALTER TABLE long_visits ADD PRIMARY KEY (location_id, observation_start_date);
ALTER TABLE names ADD PRIMARY KEY (name_id);
CREATE INDEX ON names (name);
CREATE INDEX ON names USING gin (name gin_trgm_ops);
`;

const PARTNER_COLUMNS = [
  ...['location_id', 'location_name', 'region', 'us_state', 'us_county', 'us_cbsa'],
  ...['latitude', 'longitude'],
  ...COMPONENTS.filter((id) => !PARTNER_HIDDEN.has(id)),
];

/** The views of the partner, which may read nothing else. */
export const PARTNER_VIEWS = `
CREATE VIEW partner_places WITH (security_barrier) AS
  SELECT ${PARTNER_COLUMNS.join(', ')} FROM places WHERE ${PARTNER_PLACES};
CREATE VIEW partner_visits WITH (security_barrier) AS
  SELECT location_id, observation_start_date, observation_end_date, visits, visitors FROM visits
  WHERE ${PARTNER.records} AND EXISTS (
    SELECT FROM places WHERE places.location_id = visits.location_id AND ${PARTNER_PLACES});
`;

/**
 * The keys of a page by one index each. A condition on `latitude + 0` finds nothing in an index on `latitude`; the
 * parts that are materialized are found before they are ordered.
 */
const FOUND_BY_ORDER = `
    SELECT location_id, floor_area FROM places
    WHERE region = in_region AND latitude + 0 BETWEEN min_lat AND max_lat
      AND longitude + 0 BETWEEN min_lng AND max_lng`;
const FOUND_BY_BOX = `
    SELECT location_id, floor_area FROM (
      SELECT location_id, floor_area FROM places
      WHERE region = in_region AND latitude BETWEEN min_lat AND max_lat
        AND longitude BETWEEN min_lng AND max_lng OFFSET 0) AS in_box`;
const FOUND_BY_POINT = `
    SELECT location_id, floor_area FROM (
      SELECT location_id, floor_area FROM places
      WHERE point(longitude, latitude) <@ box(point(min_lng, min_lat), point(max_lng, max_lat))
        AND region || '' = in_region OFFSET 0) AS in_box`;

/** Functions that answer in the shape of Locmetrics, without the definitions of the fields. */
export const FUNCTIONS = `
${seriesFunction('series', { table: 'visits', metric: 'visits_monthly' })}
${seriesFunction('long_series', { table: 'long_visits', metric: 'visits_monthly_long' })}
${seriesFunction('partner_series', { table: 'partner_visits', places: 'partner_places', metric: 'visits_monthly', hidden: PARTNER_HIDDEN })}
CREATE FUNCTION places_in_box(
  min_lng float8, min_lat float8, max_lng float8, max_lat float8, in_region text
) RETURNS json LANGUAGE sql STABLE AS $$
  ${page('places', 'region = in_region AND latitude BETWEEN min_lat AND max_lat AND longitude BETWEEN min_lng AND max_lng', 'floor_area DESC, location_id', PLACE_FIELDS)}
$$;
${forcedBox('places_by_order', FOUND_BY_ORDER)}
${forcedBox('places_by_box', FOUND_BY_BOX)}
${forcedBox('places_by_point', FOUND_BY_POINT)}
CREATE FUNCTION busiest_since(since date) RETURNS json LANGUAGE sql STABLE AS $$
  ${page('visits', 'observation_start_date >= since', 'visits DESC, location_id, observation_start_date', VISIT_FIELDS)}
$$;
CREATE FUNCTION search_names(term text, page_size int) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('values', coalesce(json_agg(name), '[]'::json), 'nextPageToken', '', 'version', 'one')
  FROM (
    SELECT name FROM names WHERE name ILIKE '%' || term || '%'
    ORDER BY name ILIKE term || '%' DESC, name LIMIT page_size) AS found
$$;
${[TOTALS, GROWN, QUANTILE, YEAR].map(aggregateFunction).join('\n')}
`;

/** A function that answers with the rows of aggregates. */
function aggregateFunction({ name, parameterType, columns, sql }: AggregateQuery): string {
  const types = Object.entries(columns).map((column) => column.join(' '));
  return `CREATE FUNCTION ${name}(parameter ${parameterType}) RETURNS TABLE (${types.join(', ')})
LANGUAGE sql STABLE PARALLEL SAFE AS $$${sql('parameter')}
$$;`;
}

/** A function that answers with the rows of a page that a query finds. */
function forcedBox(name: string, found: string): string {
  const columns = PLACE_FIELDS.names.map((field) => `places.${field}`).join(', ');
  const types = PLACE_FIELDS.names.map((field) => `${field} ${typeOf(field)}`).join(', ');
  return `CREATE FUNCTION ${name}(
  min_lng float8, min_lat float8, max_lng float8, max_lat float8, in_region text
) RETURNS TABLE (${types}) LANGUAGE sql STABLE AS $$
  WITH found AS MATERIALIZED (${found}
    ORDER BY floor_area DESC, location_id LIMIT ${PAGE_SIZE})
  SELECT ${columns} FROM found JOIN places USING (location_id)
  ORDER BY found.floor_area DESC, found.location_id
$$;`;
}

function typeOf(field: string): string {
  if (field === 'floor_area') return 'bigint';
  return PLACE_FIELDS.numbers.has(field) ? 'float8' : 'text';
}

/** A function that answers with the series of a place, with the components of the place in each value. */
function seriesFunction(
  name: string,
  {
    table,
    places = 'places',
    metric,
    hidden = new Set(),
  }: {
    readonly table: string;
    readonly places?: string;
    readonly metric: string;
    readonly hidden?: ReadonlySet<string>;
  },
): string {
  const supporting = [
    measure('visitor_count', 'People', 'count', 'visitors'),
    ...(hidden.has('median_duration')
      ? []
      : [measure('median_duration', 'Minutes', 'number', 'median_minutes')]),
  ];
  const components = COMPONENTS.filter((id) => !hidden.has(id)).map(component);
  return `CREATE FUNCTION ${name}(place text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'valuesList', coalesce(json_agg(json_build_object(
      'metricId', '${metric}',
      'value', ${measure('visit_count', 'People', 'count', 'visits')},
      'observationPeriod', json_build_object(
        'start', ${day('observation_start_date')}, 'end', ${day('observation_end_date')}),
      'dimensionsList', '[]'::json,
      'supportingValuesList', json_build_array(${supporting.join(', ')}),
      'flagsList', '[]'::json,
      'mapFeatureV2', feature) ORDER BY observation_start_date), '[]'::json),
    'appliedFilters', json_build_object(
      'periodFiltersList', '[]'::json, 'dimensionFiltersList', '[]'::json,
      'addressComponentFiltersList',
        '[{"component":"is_obfuscated","valuesList":["false"]}]'::json,
      'featureFiltersList', json_build_array(place), 'relatedFeatureFiltersList', '[]'::json,
      'valueFiltersList', '[]'::json, 'relatedAddressComponentFiltersList', '[]'::json),
    'totalSize', count(*), 'nextPageToken', '', 'version', 'one')
  FROM ${table}, (
    SELECT json_build_object(
      'layerId', 'places', 'featureId', location_id, 'name', location_name, 'geo', point,
      'addressComponentsList', json_build_array(${components.join(', ')}),
      'point', point, 'polygon', '', 'cameIntoExistence', '', 'ceasedToExist', '') AS feature
    FROM ${places}, LATERAL (
      SELECT '{"type":"Point","coordinates":[' || longitude || ',' || latitude || ']}' AS point
    ) AS points
    WHERE location_id = place AND NOT is_obfuscated
    OFFSET 0) AS features
  WHERE location_id = place
$$;`;
}

function measure(name: string, unit: string, kind: 'count' | 'number', column: string): string {
  const [number, count] = kind === 'count' ? ['0', column] : [column, '0'];
  return `json_build_object('name', '${name}', 'unit', '${unit}', 'number', ${number}, 'count', ${count}, 'category', '')`;
}

function day(column: string): string {
  const parts = ['year', 'month', 'day'].map(
    (part) => `'${part}', extract(${part} FROM ${column})::int`,
  );
  return `json_build_object(${parts.join(', ')})`;
}

function component(id: string): string {
  const names = new Map([
    ['us_state_2020', ['region', 'us_state']],
    ['us_county_2020', ["''", 'us_county']],
    ['us_cbsa_2023', ["''", 'us_cbsa']],
  ]);
  const [shortName, displayName] = names.get(id) ?? ["''", "''"];
  return `json_build_object('component', '${id}', 'value', coalesce(${id}::text, ''), 'shortName', ${shortName}, 'displayName', ${displayName})`;
}

/** A page of records with the exact total. Every value is text. */
function page(table: string, condition: string, order: string, { names }: RecordFields): string {
  const fields = names.map((name) => `'${name}', coalesce(${name}::text, '')`).join(', ');
  return `
  SELECT json_build_object(
    'records', coalesce(json_agg(json_build_object('fields', json_build_object(${fields})) ORDER BY ${order}), '[]'::json),
    'nextPageToken', '',
    'totalSize', (SELECT count(*) FROM ${table} WHERE ${condition}),
    'version', 'one')
  FROM (SELECT ${names.join(', ')} FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ${PAGE_SIZE}) AS found`;
}
