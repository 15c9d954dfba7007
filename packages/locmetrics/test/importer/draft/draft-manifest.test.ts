import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { findWideColumns } from '@locmetrics/ingest/draft/values/find-wide-columns';
import { proposals } from '@locmetrics/ingest/draft/values/propose-types';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { text as cell, workbook } from '../formats/workbook.ts';
import { zipArchive } from '../formats/zip-archive.ts';
import { draftText } from './draft-of-files.ts';
import { drafted, draftFor, publishDraft } from './draft-under-test.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../../examples/', import.meta.url));

test.each([
  // One hour of the 96 is there twice, when summer time ends.
  ['bridge-counts', { fremont_hourly: 95 }],
  ['geographic-codes', { all_geocodes_v2018: 43 }],
  // One of the five branches has no code, which the visits name.
  ['library-visits', { tpl_branch_general_information_2023: 4, tpl_visits_annual_by_branch: 44 }],
  // 19 areas in 10 years, and 5 countries in 57.
  ['metropolitan-areas', { cbsa_est2019_alldata: 190, cbsa_est2019_alldata_places: 19 }],
  [
    'park-visits',
    {
      us_national_parks_use_1979_2023_by_month: 51,
      us_national_parks_use_1979_2023_by_month_places: 2,
    },
  ],
  [
    'world-population',
    { api_sp_pop_totl_ds2_en_csv_v2: 285, api_sp_pop_totl_ds2_en_csv_v2_places: 5 },
  ],
])(
  'the drafted manifest of the files of %s publishes all their rows',
  { tags: 'slow' },
  async (name, expected) => {
    await using folder = scopedFolder();
    const files = await readdir(join(EXAMPLES, name, 'extract'));
    const paths = files.toSorted().map((file) => join(EXAMPLES, name, 'extract', file));
    const { records } = await publishDraft(folder.path, await draftFor(folder.path, paths));
    const counts = [...records].map(([dataset, rows]) => [dataset.split('.')[1], rows.length]);
    expect(Object.fromEntries(counts)).toEqual(expected);
  },
);

test('places and the values for them become a layer and a metric', async () => {
  const { text, metrics } = await drafted({
    'stores.csv':
      'id,name,county,lat,lng\n01,Alpha,Kent,38.5,-75.5\n02,Beta,Kent,38.6,-75.4\n03,Gamma,Sussex,38.7,-75.3\n',
    'visits.csv':
      'store;month;age;visits;share\n01;2024-01;young;1.000;2,5\n01;2024-01;old;2.500;3,5\n02;2024-02;young;300;\n09;2024-02;old;7;1,5\n',
  });
  expect(metrics.map(({ metric }) => metric.metricId)).toEqual(['visits']);
  expect(text).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=locmetrics.schema.json
    # Written by locmetrics init. Comments with CHECK mark what it could not determine.
    format: 1
    datasets:
      town.stores:
        files: stores.csv
        # 3 rows, each with a different key.
        key: [id]
        # All points are within the USA. To report points outside it, add to point: region: us_states
        point: { latitude: lat, longitude: lng }
        # Describe each field, with its unit, in its description. If callers search as they type, add
        #   searchable: true, for example to name.
        fields:
          id: { type: string }
          name: { type: string }
          county: { type: string }
          lat: { type: float }
          lng: { type: float }
          # These fields can be computed from the point:
          # state: { type: string, from: { area: us_states, value: name } }
      town.visits:
        files: visits.csv
        read:
          delimiter: semicolon
        # 4 rows, each with a different key.
        key: [store, age, month_start]
        period: { start: month_start, end: month_end }
        # Describe each field, with its unit, in its description. If callers sort by a field, add
        #   sorted: true, for example to visits. additive: whether callers may add up values over
        #   periods and places (all), over one of them, or over neither (none).
        fields:
          store: { type: string }
          month_start: { type: date, format: YYYY-MM, as: month, column: month }
          month_end: { type: date, format: YYYY-MM, as: month, column: month }
          age: { type: string }
          # CHECK: Each separator has three digits after it, so it is read as a thousands separator:
          #   1.000 is 1000. Other columns have ',' as the decimal separator. If it is the decimal
          #   separator: type: float, without format.
          visits: { type: integer, format: '1.234', additive: all }
          # Its name suggests a value that has a mean, but no sum.
          share: { type: float, format: '1234,5', additive: none }
    layers:
      stores:
        # Add feature_display_name, the name for one feature, such as National park.
        dataset: town.stores
        feature_id: id
        name: name
        # Callers can filter by these.
        address_components:
          county: { value: county, kind: taxonomy }
    metrics:
      town/visits:
        dataset: town.visits
        # CHECK: 2 of 3 different ids (66.7%) are features of the layer, so the metric has no values of
        #   the others, such as '09'.
        layer: stores
        feature_id: store
        cadence: monthly
        # Add the unit, such as unit: People.
        measure: { name: visits, field: visits, kind: count }
        supporting_values:
          - { name: share, field: share, kind: number }
        # These are part of the key. relaxed: a place and period may lack some of their values.
        dimensions:
          age: { value: age, completeness: relaxed }
    "
  `);
});

test('rows that are equal to another row are told, and kept once', async () => {
  const same = await drafted({ 'a.csv': 'id,n\nA,1\nB,2\nA,1\n' });
  expect(same.text).toContain('# CHECK: Rows that are equal to another row: 1.');
  expect(same.rows).toHaveLength(2);
});

test('a date that can be read in two ways is a doubt, and one value settles it', async () => {
  const unclear = await drafted({ 'a.csv': 'id,opened\nA,01/02/2024\nB,03/04/2024\n' });
  expect(unclear.text).toContain(
    '# CHECK: All values are also valid dates with the day first (DD/MM/YYYY): choose the correct',
  );
  const settled = await drafted({ 'a.csv': 'id,opened\nA,01/02/2024\nB,13/04/2024\n' });
  expect(settled.text).not.toContain('# CHECK');
  expect(settled.rows.map(({ opened }) => opened)).toEqual(['2024-02-01', '2024-04-13']);
});

test('codes keep their zeros, and get back those that they lost', async () => {
  const { text, rows } = await drafted({
    'a.csv': 'fips,zip,name\n01001,4609,A\n01003,94110,B\n10001,2169,C\n',
  });
  expect(text).toContain('zip: { type: string, pad: 5 }');
  expect(rows.map(({ fips, zip }) => [fips, zip])).toEqual([
    ['01001', '04609'],
    ['01003', '94110'],
    ['10001', '02169'],
  ]);
});

test('over what each measure can be added up is proposed, with the reason for a guess', async () => {
  const { text } = await drafted({
    'a.csv':
      'place,day,visits,unique_visitors,median_stay,population,revenue,factor\nKent,2024-01-01,10,7,35,1000,10.5,1.5\nBath,2024-01-02,12,9,20,2000,12.5,2.5\nKent,2024-01-02,12,9,20,2000,12.5,2.5\n',
  });
  expect(text.slice(text.indexOf('    fields:'))).toMatchInlineSnapshot(`
    "    fields:
          place: { type: string }
          day: { type: date }
          visits: { type: integer, additive: all }
          # CHECK: Unique people cannot be added up, because one person can be in several rows. If
          #   these are visits, write additive: all.
          unique_visitors: { type: integer, additive: none }
          # Its name suggests a value that has a mean, but no sum.
          median_stay: { type: integer, additive: none }
          # CHECK: Its name suggests a count at a point in time, which adds up over places, but not
          #   over periods. If it counts events, write additive: all.
          population: { type: integer, additive: places }
          # CHECK: Its name suggests that it can be added up. If not, write additive: none.
          revenue: { type: float, additive: all }
          # CHECK: If it can be added up, such as revenue, write additive: all.
          factor: { type: float, additive: none }
      town.a_places:
        files: a.csv
        rows:
          # The rows of each period have the places again, and each place is kept once.
          - duplicates: same
        # 2 rows.
        # CHECK: Places are told apart by their names alone, such as 'Bath': two places with one name
        #   would be one, and another spelling would be another place. If there is a code for them, add
        #   it to the file, and write it here instead of place.
        key: [place]
        # Describe each field, with its unit, in its description.
        fields:
          place: { type: string }
    layers:
      a_places:
        # Add feature_display_name, the name for one feature, such as National park.
        dataset: town.a_places
        feature_id: place
        # No column seems to be a name.
        name: place
    metrics:
      town/a:
        dataset: town.a
        # 2 of 2 different ids (100%) are features of the layer.
        layer: a_places
        feature_id: place
        cadence: daily
        # Add the unit, such as unit: People.
        measure: { name: visits, field: visits, kind: count }
        supporting_values:
          - { name: unique_visitors, field: unique_visitors, kind: count }
          - { name: population, field: population, kind: count }
          - { name: median_stay, field: median_stay, kind: number }
          - { name: revenue, field: revenue, kind: number }
          - { name: factor, field: factor, kind: number }
    "
  `);
});

test('a number of passengers is a count, and a number of a station a code', {
  tags: 'slow',
}, async () => {
  const { text } = await drafted({
    'a.csv':
      'station_no,passengers_no,no_of_trips,visitor_nr,delays_no\n12,1500,3,10,4\n345,20,0,20,5\n7,300000,12,30,6\n',
  });
  expect(text).toContain('station_no: { type: string }');
  for (const name of ['passengers_no', 'no_of_trips', 'delays_no']) {
    expect(text).toContain(`${name}: { type: integer, additive: all }`);
  }
  expect(text).toContain('visitor_nr: { type: integer, additive: none }');
});

test('texts for absent values, a point in one text, words for booleans, percent and currency', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'id,where,price,share,open\nA,"(38.5, -75.5)","$1,234.50",12.5%,yes\nB,"(39.5, -76.5)",n/a,7%,no\nC,,"$99.00",NaN,yes\n',
  });
  expect(text).toContain('nulls: [n/a, NaN]');
  expect(rows[0]).toMatchObject({
    latitude: '38.5',
    longitude: '-75.5',
    price: '1234.5',
    share: '12.5',
    open: 'true',
  });
  expect(rows.map(({ price }) => price)).toEqual(['1234.5', null, '99.0']);
});

test('a sheet, a file of a zip archive, and files that differ in a number of their name', async () => {
  const zipped = await drafted({
    'a.csv.zip': zipArchive({ 'read me.txt': 'Nothing.', 'rows.csv': 'id,n\nA,1\nB,2\n' }),
  });
  expect(zipped.text).toContain('member: rows.csv');
  expect(zipped.rows).toHaveLength(2);
  const years = await drafted({ 'v-2023.csv': 'id,n\nA,1\n', 'v-2024.csv': 'id,n\nB,2\n' });
  expect(years.text).toContain('files: [v-2023.csv, v-2024.csv]');
  expect(years.rows).toHaveLength(2);
});

test('JSON and features of GeoJSON', { tags: 'slow' }, async () => {
  const lines = await drafted({
    'a.ndjson': '{"id":"01","n":1.5,"ok":true}\n{"id":"02","n":2,"ok":false}\n',
  });
  expect(lines.text).toContain('n: { type: float, additive: none }');
  expect(lines.text).toContain('ok: { type: boolean }');
  const feature = (id: string, lng: number) =>
    `{"type":"Feature","id":"${id}","properties":{"name":"N${id}"},"geometry":{"type":"Point","coordinates":[${lng},2]}}`;
  const features = await drafted({
    'a.geojson': `{"type":"FeatureCollection","features":[${feature('x', 1.5)},${feature('y', 2.5)}]}`,
  });
  expect(features.text).toContain('point: { latitude: latitude, longitude: longitude }');
  expect(features.rows.map(({ longitude }) => longitude)).toEqual(['1.5', '2.5']);
});

test('a table without a header has columns by position', async () => {
  const { text, rows } = await drafted({ 'a.csv': '01,5,2024-01-01\n02,6,2024-01-02\n' });
  expect(text).toContain('header: false');
  expect(rows).toHaveLength(2);
});

test('names of columns that are no names, repeated or missing', { tags: 'slow' }, async () => {
  const { rows } = await drafted({
    'a.csv': 'Größe (m),2020 total,,n,n,Name: "x"\n1,2,3,4,5,6\n7,8,9,10,11,12\n',
  });
  expect(rows).toHaveLength(2);
  expect(Object.keys(rows[0] ?? {})).toEqual(
    expect.arrayContaining(['grosse_m', 'column_2020_total', 'column_3', 'n', 'n_2']),
  );
});

test('lines of title and notes around a short table, and a row of totals', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'My report\n\nGenerated 2024\nRegion;Q1;Q2;Q3\nNorth;1,5;2;3\nSouth;2;3;4,5\nTotal;3,5;5;7,5\n\nSource: me\nNote: x\n',
  });
  expect(text).toContain('skip_lines: 3');
  expect(text).toContain(
    "# CHECK: Left out below the rows: Source: me … (2 lines)\n      footer: 'Source:'",
  );
  expect(text).toContain("# CHECK: Rows with region 'Total' are the sums of others: q1 adds up.");
  expect(text).toContain('totals: { region: Total }');
  expect(rows.map(({ q1 }) => q1)).toEqual(['1.5', '2.0', '3.5']);
});

test('a table without a possible key says that one has to be declared', async () => {
  await using folder = scopedFolder();
  const path = join(folder.path, 'a.csv');
  await writeFile(path, 'x,y\n1.5,2.5\n2.5,3.5\n1.5,2.5\n');
  expect((await draftFor(folder.path, [path])).text).toContain(
    '# CHECK: No column can be the key, because a key cannot have floats:',
  );
});

test('letters next to digits are codes, unless they are a unit', { tags: 'slow' }, async () => {
  const { text, rows } = await drafted({
    'a.csv': 'store,length,price\nA1,5 km,CHF 1’200\nA2,7 km,CHF 30\nA3,,CHF 0\n',
  });
  expect(text).toContain('store: { type: string }');
  expect(rows.map(({ length, price }) => [length, price])).toEqual([
    ['5', '1200'],
    ['7', '30'],
    [null, '0'],
  ]);
});

test('quotes that are signs are kept as a part of the values', { tags: 'slow' }, async () => {
  const { text, rows } = await drafted({ 'a.csv': 'id,size\nA,5" pipe\nB,6" pipe\nC,7\n' });
  expect(rows.map(({ size }) => size)).toEqual(['5" pipe', '6" pipe', '7']);
  expect(text).not.toContain('rejected_rows');
});

test('columns with names that mean something in YAML', { tags: 'slow' }, async () => {
  const { rows } = await drafted({ 'a.csv': 'null,true,no,~,a: b,#x\n1,2,3,4,5,6\n2,3,4,5,6,7\n' });
  expect(rows[1]).toMatchObject({ null: '2', true: '3', no: '4', a_b: '6', x: '7' });
});

test.each([
  ['2021-01', '2021-02', '2021-03'],
  ['2021/01', '2021/02', '2021/03'],
  ['202101', '202102', '202103'],
  ['Jan 2021', 'Feb 2021', 'Mar 2021'],
  ['January 2021', 'February 2021', 'March 2021'],
  ['Jan-21', 'Feb-21', 'Mar-21'],
  ['JAN2021', 'FEB2021', 'MAR2021'],
  ['01/2021', '02/2021', '03/2021'],
  ['visits_2021_01', 'visits_2021_02', 'visits_2021_03'],
  ['visits Jan 2021', 'visits Feb 2021', 'visits Mar 2021'],
  ['visits_jan21', 'visits_feb21', 'visits_mar21'],
])('columns %s, %s, … are those of months, and that of their sum is left out', (...months) => {
  expect(findWideColumns(['museum', ...months, 'Total'])).toMatchObject({
    name: 'month',
    used: months,
    sums: ['Total'],
  });
  const texts = months.map((month) => month.replace(/^visits[_ ]/, ''));
  expect(proposals('month', texts)[0]?.document).toMatchObject({ type: 'date', as: 'month' });
});

test.each([
  ['202101', '202102', '202103'],
  ['January 2021', 'February 2021', 'March 2021'],
  ['visits_jan21', 'visits_feb21', 'visits_mar21'],
])(
  'columns of months %s, %s, … become rows, without the column of their sum',
  async (...months) => {
    const { text, rows } = await drafted({
      'a.csv': `museum,${months.join(',')},Total\nA,1,2,3,6\nB,10,20,,30\n`,
    });
    expect(text).toContain('key: [museum, month_start]');
    expect(text).toContain('# Left out, because each row would repeat it: Total.');
    expect(rows.map((row) => [row['month_start'], row['month_end']]).slice(0, 3)).toEqual([
      ['2021-01-01', '2021-01-31'],
      ['2021-02-01', '2021-02-28'],
      ['2021-03-01', '2021-03-31'],
    ]);
    const [first] = rows;
    expect(first?.['value'] ?? first?.['visits']).toBe('1');
    expect(Object.keys(first ?? {})).not.toContain('total');
  },
);

test('columns of months over several years are one measure', { tags: 'slow' }, async () => {
  const months = [2021, 2022, 2023].flatMap((year) => [`${year}-01`, `${year}-02`]);
  const { text, rows } = await drafted({
    'a.csv': `museum,${months.join(',')}\nA,1,2,3,4,5,6\nB,7,8,9,10,11,12\n`,
  });
  expect(text).toContain("- unpivot: { name: month, values: { value: '####-##' } }");
  expect(rows).toHaveLength(12);
});

test.each([
  ['January', 'February', 'March'],
  ['JAN', 'FEB', 'MAR'],
])('columns %s, %s, … beside a year become months', async (...months) => {
  const { text, rows } = await drafted({
    'a.csv': `museum,Year,${months.join(',')}\nA,2020,1,2,3\nA,2021,4,5,6\nB,2020,1,2,3\n`,
  });
  expect(text).toContain('key: [museum, month_start]');
  expect(rows.map((row) => [row['month_end'], row['value']]).slice(0, 4)).toEqual([
    ['2020-01-31', '1'],
    ['2020-02-29', '2'],
    ['2020-03-31', '3'],
    ['2021-01-31', '4'],
  ]);
});

test('columns of days with two digits of the year become rows', { tags: 'slow' }, async () => {
  const days = ['1/22/20', '1/23/20', '1/24/20', '12/1/20'];
  const { text, rows } = await drafted({
    'a.csv': `FIPS,Admin2,${days.join(',')}\n01001,Autauga,0,1,2,3\n01003,Baldwin,4,5,6,7\n`,
  });
  expect(text).toContain("- unpivot: { name: date, values: { value: '*/*/*' } }");
  expect(rows.map(({ date }) => date)).toContain('2020-12-01');
  expect(text).toContain('key: [fips, date]');
});

test('times at full hours keep their hour', async () => {
  const { text, rows } = await drafted({
    'a.csv': `shop,time,visits\n${[0, 1, 2]
      .flatMap((hour) => ['A', 'B'].map((shop) => `${shop},2024-01-05T0${hour}:00:00,${hour}`))
      .join('\n')}\n`,
  });
  expect(text).toContain('key: [shop, hour, time]');
  expect(rows).toHaveLength(6);
});

test('a year, a month and a day in three columns are a date, and a whole hour beside them a dimension', {
  tags: 'slow',
}, async () => {
  const { text, rows } = await drafted({
    'a.csv': `shop,year,month,day,hour,visits\n${[1, 2, 3]
      .flatMap((day) =>
        [8, 9].map((hour) => `A,2024,2,${day},${hour},5\nB,2024,2,${day},${hour},5`),
      )
      .join('\n')}\n`,
  });
  expect(text).toContain('date: { type: date, column: [year, month, day], format: YYYY M D }');
  expect(text).toContain('period: { start: date, end: date }');
  expect(text).toContain('key: [shop, hour, date]');
  expect(rows).toHaveLength(12);
});

test('a first column of different numbers is the key of a file without a header', {
  tags: 'slow',
}, async () => {
  const { text, rows } = await drafted({
    'a.csv': '1,Alpha,Kent,3\n2,Beta,Kent,3\n3,Alpha,Kent,3\n4,Beta,Kent,3\n',
  });
  expect(text).toContain('key: [column_1]');
  expect(rows).toHaveLength(4);
});

test('a number that tells the rows of a day apart is a part of the key', {
  tags: 'slow',
}, async () => {
  const flights = ['AA', 'BB'].flatMap((carrier) =>
    [1, 2, 3].map((number) => `${carrier},2024-01-0${number},${number % 2},EWR,7`),
  );
  const { text, rows } = await drafted({
    'a.csv': `carrier,date,flight,origin,delay\n${flights.join('\n')}\nAA,2024-01-01,9,EWR,7\nAA,2024-01-02,9,EWR,7\n`,
  });
  expect(text).toContain('key: [carrier, date, flight]');
  expect(rows).toHaveLength(8);
});

test('coordinates in degrees by their name are a point, and hashes are not joined to a code', {
  tags: 'slow',
}, async () => {
  const { text } = await drafted({
    'a.csv': 'id,latitude_deg,longitude_deg\nx,47.5,8.5\ny,47.6,8.6\n',
  });
  expect(text).toContain('point: { latitude: latitude_deg, longitude: longitude_deg }');
  const hashes = await drafted({
    'b.csv':
      'item_id,county_id,share\nab12,53000,0.5\nab12,53001,0.5\ncd34,53000,0.5\ncd34,53001,0.5\n',
  });
  expect(hashes.text).toContain('key: [item_id, county_id]');
});

test('a table whose lines end in two ways is drafted, as a publish reads it', {
  tags: 'slow',
}, async () => {
  const rows = Array.from({ length: 20 }, (_, index) => `${index},a,${index}`);
  const { rows: read } = await drafted({
    'a.csv': `id,name,n\r\n${rows.join('\r\n')}\n20,b,2\n`,
  });
  expect(read).toHaveLength(21);
});

test('columns that stand below each other, divided by spaces, with notes around them', {
  tags: 'slow',
}, async () => {
  const lines = Array.from({ length: 24 }, (_, month) => [
    1950 + Math.floor(month / 12),
    (month % 12) + 1,
    (20 + month / 10).toFixed(2),
    '-99.9',
  ]).map(
    ([year, month, first, second]) =>
      ` ${year}   ${String(month).padStart(2)}   ${first}  ${second}`,
  );
  const { text, rows } = await drafted({
    'a.txt': `Averages of Niño, Hawaii\nof Kumukahi, Hawaii, USA\n YR   MON  NINO3  ANOM\n${lines.join('\n')}\n\nSource: the weather service, monthly\n`,
  });
  expect(text).toContain('delimiter: spaces\n      skip_lines: 2\n');
  expect(text).toContain('key: [month_start]');
  expect(rows[23]).toMatchObject({ month_start: '1951-12-01', nino3: '22.3' });
  expect(rows).toHaveLength(24);
});

test('a header with spaces in its names is left out, and told', { tags: 'slow' }, async () => {
  const { text, rows } = await drafted({
    'a.txt': 'Station  Wind Speed  Gust\nA1   3.5  7\nA2  14.0  9\nA3   5.5  8\nA4   5.5 10\n',
  });
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    'CHECK: The line above the rows does not have 3 words, as each row does, so the columns are named by their position: Station Wind Speed Gust',
  );
  expect(rows.map((row) => row['column_3'])).toEqual(['7', '9', '8', '10']);
});

test('a text of which most lines are no rows is refused, with the header that was tried', async () => {
  const lines = Array.from(
    { length: 80 },
    (_, index) => `And then ${'on '.repeat(index % 7)}we went`,
  );
  const text = `Averages\nof Mauna Loa, Hawaii, USA\nof Kumukahi, Hawaii, USA\nof Midway, Hawaii, USA\n${lines.join('\n')}\n`;
  await expect(drafted({ 'a.txt': text })).rejects.toThrow(
    /No table was found in .*a.txt: 30 of 33 rows do not have the columns of 'of Mauna Loa, Hawaii, USA'/,
  );
});

test('quoted notes below the rows are left out', { tags: 'slow' }, async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'area,men,women\n"Kent","1","2"\n"Sussex","3","4"\n====\nFootnotes\n"1 - Counted twice."\n',
  });
  expect(text).toContain("footer: '===='");
  expect(rows).toHaveLength(2);
});

async function parquet(select: string): Promise<Uint8Array> {
  await using folder = scopedFolder();
  const path = join(folder.path, 'a.parquet');
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return await readFile(path);
}

test('times in Parquet have a day and an hour, as those in CSV', { tags: 'slow' }, async () => {
  const { text, rows } = await drafted({
    'trips.parquet':
      await parquet(`SELECT 'A' || s AS station, n + 100 * s AS trips, 0.5::DECIMAL(5, 2) AS share,
      TIMESTAMP '2024-01-05 09:00:00' + to_hours(n) AS time FROM range(30) AS t(n), range(2) AS u(s)`),
  });
  expect(text).toContain('key: [station, hour, time]');
  expect(text).toContain("time: { type: date, format: 'YYYY-MM-DD HH:mm:ss' }");
  expect(rows).toHaveLength(60);
  expect(rows[0]).toMatchObject({ station: 'A0', hour: '00', time: '2024-01-06', trips: '15' });
});

test('times in Parquet with a zone are read as texts too', { tags: 'slow' }, async () => {
  const { text, rows } = await drafted({
    'trips.parquet': await parquet(`SELECT 'A' || n AS station,
      TIMESTAMPTZ '2024-01-05 23:30:00+00' + to_hours(n) AS time FROM range(3) AS t(n)`),
  });
  expect(text).toContain('zone: UTC');
  expect(rows.map(({ time }) => time)).toEqual(['2024-01-05', '2024-01-06', '2024-01-06']);
});

test('times in JSON have an hour', { tags: 'slow' }, async () => {
  const { text, rows } = await drafted({
    'a.json': JSON.stringify(
      [0, 1, 2].map((hour) => ({ id: 'A', at: `2024-01-05T0${hour}:30:00`, n: hour })),
    ),
  });
  expect(text).toContain('key: [hour, id, at]');
  expect(rows).toHaveLength(3);
});

test('properties of years become rows, in GeoJSON and in JSON', { tags: 'slow' }, async () => {
  const geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [8, 47],
        [9, 47],
        [9, 48],
        [8, 47],
      ],
    ],
  };
  const properties = (code: string, first: number) => ({
    code,
    pop_2019: first,
    pop_2020: first + 1,
    pop_2021: null,
  });
  const { text, records } = await drafted({
    'a.geojson': JSON.stringify({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', properties: properties('A', 10), geometry },
        { type: 'Feature', properties: properties('B', 20), geometry },
      ],
    }),
  });
  expect(text).toContain("- unpivot: { name: year, values: { pop: 'pop_####' } }");
  expect(text).toContain('point: { latitude: latitude, longitude: longitude }');
  const [places = [], rows = []] = records.values();
  expect(places.map(({ code }) => code)).toEqual(['A', 'B']);
  expect(rows.map((row) => [row['code'], row['year_end'], row['pop']])).toEqual([
    ['A', '2019-12-31', '10'],
    ['A', '2020-12-31', '11'],
    ['A', '2021-12-31', null],
    ['B', '2019-12-31', '20'],
    ['B', '2020-12-31', '21'],
    ['B', '2021-12-31', null],
  ]);
  const lines = await drafted({
    'b.json': JSON.stringify([properties('01', 10), properties('02', 20)]),
  });
  expect(lines.rows).toHaveLength(6);
});

test('a month that is written as its first day is the whole month, also in a file of one series', {
  tags: 'slow',
}, async () => {
  const { text, rows } = await drafted({
    'a.csv': 'month,jobs\n2006-01-01,5\n2006-02-01,6\n2006-03-01,7\n',
  });
  expect(text).toContain('period: { start: month_start, end: month_end }');
  expect(rows.map((row) => row['month_end'])).toEqual(['2006-01-31', '2006-02-28', '2006-03-31']);
});

test('a word between the numbers of the months is read as absent, and a row of totals has the step that leaves it out', {
  tags: 'slow',
}, async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'Museum,Jan-22,Feb-22,Mar-22\nA,closed,"1,200",300\nB,10,20,30\nC,5,6,7\nTotal,15,"1,226",337\n',
  });
  expect(text).toContain('nulls: [closed]');
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    `To leave these rows out, delete totals, and add to rows: - where: '"Museum" <> ''Total'''`,
  );
  expect(rows.slice(0, 3).map(({ value }) => value)).toEqual([null, '1200', '300']);
});

test('one file with places and their values by year becomes a layer and a metric', async () => {
  const { text, records, metrics } = await drafted({
    'a.csv': 'code,name,lat,lng,2020,2021,2022\nA,Alpha,47,8,1,2,3\nB,Beta,48,9,4,5,6\n',
  });
  expect(metrics.map(({ metric }) => metric.metricId)).toEqual(['a']);
  expect(text).toContain('town.a_places:');
  expect([...records.values()].map((rows) => rows.length)).toEqual([2, 6]);
});

test('places that are repeated with their values by day are kept once', async () => {
  const { text, records, metrics } = await drafted({
    'a.csv': `id,name,lat,lng,day,n\n${['A,Alpha,47.5,8', 'B,Beta,48,9']
      .flatMap((place) => [1, 2, 3].map((day) => `${place},2024-01-0${day},${day}`))
      .join('\n')}\n`,
  });
  expect(text).toContain('- duplicates: same');
  expect([...records.values()].map((rows) => rows.length)).toEqual([2, 6]);
  expect(metrics).toHaveLength(1);
});

test('a place that moves is no layer', { tags: 'slow' }, async () => {
  const { text } = await drafted({
    'a.csv':
      'bus,lat,lng,day,n\nA,47.5,8,2024-01-01,1\nA,47.6,8,2024-01-02,2\nB,48,9,2024-01-01,3\n',
  });
  expect(text).not.toContain('_places');
  expect(text).toContain('key: [bus, day]');
});

test('codes without their zeros are those of the places in another file', {
  tags: 'slow',
}, async () => {
  const { text, rows, metrics } = await drafted({
    'footfall.csv': `week,market,visitors_no\n${[5, 6, 7].flatMap((week) => [17, 233, 1400].map((market) => `2023-W0${week},${market},${week * market}`)).join('\n')}\n`,
    'markets.csv':
      'code,name,Y,X\n00017,A,45.701,4.801\n00233,B,45.702,4.802\n01400,C,45.703,4.803\n',
  });
  expect(text).toContain('key: [market, week_start]');
  expect(text).toContain(
    '# CHECK: Padded to 5 digits, to match code.\n      market: { type: string, pad: 5 }',
  );
  expect(text).toContain('point: { latitude: y, longitude: x }');
  expect(rows[0]).toMatchObject({ market: '00017' });
  expect(metrics).toHaveLength(1);
});

test('coordinates with a decimal comma and German names are a point', {
  tags: 'slow',
}, async () => {
  const { text } = await drafted({
    'a.csv': 'Kennziffer;Name;Breite;Länge\n80101;A;47,300;12,801\n80102;B;47,412;12,900\n',
  });
  expect(text).toContain('point: { latitude: breite, longitude: lange }');
  expect(text).toContain("breite: { type: float, format: '1234,5', column: Breite }");
  expect(text).toContain('key: [kennziffer]');
});

test('a time that is called hour becomes a day and an hour', { tags: 'slow' }, async () => {
  const { text } = await drafted({
    'a.csv': `hour,n\n${[7, 8, 9].map((hour) => `2024-01-05 0${hour}:00,1`).join('\n')}\n`,
  });
  expect(text).toContain('key: [hour, day]');
});

test('numbers of Parquet that are codes of places without their zeros', {
  tags: 'slow',
}, async () => {
  const { text, records, metrics } = await drafted({
    'mobility.parquet': await parquet(
      `SELECT unnest([1001, 6037]) AS county_fips, DATE '2024-03-01' + n::INTEGER AS day, n * 2.5 AS trips FROM range(3) AS t(n)`,
    ),
    'counties.csv': 'GEOID,NAME,lat,lng\n01001,Autauga,32.5,-86.6\n06037,Los Angeles,34.3,-118.2\n',
  });
  expect(text).toContain(`county_fips: { type: string, pad: 5, expression: '"county_fips"' }`);
  expect([...records.values()][0]?.[0]).toMatchObject({ county_fips: '01001', trips: '0.0' });
  expect(metrics).toHaveLength(1);
});

test('a second row of the header with units, and -999 for absent values', async () => {
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
  const { text, rows } = await drafted({
    'a.csv': `Station;Time;PM10;NO2\n;;µg/m³;ppb\n${hours
      .map(
        (hour) => `A;01.02.2024 ${hour}:00;${hour === '05' ? '-999' : `${hour},5`};${Number(hour)}`,
      )
      .join('\n')}\n`,
  });
  expect(text).toContain('skip_below_header: 1');
  expect(text).toContain("nulls: ['-999']");
  expect(text).toContain('key: [station, hour, time]');
  expect(rows).toHaveLength(24);
  expect(rows[5]).toMatchObject({ hour: '05', pm10: null, no2: '5' });
});

test('a column for each hour becomes a dimension', { tags: 'slow' }, async () => {
  const hours = Array.from({ length: 24 }, (_, hour) => `H${String(hour).padStart(2, '0')}`);
  const { text, rows } = await drafted({
    'a.csv': `site,date,${hours.join(',')}\n${['S1', 'S2'].map((site) => `${site},2024-02-01,${hours.map((_, hour) => hour).join(',')}`).join('\n')}\nS1,2024-02-02${',5'.repeat(24)}\n`,
  });
  expect(text).toContain("- unpivot: { name: hour, values: { value: 'H##' } }");
  expect(text).toContain('key: [site, hour, date]');
  expect(rows).toHaveLength(72);
});

test('places get the key that the values of another file have', { tags: 'slow' }, async () => {
  const { text, records, metrics } = await drafted({
    'airports.csv':
      'id,name,latitude_deg,longitude_deg,iata_code\n4001,Zürich,47.5,8.5,ZRH\n4002,Geneva,46.2,6.1,GVA\n4003,Grenchen,47.2,7.4,\n',
    'pax.csv':
      'Airport,Carrier,Month,Passengers\nZRH,LX,2024-01,1\nZRH,WK,2024-01,2\nZRH,All carriers,2024-01,3\nGVA,LX,2024-01,2\nGVA,LX,2024-02,2\n',
  });
  expect(text).toContain('key: [iata_code]');
  expect(text).toContain('# CHECK: Leaves out 1 row without a value for the key.');
  expect(text).toContain("Rows with carrier 'All carriers' are the sums of others: passengers");
  expect([...records.values()].map((rows) => rows.length)).toEqual([2, 5]);
  expect(metrics).toHaveLength(1);
});

test('weeks that do not begin on Monday have both of their days, with a CHECK', {
  tags: 'slow',
}, async () => {
  const { text, records } = await drafted({
    'a.csv': 'shop,week_ending,n\nA,2024-01-06,1\nA,2024-01-13,2\nB,2024-01-20,3\nB,2024-01-06,3\n',
  });
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    '# CHECK: All days are a Saturday, so each is read as the last day of a week. If they stand for single days, remove week_start, and write period: { start: week_ending, end: week_ending } and cadence: daily.',
  );
  expect(text).toContain('period: { start: week_start, end: week_ending }');
  expect(text).toContain('cadence: weekly\n');
  expect([...records.values()].flat()).toContainEqual(
    expect.objectContaining({ week_start: '2023-12-31', week_ending: '2024-01-06' }),
  );
});

test('rows of events say how they are counted by place and day', { tags: 'slow' }, async () => {
  const { text } = await drafted({
    'trips.csv':
      'ride_id,started_at,station_id\nr1,2024-06-01 08:10:00,S1\nr2,2024-06-01 09:20:00,S1\nr3,2024-06-02 07:30:00,S2\n',
  });
  expect(
    text,
  ).toContain(`    # Each row seems to be an event. To count them by place and day, for a metric:
    # rows:
    #   - aggregate: { by: { station_id: '"station_id"', day: 'strptime(trim("started_at"), ''%Y-%m-%d %H:%M:%S'')::DATE' }, values: { events: { count: '*' } } }
    # key: [station_id, day]
    # period: { start: day, end: day }
    # fields: { station_id: { type: string }, day: { type: date }, events: { type: integer } }
    key: [ride_id]`);
});

test('fiscal quarters are those of the calendar, until it is decided', {
  tags: 'slow',
}, async () => {
  const { text, rows } = await drafted({
    'a.csv': 'branch,quarter,n\nA,FY2022 Q1,1\nA,FY2022 Q2,2\nB,FY2022 Q1,3\n',
  });
  expect(text).toContain('# CHECK: A fiscal year is read as the calendar year');
  expect(rows[0]).toMatchObject({ quarter_start: '2022-01-01', quarter_end: '2022-03-31' });
});

test('a sheet whose rows are longer than its header is refused with the row', async () => {
  const sheet = workbook({
    sheets: {
      Data: {
        1: { A: cell('code'), B: cell('2021') },
        2: { B: cell('Visits'), C: cell('Loans') },
        3: { A: cell('x'), B: cell('1'), C: cell('2') },
      },
    },
  });
  await expect(drafted({ 'a.xlsx': sheet })).rejects.toThrow(
    /No table was found in .*a.xlsx: 2 of 2 rows do not have the columns of its header. a.xlsx, row 2: /,
  );
});

const QUARTERS = [7, 8, 9].flatMap((hour) =>
  ['00', '15', '30', '45'].map((minute) => [hour, minute]),
);

test('times at each quarter of an hour keep their time, beside a column of row numbers without a name', {
  tags: 'slow',
}, async () => {
  const lines = ['A', 'B'].flatMap((sensor) =>
    [5, 6].flatMap((day) =>
      QUARTERS.map(([hour, minute]) => `${sensor},2024-01-0${day}T0${hour}:${minute}:00+00:00,3`),
    ),
  );
  const { text, rows } = await drafted({
    'a.csv': `,sensor,at,visits\n${lines.map((line, index) => `${index},${line}`).join('\n')}\n`,
  });
  expect(text).toContain('key: [sensor, time_of_day, at]');
  expect(text).not.toContain('column_1');
  expect(rows).toHaveLength(48);
  expect(rows[1]).toMatchObject({ sensor: 'A', at: '2024-01-06', time_of_day: '07:00' });
});

test('a position of a column becomes its name beside an expression', { tags: 'slow' }, async () => {
  const { text, rows } = await drafted({
    'a.csv': `site,at,,\n${[7, 8, 9].map((hour) => `A,2024-01-05 0${hour}:00,x${hour},${hour}`).join('\n')}\n`,
  });
  expect(text).toContain('column_3: { type: string, column: column 3 }');
  expect(rows[0]).toMatchObject({ column_3: 'x7', column_4: '7' });
});

test('a year and a month by other names', { tags: 'slow' }, async () => {
  const { text } = await drafted({
    'a.csv': 'station,Année,MO,visits\nA,2023,1,5\nA,2023,2,6\nB,2023,1,7\nB,2023,2,7\n',
  });
  expect(text).toContain('key: [station, month_start]');
});

test('many fields are grouped', async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => `count_${index}`);
  const rows = [1, 2, 3].map(
    (id) =>
      `${id},Place ${id},47.${id},-122,${numbers.map((_, index) => index * id + id).join(',')},true`,
  );
  const text = await draftText({
    'a.csv': `id,name,lat,lon,${numbers.join(',')},checked\n${rows.join('\n')}\n`,
  });
  const groups = [...text.matchAll(/^ {6}# ([A-Z][a-z]+)$/gm)].map(([, group]) => group);
  expect(groups).toEqual(['Identity', 'Place', 'Measures', 'Others']);
});
