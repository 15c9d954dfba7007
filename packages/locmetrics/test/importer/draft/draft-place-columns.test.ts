// @module-tag slow

import { expect, test } from 'vitest';
import { parquetOf } from '../formats/parquet-of.ts';
import { checks, declaredLines, draftText, totalOf, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** Rows of days, with a value in each column. */
function daily(columns: readonly string[], days = 4): string {
  const rows = Array.from({ length: days }, (_, day) =>
    [`2024-03-0${day + 1}`, ...columns.map((_, index) => 10 * (index + 1) + day)].join(','),
  );
  return `date,${columns.map((name) => (name.includes(',') ? `"${name}"` : name)).join(',')}\n${rows.join('\n')}\n`;
}

const SITES =
  'id,name,lat,lon\n101,Fremont,47.65,-122.35\n102,Ballard,47.66,-122.37\n203,Spokane St,47.57,-122.34\n';

/** Of three columns and four days. */
const TOTAL = 4 * 60 + 3 * 6;

test.each([
  ['names', ['Fremont', 'Ballard', 'Spokane St'], 'name', 'value'],
  ['numbers', ['101', '102', '203'], 'id', 'value'],
  ['numbers behind a word', ['site_101', 'site_102', 'site_203'], 'id', 'value'],
  [
    'names behind a measure',
    ['bikes: Fremont', 'bikes: Ballard', 'bikes: Spokane St'],
    'name',
    'bikes',
  ],
])('columns with the %s of places become rows of these', async (_, columns, key, value) => {
  const { text, records, metrics } = await drafted({
    'counts.csv': daily(columns),
    'sites.csv': SITES,
  });
  expect(checks(text)).toEqual([]);
  expect(text).toContain(`# The columns are places of town.sites, by its ${key}.`);
  expect(text).toContain('3 of 3 different ids (100%) are features of the layer.');
  expect(declaredLines(text)).toContain(`    layer: sites
    feature_id: ${_.startsWith('numbers') ? 'place_id' : 'place'}
    cadence: daily
    measure: { name: ${value}, field: ${value}, kind: count }`);
  expect(totalOf(records, 'counts', value)).toBe(TOTAL);
  expect(metrics).toHaveLength(1);
});

test('a column that is no place of the other file is named in a CHECK', async () => {
  const { text, records, metrics } = await drafted({
    'counts.csv': daily(['Fremont', 'Ballard', 'Elsewhere']),
    'sites.csv': SITES,
  });
  expect(checks(text)).toEqual([
    'Not among the places of town.sites: Elsewhere. => - unpivot: { name: place, values: { value: [Fremont, Ballard, Elsewhere] } }',
    "2 of 3 different ids (66.7%) are features of the layer, so the metric has no values of the others, such as 'Elsewhere'. => layer: sites",
  ]);
  expect(totalOf(records, 'counts', 'value')).toBe(TOTAL);
  expect(metrics).toHaveLength(1);
});

test('without another file, columns that seem to be places become a layer without points', async () => {
  const { text, records, rows, metrics } = await drafted({
    'counts.csv': daily(['Fremont', 'Ballard', 'Spokane St']),
  });
  expect(checks(text)).toEqual([
    'Each of the columns Fremont, Ballard, Spokane St seems to be a place, so they become rows. If they are measures, delete this step and declare each as a field. => - unpivot: { name: place, values: { value: [Fremont, Ballard, Spokane St] } }',
  ]);
  expect(valuesOfFields(rows, ['place', 'date', 'value']).slice(0, 2)).toEqual([
    ['Ballard', '2024-03-01', '20'],
    ['Ballard', '2024-03-02', '21'],
  ]);
  expect([...records.values()].map((one) => one.length)).toEqual([12, 3]);
  expect(totalOf(records, 'counts', 'value')).toBe(TOTAL);
  expect(metrics).toHaveLength(1);
});

test('the total and the weather of a day are no places', async () => {
  const rows = [1, 2, 3].map(
    (day) =>
      `2024-04-0${day},Mon,6${day}.0,0.${day},"1,70${day}","3,12${day}",2115,"6,${935 + 2 * day}"`,
  );
  const { text, records, metrics } = await drafted({
    'bridges.csv': `Date,Day,High Temp (°F),Precipitation,Brooklyn Bridge,Manhattan Bridge,Queensboro Bridge,Total\n${rows.join('\n')}\n`,
  });
  expect(checks(text)).toContain(
    'Each of the new rows repeats the values of its period: High Temp (°F), Precipitation. => - unpivot:',
  );
  expect(text).toContain('column: Precipitation, additive: periods }');
  expect(text).toContain('# Left out, because each row would repeat it: Total.');
  expect(totalOf(records, 'bridges', 'value')).toBe(
    [1, 2, 3].reduce((sum, day) => sum + 6935 + 2 * day, 0),
  );
  expect(metrics).toHaveLength(1);
});

test('a place with the name of a code is a place', async () => {
  const { text, records, metrics } = await drafted({
    'counts.csv': daily(['Fremont', 'Union Station', 'Pike Place']),
  });
  expect(text).toContain('values: { value: [Fremont, Union Station, Pike Place] }');
  expect(totalOf(records, 'counts', 'value')).toBe(TOTAL);
  expect(metrics).toHaveLength(1);
});

test('a total that is not the sum of the places is a CHECK', async () => {
  const text = await draftText({
    'counts.csv': daily(['Fremont', 'Ballard', 'Spokane St', 'Total']),
    'sites.csv': SITES,
  });
  expect(checks(text)).toEqual([
    'In 4 rows, Total is not the sum of the columns that become rows. => - unpivot: { name: place, values: { value: [Fremont, Ballard, Spokane St] } }',
  ]);
});

test('hours of places in columns are added up to days', async () => {
  const rows = [0, 1, 2, 3].flatMap((hour) =>
    [1, 2].map((day) => `2024-03-0${day},${hour}:00,${hour},${2 * hour},${3 * hour}`),
  );
  const content = `date,time,Fremont,Ballard,Spokane St\n${rows.join('\n')}\n`;
  const hours = await drafted({ 'counts.csv': content, 'sites.csv': SITES });
  expect(totalOf(hours.records, 'counts', 'value')).toBe(72);
  expect(hours.metrics).toHaveLength(1);
  const days = await drafted({ 'counts.csv': content, 'sites.csv': SITES }, { hours: 'days' });
  expect(valuesOfFields(days.rows, ['place', 'date', 'value'])).toEqual([
    ['Ballard', '2024-03-01', '12'],
    ['Ballard', '2024-03-02', '12'],
    ['Fremont', '2024-03-01', '6'],
    ['Fremont', '2024-03-02', '6'],
    ['Spokane St', '2024-03-01', '18'],
    ['Spokane St', '2024-03-02', '18'],
  ]);
});

test('columns of Parquet are places too', async () => {
  const { records, metrics } = await drafted({
    'counts.parquet': await parquetOf(
      `SELECT DATE '2024-03-01' + n::INTEGER AS date, n AS "Fremont", n * 2 AS "Ballard", n * 3 AS "Spokane St" FROM range(5) AS t(n)`,
    ),
    'sites.csv': SITES,
  });
  expect(totalOf(records, 'counts', 'value')).toBe(60);
  expect(metrics).toHaveLength(1);
});

test.each([
  ['visits', 'visitors', 'sales'],
  ['open', 'high', 'low'],
  ['temperature', 'pressure', 'humidity'],
  ['north', 'south', 'total'],
])('measures such as %s, %s and %s stay columns', async (...columns) => {
  expect(await draftText({ 'a.csv': daily(columns) })).not.toContain('unpivot');
});

test('a long list of columns is folded', async () => {
  const columns = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((name) => `Counter of the Street ${name}`);
  const { text, records } = await drafted({ 'a.csv': daily(columns) });
  const lines = text.split('\n').filter((line) => line.includes('Street'));
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.every((line) => line.length <= 100)).toBe(true);
  expect([...records.values()].map((rows) => rows.length)).toEqual([104, 26]);
});

test('a place can have the name of a direction, if nothing differs from it in the direction alone', async () => {
  const table = (names: string) =>
    `date,${names}\n2024-01-01,11,12,13\n2024-01-02,21,22,23\n2024-01-03,31,32,33\n`;
  const { rows } = await drafted({ 'a.csv': table('Mall of Kent,Galleria North,Westfield') });
  expect(rows).toHaveLength(9);
  const directions = await drafted({ 'a.csv': table('Bridge North,Bridge South,Ferry') });
  expect(directions.rows).toHaveLength(3);
});

/** Two counters with the sum of both directions. */
function directions(more: number): string {
  const days = ['2024-05-13', '2024-05-14', '2024-05-15', '2024-05-16'];
  const lines = days.map((day, index) =>
    [day, 30 + index, 10, 20 + index, 70 + more, 50, 20].join(','),
  );
  return `Time,Quay,Quay IN,Quay OUT,Old Bridge,Old Bridge IN,Old Bridge OUT\n${lines.join('\n')}\n`;
}

test('columns for both directions of places become rows, without their sums, with a CHECK', async () => {
  const { text, rows, metrics } = await drafted({ 'a.csv': directions(0) });
  expect(declaredLines(text)).toContain(
    "- unpivot: { name: place, values: { in: '* IN', out: '* OUT' } }",
  );
  expect(valuesOfFields(rows, ['place', 'time', 'in', 'out'])).toContainEqual([
    'Quay',
    '2024-05-14',
    '10',
    '21',
  ]);
  expect(rows).toHaveLength(8);
  expect(metrics).toHaveLength(1);
  expect(checks(text).join(' ')).toContain('Their sums are left out.');
});

test('columns for directions whose sums differ stay columns', async () => {
  const { text } = await drafted({ 'a.csv': directions(1) });
  expect(text).not.toContain('unpivot');
});

test('columns of counters that are all called a total are places', async () => {
  const rows = Array.from({ length: 30 }, (_, n) =>
    [
      `2024-06-${String(n + 1).padStart(2, '0')}`,
      (n * 37) % 200,
      (n * 53) % 300,
      (n * 71) % 90,
    ].join(','),
  );
  const { text, metrics } = await drafted({
    'counters.csv': `Time,Lakefront Trail Total,Milwaukee Ave Total,606 Trail Total\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('- unpivot:');
  expect(metrics).toHaveLength(1);
});

test('measures of places that a code or a name identifies are no places', async () => {
  const rows = [2016, 2020].flatMap((year) =>
    ['AUTAUGA,1001', 'BALDWIN,1003', 'STATEWIDE WRITEIN,NA'].flatMap((county, index) =>
      ['A', 'B', 'C'].map(
        (who, one) => `${year},${county},${who},${50 * one + index + 7},${900 + index},20220315`,
      ),
    ),
  );
  const { text, records } = await drafted({
    'votes.csv': `year,county_name,county_fips,candidate,candidatevotes,totalvotes,version\n${rows.join('\n')}\n`,
  });
  expect(text).not.toContain('unpivot');
  expect(text).toContain('candidatevotes: { type: integer, additive: all }');
  expect(text).toContain('totalvotes: { type: integer, additive: none }');
  const ids = [...records.values()].flat().map((row) => row['place_id']);
  expect(ids).toEqual(expect.arrayContaining(['01001', 'STATEWIDE WRITEIN']));
});

test('a place for visitors is no number of visitors', async () => {
  const rows = Array.from(
    { length: 6 },
    (_, month) => `2023-0${month + 1}-01,${100 + month},${70 - month},${40 + 2 * month}`,
  );
  const { text } = await drafted({
    'museums.csv': `Month,Avila Adobe,Firehouse Museum,Visitor Center\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('unpivot: { name: place');
});
