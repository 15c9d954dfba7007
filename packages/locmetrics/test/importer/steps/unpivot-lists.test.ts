import { expect, test } from 'vitest';
import { parquetOf } from '../formats/parquet-of.ts';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const DAYS = `rows:
  - unpivot: { name: day, list: { visits: visits_by_day }, start: date_range_start }
key: [place, day]
fields:
  place: { type: string }
  day: { type: date }
  visits: { type: integer }`;

const WEEK = `place,date_range_start,visits_by_day
a,2020-09-07T00:00:00-05:00,"[3,5,2,0,1,4,6]"
b,2020-09-07T00:00:00-04:00,"[0, 0, 1, 0, 0, 0, 2.0]"
`;

const WEEK_DAYS = [
  ['a', '2020-09-07', '3'],
  ['a', '2020-09-08', '5'],
  ['a', '2020-09-09', '2'],
  ['a', '2020-09-10', '0'],
  ['a', '2020-09-11', '1'],
  ['a', '2020-09-12', '4'],
  ['a', '2020-09-13', '6'],
  ['b', '2020-09-07', '0'],
  ['b', '2020-09-08', '0'],
  ['b', '2020-09-09', '1'],
  ['b', '2020-09-10', '0'],
  ['b', '2020-09-11', '0'],
  ['b', '2020-09-12', '0'],
  ['b', '2020-09-13', '2'],
];

test('a list of the days of a week becomes a row for each local day', async () => {
  const files = { 'p.csv': WEEK };
  const { rowCount, notices } = await importByManifest(`files: p.csv\n${DAYS}`, files);
  expect(await valuesOf(`files: p.csv\n${DAYS}`, files)).toEqual(WEEK_DAYS);
  expect([rowCount, ...notices]).toEqual([
    14,
    'The steps made 14 rows from the 2 rows of the files.',
  ]);
});

test('so do lists of JSON and of Parquet', async () => {
  const lines = ['a', 'b'].map((place, index) =>
    JSON.stringify({
      place,
      date_range_start: '2020-09-07',
      visits_by_day: index === 0 ? [3, 5, 2, 0, 1, 4, 6] : [0, 0, 1, 0, 0, 0, 2],
    }),
  );
  expect(
    await valuesOf(`files: p.ndjson\n${DAYS}`, { 'p.ndjson': `${lines.join('\n')}\n` }),
  ).toEqual(WEEK_DAYS);
  const parquet = await parquetOf(`SELECT * FROM (VALUES
    ('a', DATE '2020-09-07', [3, 5, 2, 0, 1, 4, 6]), ('b', DATE '2020-09-07', [0, 0, 1, 0, 0, 0, 2]))
    AS rows(place, date_range_start, visits_by_day)`);
  expect(await valuesOf(`files: p.parquet\n${DAYS}`, { 'p.parquet': parquet })).toEqual(WEEK_DAYS);
  const moments = await parquetOf(`SELECT 'a' AS place, TIMESTAMP '2020-09-07' AS date_range_start,
    [3.0::DOUBLE, 5, 2, 0, 1, 4, 6] AS visits_by_day`);
  expect(await valuesOf(`files: p.parquet\n${DAYS}`, { 'p.parquet': moments })).toEqual(
    WEEK_DAYS.slice(0, 7),
  );
});

test('a map becomes a row for each key, in CSV, JSON and Parquet', async () => {
  const declaration = (file: string) => `files: ${file}
rows:
  - unpivot: { name: home, map: { visitors: visitor_home_cbgs } }
key: [place, home]
fields:
  place: { type: string }
  home: { type: string }
  visitors: { type: integer }`;
  const expected = [
    ['a', '010730001001', '12'],
    ['a', '360610112021', '4'],
    ['b', '360610112021', '5'],
  ];
  const csv =
    'place,visitor_home_cbgs\na,"{""360610112021"":4,""010730001001"":12}"\nb,"{""360610112021"":5}"\nc,{}\n';
  expect(await valuesOf(declaration('p.csv'), { 'p.csv': csv })).toEqual(expected);
  const { notices } = await importByManifest(declaration('p.csv'), { 'p.csv': csv });
  expect(notices).toEqual([
    "1 row has an empty map in 'visitor_home_cbgs', and so no rows after the unpivot.",
  ]);
  const ndjson =
    '{"place": "a", "visitor_home_cbgs": {"360610112021": 4, "010730001001": 12}}\n{"place": "b", "visitor_home_cbgs": {"360610112021": 5}}\n';
  expect(await valuesOf(declaration('p.ndjson'), { 'p.ndjson': ndjson })).toEqual(expected);
  const parquet =
    await parquetOf(`SELECT 'a' AS place, MAP {'360610112021': 4, '010730001001': 12} AS visitor_home_cbgs
    UNION ALL SELECT 'b', MAP {'360610112021': 5}`);
  expect(await valuesOf(declaration('p.parquet'), { 'p.parquet': parquet })).toEqual(expected);
});

test('hours are those of a day, or follow a first day', async () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour * 10);
  const ofDay = `files: p.csv
rows:
  - unpivot: { name: hour, list: popularity_by_hour, each: hour }
key: [place, hour]
fields:
  place: { type: string }
  hour: { type: string }
  popularity_by_hour: { type: integer }`;
  const day = await valuesOf(ofDay, {
    'p.csv': `place,popularity_by_hour\na,"${JSON.stringify(hours)}"\n`,
  });
  expect(day).toEqual(hours.map((value, hour) => ['a', String(hour).padStart(2, '0'), `${value}`]));
  const ofWeek = `files: p.csv
rows:
  - unpivot: { name: moment, list: { visits: visits_by_each_hour }, start: week, each: hour }
key: [day, hour]
fields:
  day: { type: date, column: moment, format: 'YYYY-MM-DD HH:mm:ss' }
  hour: { type: string, expression: 'substr(moment, 12, 2)' }
  visits: { type: integer }`;
  const week = await valuesOf(ofWeek, {
    'p.csv': `week,visits_by_each_hour\n2020-12-28,"${JSON.stringify(Array.from({ length: 168 }, (_, hour) => hour))}"\n`,
  });
  expect([week[0], week[25], week[167]]).toEqual([
    ['2020-12-28', '00', '0'],
    ['2020-12-29', '01', '25'],
    ['2021-01-03', '23', '167'],
  ]);
});

test('several lists are unpivoted together, and positions are counted from 1', async () => {
  const declaration = `files: p.csv
rows:
  - unpivot: { name: position, list: { one: a, other: b } }
key: [id, position]
fields:
  id: { type: string }
  position: { type: integer }
  one: { type: float }
  other: { type: float }`;
  expect(await valuesOf(declaration, { 'p.csv': 'id,a,b\nx,"[1.5,-2]","[""3"",4e1]"\n' })).toEqual([
    ['x', '1', '1.5', '3.0'],
    ['x', '2', '-2.0', '40.0'],
  ]);
});

test('the first day can be an expression, and lists of months are as long as those with their start', async () => {
  const declaration = `files: p.csv
rows:
  - unpivot: { name: day, list: visits, start: "strptime(\\"Month of\\", '%m/%d/%Y')" }
key: [day]
fields:
  day: { type: date }
  visits: { type: integer }`;
  const list = (length: number) => JSON.stringify(Array.from({ length }, () => 1));
  const values = await valuesOf(declaration, {
    'p.csv': `Month of,visits\n1/1/2020,"${list(31)}"\n2/1/2020,"${list(29)}"\n`,
  });
  expect([values.length, values[0], values.at(-1)]).toEqual([
    60,
    ['2020-01-01', '1'],
    ['2020-02-29', '1'],
  ]);
});

test('declared texts are absent numbers in lists too', async () => {
  const declaration = (nulls: string) => `files: p.csv
read: { nulls: [${nulls}] }
rows:
  - unpivot: { name: day, list: visits }
key: [day]
fields:
  day: { type: integer }
  visits: { type: integer }`;
  const files = { 'p.csv': 'id,visits\na,"[1,null,-999,""n/a""]"\n' };
  expect(
    await valuesOf(
      declaration(`null, -999, n/a`.replace('null', "'null'").replace('-999', "'-999'")),
      files,
    ),
  ).toEqual([
    ['1', '1'],
    ['2', null],
    ['3', null],
    ['4', null],
  ]);
  expect(await refusalByManifest(declaration("'-999'"), files)).toMatchInlineSnapshot(
    `"p.csv:2: rows[0].unpivot.list: 'null' in the list in 'visits' is not a number. If it means that the number is absent, declare it: read: { nulls: [...] }."`,
  );
});

test.each([
  ['another length', '"[1,2,3,4,5,6]"'],
  ['a null', '"[1,2,null,4,5,6,7]"'],
  ['a text', '"[1,2,""x"",4,5,6,7]"'],
  ['a list', '"[1,2,[3],4,5,6,7]"'],
  ['a truth value', '"[1,2,true,4,5,6,7]"'],
  ['no JSON', '"[1,2,3,4,5,6,"'],
  ['words of another language', '"[1,2,NaN,4,5,6,7]"'],
  ['a map', '"{""a"":1}"'],
  ['a number', '7'],
  ['nothing', ''],
])('a list is refused with its line and column: %s', async (_, text) => {
  const file = `${WEEK}c,2020-09-07,${text}\n`;
  expect(await refusalByManifest(`files: p.csv\n${DAYS}`, { 'p.csv': file })).toMatchSnapshot();
});

test.each([
  ['a time that is not midnight', '2020-09-07T05:00:00Z'],
  ['another order', '09/07/2020'],
  ['no day of the calendar', '2020-02-30'],
  ['nothing', ''],
])('a first day is refused: %s', async (_, start) => {
  const file = `${WEEK}c,${start},"[1,2,3,4,5,6,7]"\n`;
  expect(await refusalByManifest(`files: p.csv\n${DAYS}`, { 'p.csv': file })).toMatchSnapshot();
});

test.each([
  ['a text', '{"x": "many"}'],
  ['a map in it', '{"x": {"y": 1}}'],
  ['a null', '{"x": null}'],
  ['a key twice', '{"x": 1, "x": 2}'],
  ['no map', '[1]'],
  ['nothing', ''],
])('a map is refused with its line and column: %s', async (_, text) => {
  const declaration = `files: p.csv
rows:
  - unpivot: { name: home, map: homes }
key: [home]
fields:
  home: { type: string }
  homes: { type: integer }`;
  const file = `id,homes\na,"{""h"":1}"\nb,"${text.replaceAll('"', '""')}"\n`;
  expect(await refusalByManifest(declaration, { 'p.csv': file })).toMatchSnapshot();
});

test.each([
  '{ name: day }',
  '{ name: day, list: a, map: a }',
  '{ name: day, list: a, values: { n: a } }',
  '{ name: day, map: a, start: b }',
  '{ name: day, map: { x: a, y: b } }',
  '{ name: day, list: a, each: day }',
  '{ name: day, list: a, each: month }',
  '{ name: day, list: c }',
  '{ name: b, list: a }',
  '{ name: day, list: { b: a } }',
  '{ name: day, list: a, start: c }',
  '{ name: day, list: a, start: "SELECT 1" }',
  '{ name: day, list: a, start: "b::DATE" }',
  '{ name: hour, list: a, each: hour }',
  '{ name: hour, list: a, each: hour, start: "DATE \'2024-01-01\'" }',
])('an unpivot is refused: %s', async (step) => {
  const declaration = `files: p.csv
rows:
  - unpivot: ${step}
key: [id]
fields:
  id: { type: string }`;
  expect(
    await refusalByManifest(declaration, { 'p.csv': 'id,a,b\nx,"[1,2]",soon\n' }),
  ).toMatchSnapshot();
});

test('lists of different lengths in one row are refused', async () => {
  const declaration = `files: p.csv
rows:
  - unpivot: { name: position, list: { one: a, other: b } }
key: [position]
fields:
  position: { type: integer }
  one: { type: float }
  other: { type: float }`;
  expect(
    await refusalByManifest(declaration, { 'p.csv': 'id,a,b\nx,"[1,2]","[1]"\n' }),
  ).toMatchInlineSnapshot(
    `"p.csv:2: rows[0].unpivot.list: '[1]' in 'b' is a list of another length than that in 'a'. Unpivot lists of different lengths in different datasets."`,
  );
});
