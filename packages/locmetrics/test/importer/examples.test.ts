import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { VERSION_WRITERS } from '../../src/compose/version-writers.ts';
import { scopedFolder } from '../support/temporary-folder.ts';
import { readRows } from './import-files.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url));

type Records = readonly Readonly<Record<string, string | null>>[];

/** Publishes the extract of an example, and returns the records of its datasets. */
async function publishExample(name: string): Promise<ReadonlyMap<string, Records>> {
  await using folder = scopedFolder();
  const directory = dataDirectory(folder.path);
  const published = await publish({
    ...WHOLE_PUBLISH,
    manifestPath: join(EXAMPLES, name, 'locmetrics.yaml'),
    filesDirectory: join(EXAMPLES, name, 'extract'),
    datasetNames: [],
    directory,
    writers: VERSION_WRITERS,
    acceptsGrantLosses: false,
    findGrantLosses: () => [],
    clock: () => Date.UTC(2026, 0, 1),
  });
  const records = new Map<string, Records>();
  for (const { version } of published.datasets) {
    const file = join(directory.version(version.dataset.name, version.version), COLUMN_FILE);
    const { columns, rows } = await readRows(file);
    records.set(
      version.dataset.name,
      rows.map((row) =>
        Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
      ),
    );
  }
  return records;
}

/** The rows of the extract as another reader reads them. */
async function sourceRows(
  path: string,
  {
    encoding = 'utf-8',
    fromLine = 1,
  }: { readonly encoding?: string; readonly fromLine?: number } = {},
): Promise<readonly Readonly<Record<string, string>>[]> {
  const bytes = await readFile(join(EXAMPLES, path));
  const text = new TextDecoder(encoding).decode(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  return parse(text, { columns: true, from_line: fromLine, skip_empty_lines: true });
}

function sum(values: readonly (string | null | undefined)[]): number {
  return values.reduce((total, value) => total + Number(value ?? 0), 0);
}

test('every example has a test, an origin and an extract', async () => {
  const entries = await readdir(EXAMPLES, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(names.toSorted()).toEqual([
    'airports',
    'breweries',
    'bridge-counts',
    'county-mobility',
    'geographic-codes',
    'library-visits',
    'metropolitan-areas',
    'park-places',
    'park-traffic',
    'park-visits',
    'population-centers',
    'world-population',
    'yearly-park-visits',
    'zip-codes',
  ]);
  const table = await readFile(join(EXAMPLES, 'README.md'), 'utf8');
  for (const name of names) {
    expect(table).toContain(`[${name}](${name}/locmetrics.yaml)`);
    expect((await readdir(join(EXAMPLES, name))).toSorted()).toEqual([
      'ORIGIN.md',
      'extract',
      'locmetrics.yaml',
    ]);
  }
});

test('codes of airports that look like numbers, or like no number, are texts', async () => {
  const records = (await publishExample('airports')).get('world.airports') ?? [];
  const rows = await sourceRows('airports/extract/airports.csv');
  expect(records).toHaveLength(rows.length);
  for (const { icao, iata, lid, name, subd, elevation } of rows) {
    const record = records.find((one) => one['icao'] === icao);
    expect(record).toMatchObject({
      name,
      region: subd,
      iata: iata || null,
      local_code: lid || null,
    });
    expect(Number(record?.['elevation'])).toBe(Number(elevation));
  }
  expect(records.map(({ iata }) => iata)).toEqual(expect.arrayContaining(['NAN', 'INF']));
});

test('breweries without coordinates are kept', async () => {
  const records = (await publishExample('breweries')).get('open.breweries') ?? [];
  const rows = await sourceRows('breweries/extract/breweries.csv');
  expect(records).toHaveLength(rows.length);
  for (const { id, name, postal_code, latitude } of rows) {
    const record = records.find((one) => one['id'] === id);
    expect(record).toMatchObject({ name, postal_code });
    expect(Number(record?.['latitude'])).toBe(Number(latitude));
  }
  expect(records.filter(({ latitude }) => latitude === null)).toHaveLength(1);
});

test('one table is the counties and their days', async () => {
  const published = await publishExample('county-mobility');
  const days = published.get('mobility.county_days') ?? [];
  const rows = await sourceRows('county-mobility/extract/DL-us-mobility-daterow.csv.gz');
  const ofCounties = rows.filter(({ admin_level }) => admin_level === '2');
  expect(published.get('mobility.counties')?.map(({ fips, name }) => [fips, name])).toEqual([
    ['01001', 'Autauga County'],
    ['01003', 'Baldwin County'],
    ['51515', 'City of Bedford'],
  ]);
  expect(days).toHaveLength(ofCounties.length);
  for (const column of ['samples', 'm50', 'm50_index']) {
    expect(sum(days.map((day) => day[column]))).toBeCloseTo(
      sum(ofCounties.map((row) => row[column])),
      9,
    );
  }
  expect(days.find(({ day }) => day === '2021-02-07')).toMatchObject({ m50: null, samples: null });
});

test('codes of parks are in capital letters, and their postal codes have five digits', async () => {
  const records = (await publishExample('park-places')).get('parks.units') ?? [];
  expect(
    records.map(({ unit_code, postal_code, phone }) => [unit_code, postal_code, phone]),
  ).toEqual([
    ['ABLI', '42748', '(270) 358-3137'],
    ['ACAD', '04609', '(207) 288-3338'],
    ['ALKA', '96740', null],
    ['BRCA', '84764', '(435) 834-5322'],
    ['REDW', '95531', '(707) 464-6101'],
  ]);
});

test('parks get areas from their points and from another file', async () => {
  const published = await publishExample('park-traffic');
  const geo = await sourceRows('park-traffic/extract/places_geo.csv');
  const parks = published.get('nps.parks') ?? [];
  expect(parks.map((park) => [park['park_code'], park['county_fips'], park['cbsa']])).toEqual(
    geo.map((row) => [
      row['park_code'],
      row['us_county_fips'] || null,
      row['us_cbsa_2023'] || null,
    ]),
  );
  expect(parks.map(({ state }) => state)).toEqual(['Maine', null, 'Arizona', 'Utah']);
  const visits = published.get('nps.visits') ?? [];
  const rows = await sourceRows('park-traffic/extract/foot_traffic_month.csv');
  expect(sum(visits.map((record) => record['visits']))).toBe(
    sum(rows.map(({ visits_sum }) => visits_sum)),
  );
  expect(visits[1]).toMatchObject({ month_start: '2023-02-01', month_end: '2023-02-28' });
});

test('codes of four columns are joined, and the populations add up', async () => {
  const published = await publishExample('population-centers');
  for (const [name, dataset, code] of [
    ['state', 'state_centers', 'state_fips'],
    ['county', 'county_centers', 'county_fips'],
    ['tract', 'tract_centers', 'tract'],
    ['block_group', 'block_group_centers', 'block_group'],
  ] as const) {
    const records = published.get(`census.${dataset}`) ?? [];
    const rows = await sourceRows(
      `population-centers/extract/us_${name}_2020_population_centers.csv`,
    );
    const codes = rows.map(({ STATEFP, COUNTYFP = '', TRACTCE = '', BLKGRPCE = '' }) =>
      [STATEFP, COUNTYFP, TRACTCE, BLKGRPCE].join(''),
    );
    expect(records.map((record) => record[code])).toEqual(codes);
    expect(sum(records.map(({ population }) => population))).toBe(
      sum(rows.map(({ POPULATION }) => POPULATION)),
    );
  }
  for (const [dataset, file] of [
    ['state_boxes', 'us_states_2017_bbox.csv'],
    ['county_boxes', 'us_counties_2017_bbox.csv'],
  ] as const) {
    const boxes = published.get(`census.${dataset}`) ?? [];
    const rows = await sourceRows(`population-centers/extract/${file}`);
    expect(boxes.map(({ name, west }) => [name, Number(west)])).toEqual(
      rows.map(({ name, min_lng }) => [name, Number(min_lng)]),
    );
  }
  const ofMontgomery = (published.get('census.metropolitan_counties') ?? []).filter(
    ({ cbsa }) => cbsa === '33860',
  );
  expect(ofMontgomery.map(({ county_fips }) => county_fips)).toEqual([
    '01001',
    '01051',
    '01085',
    '01101',
  ]);
});

test('places that have a name only are a layer, and a blank row is no place', async () => {
  const published = await publishExample('yearly-park-visits');
  const visits = published.get('parks.yearly_visits') ?? [];
  const rows = await sourceRows(
    'yearly-park-visits/extract/US-All-National-Parks_RecreationVisits_1979-2024.csv',
  );
  const filled = rows.filter(({ ParkName }) => ParkName !== '');
  expect(visits).toHaveLength(filled.length);
  expect(sum(visits.map((record) => record['visits']))).toBe(
    sum(filled.map(({ RecreationVisits }) => RecreationVisits)),
  );
  expect(published.get('parks.named_units')?.map(({ name, state }) => [name, state])).toEqual([
    ['Abraham Lincoln Birthplace NHP', 'KY'],
    ['Acadia NP', 'ME'],
    ['Alagnak Wild River', null],
    ['John D. Rockefeller, Jr. MEM PKWY', 'WY'],
  ]);
});

test('the first of two places of a postal code is kept', async () => {
  const records = (await publishExample('zip-codes')).get('geonames.zip_codes') ?? [];
  expect(records.map(({ postal_code, place }) => [postal_code, place])).toEqual([
    ['02108', 'Boston'],
    ['09001', 'APO AA'],
    ['96860', 'Jbphh'],
    ['96863', 'Mcbh Kaneohe Bay'],
    ['99553', 'Akutan'],
  ]);
});

test('hours of two directions are added up to days, also the hour that there is twice', async () => {
  const records = (await publishExample('bridge-counts')).get('seattle.bridge_counts') ?? [];
  const rows = await sourceRows('bridge-counts/extract/FremontHourly.csv');
  for (const [direction, column] of [
    ['NB', 'Fremont Bridge NB'],
    ['SB', 'Fremont Bridge SB'],
  ] as const) {
    const days = records.filter((record) => record['direction'] === direction);
    expect(sum(days.map(({ bicycles }) => bicycles))).toBe(sum(rows.map((row) => row[column])));
    const [first] = days;
    const ofDay = rows.filter(({ Date: time }) => time?.startsWith('11/04/2012'));
    expect([first?.['day'], Number(first?.['bicycles'])]).toEqual([
      '2012-11-04',
      sum(ofDay.map((row) => row[column])),
    ]);
  }
  expect(records).toHaveLength(8);
});

test('a sheet with several levels of geography is a table of counties', async () => {
  const records = (await publishExample('geographic-codes')).get('census.counties') ?? [];
  expect(records).toHaveLength(3 + 33);
  expect(
    records.filter(({ state_fips }) => state_fips === '10').map(({ fips, name }) => [fips, name]),
  ).toEqual([
    ['10001', 'Kent County'],
    ['10003', 'New Castle County'],
    ['10005', 'Sussex County'],
  ]);
  expect(records.find(({ fips }) => fips === '35013')?.['name']).toBe('Doña Ana County');
});

test('branches without coordinates are kept, and a year is a period', async () => {
  const published = await publishExample('library-visits');
  const branches = published.get('toronto.library_branches') ?? [];
  const visits = published.get('toronto.library_visits') ?? [];
  expect(branches.map(({ code, opened, has_youth_hub }) => [code, opened, has_youth_hub])).toEqual([
    ['AB', '2017-01-01', 'true'],
    ['ACD', '1971-01-01', 'true'],
    ['AD', '1999-01-01', 'false'],
    ['YW', '1907-01-01', 'false'],
  ]);
  const rows = await sourceRows('library-visits/extract/tpl-visits-annual-by-branch.csv');
  expect(sum(visits.map((record) => record['visits']))).toBe(sum(rows.map(({ Visits }) => Visits)));
  expect(visits[0]).toMatchObject({ year_start: '2012-01-01', year_end: '2012-12-31' });
});

test('areas in ISO-8859-1 with a column for each measure and year are rows', async () => {
  const records =
    (await publishExample('metropolitan-areas')).get('census.metropolitan_areas') ?? [];
  const rows = await sourceRows('metropolitan-areas/extract/cbsa-est2019-alldata.csv', {
    encoding: 'latin1',
  });
  const areas = rows.filter(({ LSAD }) => LSAD?.endsWith('Statistical Area'));
  expect(records).toHaveLength(areas.length * 10);
  for (const year of ['2010', '2019']) {
    const ofYear = records.filter(({ year_start }) => year_start === `${year}-01-01`);
    for (const [field, measure] of [
      ['population', 'POPESTIMATE'],
      ['births', 'BIRTHS'],
      ['deaths', 'DEATHS'],
    ] as const) {
      expect(sum(ofYear.map((record) => record[field]))).toBe(
        sum(areas.map((row) => row[`${measure}${year}`])),
      );
    }
  }
});

test('year and month in two columns are a period', async () => {
  const records = (await publishExample('park-visits')).get('parks.visits') ?? [];
  const rows = await sourceRows('park-visits/extract/US-National-Parks_Use_1979-2023_By-Month.csv');
  expect(records).toHaveLength(rows.length);
  for (const [field, column] of [
    ['visits', 'RecreationVisits'],
    ['other_visits', 'NonRecreationVisits'],
  ] as const) {
    expect(sum(records.map((record) => record[field]))).toBe(sum(rows.map((row) => row[column])));
  }
  expect(records[1]).toMatchObject({
    park_code: 'ACAD',
    region: 'Northeast',
    month_start: '1979-02-01',
    month_end: '1979-02-28',
  });
});

test('a column for each year below lines of text is a row for each year', async () => {
  const records = (await publishExample('world-population')).get('world.population') ?? [];
  const rows = await sourceRows('world-population/extract/API_SP.POP.TOTL_DS2_en_csv_v2.csv', {
    fromLine: 5,
  });
  const years = Array.from({ length: 57 }, (_, index) => String(1960 + index));
  for (const row of rows) {
    const ofCountry = records.filter((record) => record['country_code'] === row['Country Code']);
    const present = years.filter((year) => row[year] !== '');
    expect(ofCountry.map(({ year_start }) => year_start)).toEqual(
      present.map((year) => `${year}-01-01`),
    );
    expect(sum(ofCountry.map(({ population }) => population))).toBe(
      sum(present.map((year) => row[year])),
    );
  }
});
