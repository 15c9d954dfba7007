// @module-tag slow

import { expect, test } from 'vitest';
import { checks } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const WEEK = ['p1', 'p2', 'p3'].map((id, index) => `${id},2020-09-07,2020-09-13,${index + 5}`);

test('the period of a file of one week belongs to the key, and there is a metric', async () => {
  const { text, metrics, rows } = await drafted({
    'week.csv': `place_id,date_range_start,date_range_end,visits\n${WEEK.join('\n')}\n`,
  });
  expect(text).toContain('key: [place_id, date_range_start]');
  expect(text).toContain('cadence: weekly_mon_sun');
  expect(metrics.map(({ metric }) => metric.metricId)).toEqual(['week']);
  expect(rows.map((row) => [row['place_id'], row['date_range_start'], row['visits']])).toEqual([
    ['p1', '2020-09-07', '5'],
    ['p2', '2020-09-07', '6'],
    ['p3', '2020-09-07', '7'],
  ]);
});

test('places with their values of one week become a layer and a metric', async () => {
  const places = [1, 2, 3, 4].map(
    (number) =>
      `22${number}-223@abc-${number},Shop ${number},${40 + number / 10},${-75 - number / 10},2020-09-07T00:00:00-05:00,2020-09-14T00:00:00-05:00,${number * 10}`,
  );
  const { text, metrics, records } = await drafted({
    'patterns.csv': `placekey,location_name,latitude,longitude,date_range_start,date_range_end,raw_visit_counts\n${places.join('\n')}\n`,
  });
  expect(metrics.map(({ metric }) => metric.metricId)).toEqual(['patterns']);
  const [layer = [], values = []] = [...records.values()];
  expect(layer[0]).toMatchObject({
    placekey: '221-223@abc-1',
    location_name: 'Shop 1',
    latitude: '40.1',
  });
  expect(values.map((row) => row['raw_visit_counts'])).toEqual(['10', '20', '30', '40']);
  expect(text).toContain('name: location_name');
});

test('values of one month, as a month or as its first day, are of that month', async () => {
  for (const written of ['2024-03', '2024-03-01', '202403']) {
    const { text, rows, metrics } = await drafted({
      'a.csv': `station,name,month,visits\nA,Alton,${written},5\nB,Bexley,${written},7\n`,
    });
    expect(text).toContain('key: [station, month_start]');
    expect(metrics).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      station: 'A',
      month_start: '2024-03-01',
      month_end: '2024-03-31',
      visits: '5',
    });
  }
});

test('one year and one day are periods too', async () => {
  const year = await drafted({ 'a.csv': 'code,year,population\n01,2020,500\n02,2020,600\n' });
  expect(year.text).toContain('key: [code, year_start]');
  expect(year.metrics).toHaveLength(1);
  const day = await drafted({
    'a.csv': 'date,fips,cases\n2024-01-01,10001,5\n2024-01-01,10003,6\n',
  });
  expect(day.text).toContain('key: [fips, date]');
  expect(day.metrics).toHaveLength(1);
});

test('places without values, and events with an id, have no period in their key', async () => {
  const places = await drafted({
    'a.csv': 'id,name,lat,lng,date\n1,A,47.1,8.1,2024-01-01\n2,B,47.2,8.2,2024-01-01\n',
  });
  expect(places.text).toContain('key: [id]');
  const trips = await drafted({
    'a.csv':
      'trip_id,date,from_station,minutes\n1,2024-01-01,A,5\n2,2024-01-01,A,5\n3,2024-01-02,B,6\n',
  });
  expect(trips.text).toContain('key: [trip_id]');
});

test('a station in each row of a table without coordinates is a place once, with its values', async () => {
  const rows = ['2024-01', '2024-02'].flatMap((month, index) => [
    `S1,Alton,${month},${10 + index}`,
    `S2,Bexley,${month},${20 + index}`,
  ]);
  const { text, metrics, records } = await drafted({
    'a.csv': `station,name,month,visits\n${rows.join('\n')}\n`,
  });
  expect(metrics).toHaveLength(1);
  const [values = [], places = []] = [...records.values()];
  expect(values.map((row) => row['visits'])).toEqual(['10', '11', '20', '21']);
  expect(places.map((row) => row['name'])).toEqual(['Alton', 'Bexley']);
  expect(text).toContain('feature_id: station');
});

test('a column called t with milliseconds is a time', async () => {
  const lines = [0, 1, 2].flatMap((day) =>
    ['x1', 'x2'].map((site) => `${site},${1_714_521_600_000 + day * 86_400_000},${day + 5}`),
  );
  const { text } = await drafted({ 'a.csv': `sensor_id,t,count\n${lines.join('\n')}\n` });
  expect(text).toContain('period: { start: t, end: t }');
  expect(text).toContain('cadence: daily');
});

test('columns of two years become rows, with a CHECK if they do not follow each other', async () => {
  const table = (first: string, second: string) =>
    `code,POP${first},POP${second}\n01,100,110\n02,200,190\n03,50,60\n`;
  const next = await drafted({ 'a.csv': table('2020', '2021') });
  expect(next.text).toContain("- unpivot: { name: year, values: { pop: 'POP####' } }");
  expect(next.text).not.toContain('become rows by their years');
  const apart = await drafted({ 'a.csv': table('2010', '2021') });
  expect(apart.rows.map((row) => [row['year_start'], row['pop']])).toContainEqual([
    '2010-01-01',
    '100',
  ]);
  expect(checks(apart.text)).toContain(
    "The columns POP2010, POP2021 become rows by their years. If they are no values of the same kind, remove this step. => - unpivot: { name: year, values: { pop: 'POP####' } }",
  );
});

test.each([
  ['2011 (ha)', '2021 (ha)', 'year_start', '2011-01-01', '2021-01-01'],
  ['Population 2011', 'Population 2021', 'year_start', '2011-01-01', '2021-01-01'],
  ['Jan 2023', 'Jan 2024', 'month_start', '2023-01-01', '2024-01-01'],
  ['visits_2023_05', 'visits_2024_05', 'month_start', '2023-05-01', '2024-05-01'],
  ['2023Q2', '2024Q2', 'quarter_start', '2023-04-01', '2024-04-01'],
])('the columns %s and %s are two periods', async (one, other, field, first, second) => {
  const { rows, metrics } = await drafted({
    'a.csv': `code,name,${one},${other}\nE1,Alder,100,110\nE2,Birch,200,190\n`,
  });
  expect(rows.map((row) => row[field])).toEqual([first, second, first, second]);
  expect(metrics).toHaveLength(1);
});

test.each([
  ['ages', '05-09', '10-14'],
  ['measures of two years', 'Population 2011', 'Area 2021'],
])('columns of %s do not become rows', async (_, one, other) => {
  const { text } = await drafted({ 'a.csv': `code,${one},${other}\nE1,100,110\nE2,200,190\n` });
  expect(text).not.toContain('unpivot');
});

test('a number beside columns for years is repeated, and does not add up over them', async () => {
  const { text } = await drafted({
    'a.csv': 'code,2019,2020,2021,parking\nE1,1,2,3,9\nE2,4,5,6,7\n',
  });
  expect(checks(text)).toContain(
    'Each row of the file has it once, and each new row repeats it for its year. If it is the value of one of them, or of all together, leave this field out. => parking: { type: integer, additive: places }',
  );
});
