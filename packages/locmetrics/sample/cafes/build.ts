/**
 * Makes the files of this folder, which have no source: the cafés and their visits are invented.
 *
 *     node sample/cafes/build.ts [--to DIR]
 *
 * Every run writes the same bytes: the random numbers follow from a seed, and only sums and products are made
 * of them. The codes of areas are real: each café lies beside the center of a census block group of the sample.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { randomNumbers } from '../../test/support/random-numbers.ts';
import { BRANDS, INDEPENDENT_NAMES, NEIGHBORHOODS, type Neighborhood } from './names.ts';

const SEED = 20_240_101;
/** Terraces fill in summer, and presents are bought in December. */
const SEASON = [0.86, 0.88, 0.95, 1, 1.05, 1.1, 1.18, 1.16, 1.06, 1, 0.95, 1.08];

const { values: given } = parseArgs({ options: { to: { type: 'string' } } });
const folder = given.to ?? import.meta.dirname;
const random = randomNumbers(SEED);

type Row = Readonly<Record<string, string>>;
type BlockGroup = { readonly id: string; readonly latitude: number; readonly longitude: number };
type Visits = {
  readonly cafe: string;
  readonly month: string;
  readonly days: number;
  /** Undefined: the month has no count. */
  readonly count: number | undefined;
};

const places = await makePlaces();
const visits = places.flatMap(makeVisits);
write('places.csv', places);
write('visits.csv', visits.map(toVisitsRow));

// The tutorial has fewer fields of the same cafés, and two later months to publish. One of them exists with a mistake, too.
const LAST_MONTH = '2025-12';
const TUTORIAL_COLUMNS = ['cafe_id', 'name', 'city', 'us_zip_2010', 'latitude', 'longitude'];
const TUTORIAL_NAMES = ['id', 'name', 'city', 'zip', 'lat', 'lng'];
write('tutorial/places.csv', places.map(toTutorialPlace));
write(
  'tutorial/visits.csv',
  visits.filter(({ month }) => month < LAST_MONTH).map(toTutorialVisits),
);
const last = visits.filter(({ month }) => month === LAST_MONTH);
write(`tutorial/${LAST_MONTH}/visits.csv`, last.map(toTutorialVisits));
const january = last.map((value) => ({
  ...value,
  month: '2026-01',
  count: Math.round((value.count ?? 0) * 0.8),
}));
write('tutorial/2026-01-corrected/visits.csv', january.map(toTutorialVisits));
// A mistake that no check of a single value can find: the last digit of each count is missing.
const cut = january.map((value) => ({ ...value, count: Math.floor(value.count / 10) }));
write('tutorial/2026-01/visits.csv', cut.map(toTutorialVisits));

async function makePlaces(): Promise<readonly Row[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const independents = [...INDEPENDENT_NAMES];
  const rows: Row[] = [];
  for (const area of NEIGHBORHOODS) {
    const reader = await connection.runAndReadAll(
      `SELECT location_id, latitude, longitude, us_county, us_state
       FROM read_parquet($path) WHERE us_county_id = $county
       ORDER BY (latitude - $latitude) ** 2 + (0.7 * (longitude - $longitude)) ** 2, location_id LIMIT 3`,
      {
        path: join(import.meta.dirname, '..', 'data', 'neighborhoods.parquet'),
        county: area.county,
        latitude: area.latitude,
        longitude: area.longitude,
      },
    );
    const groups = reader.getRowObjects();
    for (let index = 0; index < area.cafes; index++) {
      const group = groups[index] ?? {};
      rows.push(
        makePlace(area, {
          index,
          group: {
            id: String(group['location_id']),
            latitude: Number(group['latitude']),
            longitude: Number(group['longitude']),
          },
          county: String(group['us_county']),
          state: String(group['us_state']),
          independents,
          taken: rows.slice(-index || rows.length).map((row) => row['brand'] ?? ''),
        }),
      );
    }
  }
  connection.closeSync();
  instance.closeSync();
  return rows;
}

function makePlace(
  area: Neighborhood,
  {
    index,
    group,
    county,
    state,
    independents,
    taken,
  }: {
    readonly index: number;
    readonly group: BlockGroup;
    readonly county: string;
    readonly state: string;
    /** Each is taken once. */
    readonly independents: string[];
    /** The brands that the neighborhood has already. */
    readonly taken: readonly string[];
  },
): Row {
  const drawn = random() < 0.5 ? BRANDS[Math.floor(random() * BRANDS.length)] : undefined;
  const brand = drawn === undefined || taken.includes(drawn) ? undefined : drawn;
  const name = brand === undefined ? (independents.shift() ?? '') : `${brand} ${area.name}`;
  const isBakery = /Bakery/.test(name);
  const isObfuscated = area.obfuscated === index;
  // About 50 metres at most, so that the block group stays the nearest one.
  const aside = () => (random() - 0.5) * 0.0008;
  const digits = isObfuscated ? 2 : 5;
  const houseNumber = 100 + Math.floor(random() * 4000);
  return {
    cafe_id: `${area.code}${index + 1}`,
    name,
    brand: brand ?? '',
    street_address: isObfuscated ? '' : `${houseNumber} ${area.street}`,
    city: area.city,
    latitude: (group.latitude + aside()).toFixed(digits),
    longitude: (group.longitude + aside()).toFixed(digits),
    naics_2017: isBakery ? '311811' : '722515',
    naics: isBakery ? 'Retail Bakeries' : 'Snack and Nonalcoholic Beverage Bars',
    sic_2019: isBakery ? '5461' : '5812',
    sic: isBakery ? 'Retail Bakeries' : 'Eating Places',
    us_state_2020: group.id.slice(0, 2),
    state_code: area.state,
    us_state: state,
    us_county_2020: area.county,
    us_county: county,
    us_cbsa_2020: '38900',
    us_cbsa: 'Portland-Vancouver-Hillsboro, OR-WA',
    us_zip_2010: area.zip,
    us_tract_2020: isObfuscated ? '' : group.id.slice(0, 11),
    us_block_group_2020: isObfuscated ? '' : group.id,
    is_obfuscated: String(isObfuscated),
  };
}

/** The months of 2024 and 2025 of a café: its level, the season, a slow growth, and chance. */
function makeVisits(place: Row, placeIndex: number): readonly Visits[] {
  const cafe = place['cafe_id'] ?? '';
  const level = 900 + 5200 * random() * random();
  const growth = 0.004 * (random() - 0.3);
  const opensAt = cafe === 'KEN2' ? 12 + 4 : 0;
  return Array.from({ length: 24 }, (_, index): Visits => {
    const year = 2024 + Math.floor(index / 12);
    const number = index % 12;
    const days = new Date(Date.UTC(year, number + 1, 0)).getUTCDate();
    const chance = 0.94 + 0.12 * random();
    const works = cafe.startsWith('HOL') && index >= 17 && index <= 19 ? 0.45 : 1;
    const people = level * (SEASON[number] ?? 1) * (1 + growth * index) * chance * works;
    const isAbsent = placeIndex === 6 && index === 19;
    return {
      cafe,
      month: `${year}-${String(number + 1).padStart(2, '0')}`,
      days,
      count: isAbsent ? undefined : Math.round(people),
    };
  }).slice(opensAt);
}

function toVisitsRow({ cafe, month, days, count }: Visits): Row {
  const perDay = count === undefined ? undefined : (count / days) * (0.9 + 0.12 * random());
  return {
    cafe_id: cafe,
    month_start: `${month}-01`,
    month_end: `${month}-${days}`,
    person_count: String(count ?? ''),
    person_count_p50: perDay === undefined ? '' : (Math.round(perDay * 2) / 2).toFixed(1),
  };
}

function toTutorialPlace(place: Row): Row {
  return Object.fromEntries(
    TUTORIAL_NAMES.map((name, index) => [name, place[TUTORIAL_COLUMNS[index] ?? ''] ?? '']),
  );
}

function toTutorialVisits({ cafe, month, count }: Visits): Row {
  return { cafe, month, visits: String(count ?? '') };
}

function write(name: string, rows: readonly Row[]): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  const quote = (text: string) => (text.includes(',') ? `"${text}"` : text);
  writeFileSync(path, lines.map((line) => `${line.map(quote).join(',')}\n`).join(''));
}
