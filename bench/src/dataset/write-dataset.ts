import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DATASET_FILES } from './dataset-files.ts';
import { MANIFEST } from './manifest.ts';
import { METROS } from './metros.ts';
import {
  CATEGORIES,
  CONSONANTS,
  LONG_MONTHS,
  NAME_FACTOR,
  NAME_SYLLABLES,
  NAME_WORDS,
  PLACE_ID_DIGITS,
  SYLLABLES,
  VOWELS,
  type World,
} from './world.ts';
import { writeCounties } from './write-counties.ts';

/**
 * Writes the files and the manifest into the folder. The folder has either all files or does not exist.
 * Every value is a hash of the seed and its row. So several threads can make the rows in any order, and
 * each run makes the same rows.
 */
export async function writeDataset(folder: string, world: World): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' });
  const connection = await instance.connect();
  try {
    for (const statement of definitions(world)) await connection.run(statement);
    await writeCounties(connection);
    const rows = {
      places: placesQuery(world),
      visits: visitsQuery({ ...world, salt: 30 }),
      long_visits: visitsQuery({ places: world.longPlaces, months: LONG_MONTHS, salt: 40 }),
      names: namesQuery(world),
      counties: `SELECT county, name, DATE '2023-01-01' AS year_start, DATE '2023-12-31' AS year_end,
        draw_index(50, row_number() OVER (ORDER BY county), 1000000) AS people, longitude, latitude, outline
        FROM counties ORDER BY county`,
    };
    for (const name of DATASET_FILES) {
      const path = join(unfinished, `${name}.parquet`).replaceAll("'", "''");
      await connection.run(`COPY (${rows[name]}) TO '${path}' (FORMAT parquet)`);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  await writeFile(join(unfinished, 'locmetrics.yaml'), MANIFEST);
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
}

function definitions({ seed }: World): readonly string[] {
  const digits = Array.from(
    { length: NAME_SYLLABLES },
    (_, place) => `syllable(n // ${SYLLABLES ** place} % ${SYLLABLES})`,
  );
  const metros = METROS.map(
    (metro, index) =>
      `(${[index, ...Object.values(metro)].map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ')})`,
  );
  const columns =
    'metro, metro_city, region, us_state_2020, us_state, us_county_2020, us_county, us_cbsa_2023, us_cbsa, center_latitude, center_longitude';
  return [
    // Each kind of value has its own salt, so that the values of a row are independent.
    `CREATE MACRO draw(salt, row_index) AS (hash(row_index::BIGINT, salt::BIGINT, ${seed}::BIGINT) >> 11) * pow(2, -53)`,
    'CREATE MACRO draw_index(salt, row_index, bound) AS floor(draw(salt, row_index) * bound)::BIGINT',
    `CREATE MACRO syllable(digit) AS substr('${CONSONANTS}', (digit // ${VOWELS.length} + 1)::INTEGER, 1) || substr('${VOWELS}', (digit % ${VOWELS.length} + 1)::INTEGER, 1)`,
    `CREATE MACRO word(n) AS ${digits.join(' || ')}`,
    'CREATE MACRO title(word) AS upper(word[1]) || word[2:]',
    `CREATE MACRO unique_name(row_index) AS title(word(draw_index(1, row_index, ${NAME_WORDS}))) || ' ' || title(word(row_index * ${NAME_FACTOR} % ${NAME_WORDS}))`,
    `CREATE TABLE metros AS FROM (VALUES ${metros.join(', ')}) AS _(${columns})`,
  ];
}

const BRANDS_COUNT = 40;

function placesQuery({ places }: World): string {
  const categories = CATEGORIES.map((category) => `'${category}'`).join(', ');
  return `
    SELECT 'pl_' || lpad(i::VARCHAR, ${PLACE_ID_DIGITS}, '0') AS location_id,
      unique_name(i) || ' ' || category AS location_name,
      category,
      CASE WHEN draw(3, i) < 0.4 THEN title(word(draw_index(4, i, ${BRANDS_COUNT}) * 1234567)) END AS brand,
      (1 + draw_index(5, i, 9899)) || ' ' || title(word(draw_index(6, i, 3000) * 7919)) || ' Street' AS street_address,
      CASE WHEN draw(7, i) < 0.4 THEN metro_city ELSE title(word((metro * 20 + draw_index(8, i, 20)) * 54321)) END AS city,
      region,
      lpad((1000 + metro * 2800 + draw_index(9, i, 200))::VARCHAR, 5, '0') AS postal_code,
      'US' AS iso_country_code,
      round(center_latitude + (draw(10, i) + draw(11, i) + draw(12, i) - 1.5) * 1.2, 6) AS latitude,
      round(center_longitude + (draw(13, i) + draw(14, i) + draw(15, i) - 1.5) * 1.5, 6) AS longitude,
      us_state_2020, us_state, us_county_2020, us_county, us_cbsa_2023, us_cbsa,
      us_tract_2020,
      us_tract_2020 || (1 + draw_index(16, i, 4)) AS us_block_group_2020,
      '8a' || lower(lpad(to_hex(hash(i, 17) >> 12), 13, '0')) AS h3,
      floor(40 * pow(1 - draw(18, i), -0.8))::BIGINT AS floor_area,
      false AS is_obfuscated
    FROM (
      SELECT i, metros.*, list_value(${categories})[1 + draw_index(2, i, ${CATEGORIES.length})] AS category,
        us_county_2020 || lpad((draw_index(19, i, 900) * 100)::VARCHAR, 6, '0') AS us_tract_2020
      FROM range(${places}) AS _(i)
      JOIN metros ON metro = floor(pow(draw(20, i), 1.5) * ${METROS.length})::BIGINT
    )
    ORDER BY i`;
}

/**
 * Rows come month by month, as in real deliveries: the order of the file is not the order of the key. Their
 * values use four salts, from the given one on.
 */
function visitsQuery({
  places,
  months,
  salt,
}: Pick<World, 'places' | 'months'> & { readonly salt: number }): string {
  return `
    SELECT 'pl_' || lpad(place::VARCHAR, ${PLACE_ID_DIGITS}, '0') AS location_id,
      month_start AS observation_start_date,
      last_day(month_start) AS observation_end_date,
      visits,
      1 + floor(visits * (0.3 + 0.6 * draw(${salt + 2}, n)))::BIGINT AS visitors,
      round(5 + 115 * draw(${salt + 3}, n), 1) AS median_minutes
    FROM (
      SELECT n, n % ${places} AS place,
        (DATE '2024-01-01' - to_months((${months} - n // ${places})::INTEGER))::DATE AS month_start,
        1 + floor(60 * pow(1 - draw(${salt}, n % ${places}), -0.7) * (0.6 + 0.8 * draw(${salt + 1}, n)))::BIGINT AS visits
      FROM range(${places * months}) AS _(n)
    )`;
}

function namesQuery({ names }: World): string {
  return `SELECT i AS name_id, unique_name(i) AS name FROM range(${names}) AS _(i)`;
}
