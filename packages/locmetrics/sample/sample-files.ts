/** A file to write: the query of its rows, their key and order, and the format of the file. */
export type SampleFile = {
  readonly name: string;
  /** The columns that identify a row, never blank. The file is sorted by them. */
  readonly key: readonly string[];
  /** A query over the source tables (see `source-files.ts`). All their columns are text. */
  readonly query: string;
  /** The options of DuckDB's COPY. */
  readonly options: string;
};

const csv = 'FORMAT csv, HEADER true';

/** DuckDB writes no file name and a time of zero into gzip, so equal rows give equal bytes. */
const gzippedCsv = `${csv}, COMPRESSION gzip`;

/**
 * Chosen by measurement: 2.9 MB. With one row group for all 242,335 rows, Zstandard compresses the whole
 * file at once (120,000 rows a group: 3.0 MB). Parquet version 2 splits the bytes of a number
 * (BYTE_STREAM_SPLIT), which hides the equal prefixes of neighbouring coordinates: 3.6 MB.
 */
const smallParquet =
  'FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 22, ROW_GROUP_SIZE 245760, ' +
  'PARQUET_VERSION V1';

/**
 * All joins are LEFT joins, so no row of the first table is lost. If a join duplicated a row, the key would
 * no longer be unique. `error` stops the build if a required name is missing.
 */
export const sampleFiles: readonly SampleFile[] = [
  {
    name: 'places.csv',
    key: ['location_id'],
    // No source classifies the parks. The industry is our own choice, the same for all parks.
    query: `
      SELECT
        park.park_code AS location_id,
        location_name,
        short_name,
        park_type,
        street_address,
        city,
        region,
        postal_code,
        iso_country_code,
        latitude,
        longitude,
        us_cbsa_2023,
        us_cbsa_2023_title AS us_cbsa,
        '712190' AS naics_2017,
        'Nature Parks and Other Similar Institutions' AS naics,
        nps_region,
        'false' AS is_obfuscated
      FROM park
      LEFT JOIN park_geography ON park_geography.park_code = park.park_code`,
    options: csv,
  },
  {
    name: 'foot_traffic_month.csv.gz',
    key: ['location_id', 'observation_start_date'],
    query: `
      SELECT
        park_month.park_code AS location_id,
        coalesce(location_name, error('No park has the code ' || park_month.park_code))
          AS location_name,
        observation_start_date,
        last_day(observation_start_date::DATE) AS observation_end_date,
        visits_sum,
        non_recreation_visits,
        tent_campers,
        rv_campers,
        backcountry_campers
      FROM park_month
      LEFT JOIN park ON park.park_code = park_month.park_code`,
    options: gzippedCsv,
  },
  {
    name: 'neighborhoods.parquet',
    key: ['location_id'],
    query: `
      SELECT
        block_group.STATEFP || block_group.COUNTYFP || TRACTCE || BLKGRPCE AS location_id,
        block_group.STATEFP || block_group.COUNTYFP || TRACTCE AS us_tract_id,
        block_group.STATEFP || block_group.COUNTYFP AS us_county_id,
        coalesce(
          COUNAME,
          error('No county has the code ' || block_group.STATEFP || block_group.COUNTYFP)
        ) AS us_county,
        block_group.STATEFP AS us_state_id,
        coalesce(state.STNAME, error('No state has the code ' || block_group.STATEFP)) AS us_state,
        block_group.LATITUDE::DOUBLE AS latitude,
        block_group.LONGITUDE::DOUBLE AS longitude,
        block_group.POPULATION::BIGINT AS population
      FROM block_group
      LEFT JOIN county
        ON county.STATEFP = block_group.STATEFP AND county.COUNTYFP = block_group.COUNTYFP
      LEFT JOIN state ON state.STATEFP = block_group.STATEFP`,
    options: smallParquet,
  },
  {
    name: 'state_day.csv.gz',
    key: ['location_id', 'observation_date'],
    // The nation has neither code nor name in the source. A location needs a code, so it gets its country
    // code, which is in the source. It gets no name, because that would be invented.
    query: `
      SELECT
        CASE admin_level WHEN '0' THEN country_code ELSE fips END AS location_id,
        admin1 AS location_name,
        country_code,
        admin_level,
        date AS observation_date,
        samples,
        m50,
        m50_index
      FROM mobility_day
      WHERE admin_level IN ('0', '1')`,
    options: gzippedCsv,
  },
  {
    name: 'states.csv',
    key: ['us_state_2020'],
    query: `
      SELECT
        STATEFP AS us_state_2020,
        STNAME AS us_state,
        POPULATION AS population,
        LATITUDE AS latitude,
        LONGITUDE AS longitude
      FROM state`,
    options: csv,
  },
];
