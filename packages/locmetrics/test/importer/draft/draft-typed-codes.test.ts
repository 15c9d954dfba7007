import { expect, test } from 'vitest';
import { parquetOf } from '../formats/parquet-of.ts';
import { text as cell, number, workbook } from '../formats/workbook.ts';
import { draftedFiles } from './drafted-files.ts';

const CASES = [
  ['01001', '2020-01-01', '3'],
  ['01001', '2020-01-02', '5'],
  ['56001', '2020-01-01', '4'],
  ['56001', '2020-01-02', '6'],
];

test.each(['BIGINT', 'DOUBLE', 'DECIMAL(9, 0)', 'VARCHAR'])(
  'codes of Parquet in a column of %s get back their zeros, beside columns with other types',
  async (type) => {
    const { text, rows } = await draftedFiles({
      'a.parquet': await parquetOf(`SELECT * FROM (VALUES
        (1001::${type}, TIMESTAMP '2020-01-01', 3, 1.076::DOUBLE, true),
        (56001::${type}, TIMESTAMP '2020-01-01', 4, 597, false),
        (1001::${type}, TIMESTAMP '2020-01-02', 5, 53782, NULL),
        (56001::${type}, TIMESTAMP '2020-01-02', 6, 3.387, true))
        AS t(fips, day, cases, distance, is_open)`),
    });
    expect(text).toContain('they are padded to 5, and 1001 is 01001.\n      fips: {');
    expect(text).not.toContain('Each separator');
    expect(rows.map(({ fips, day, cases }) => [fips, day, cases]).toSorted()).toEqual(CASES);
    expect(rows.map(({ distance }) => distance).toSorted()).toEqual([
      '1.076',
      '3.387',
      '53782.0',
      '597.0',
    ]);
    expect(rows.map((row) => String(row['is_open'])).toSorted()).toEqual([
      'false',
      'null',
      'true',
      'true',
    ]);
  },
);

test('codes of JSON, GeoJSON and a workbook that are numbers get back their zeros', async () => {
  const lines = CASES.map(
    ([fips, day, cases]) => `{"fips":${Number(fips)}.0,"day":"${day}","cases":${cases}}\n`,
  );
  const json = await draftedFiles({ 'a.ndjson': lines.join('') });
  const sheet = await draftedFiles({
    'a.xlsx': workbook({
      sheets: {
        Data: Object.fromEntries(
          [
            { A: cell('fips'), B: cell('day'), C: cell('cases') },
            ...CASES.map(([fips = '', day = '', cases = '']) => ({
              A: number(String(Number(fips))),
              B: cell(day),
              C: number(cases),
            })),
          ].map((row, index) => [index + 1, row]),
        ),
      },
    }),
  });
  for (const { rows, text } of [json, sheet]) {
    expect(text).toContain('key: [fips, day]');
    expect(rows.map(({ fips, day, cases }) => [fips, day, cases])).toEqual(CASES);
  }
  const feature = (code: string, lng: number) =>
    `{"type":"Feature","properties":{"GEOID":${code},"pop":5},"geometry":{"type":"Point","coordinates":[${lng},2]}}`;
  const features = await draftedFiles({
    'a.geojson': `{"type":"FeatureCollection","features":[${feature('1001.0', 1.5)},${feature('56001.0', 2.5)}]}`,
  });
  expect(features.rows.map(({ geoid, longitude }) => [geoid, longitude])).toEqual([
    ['01001', '1.5'],
    ['56001', '2.5'],
  ]);
});

test('identifiers in a column of floating-point numbers are texts, with what they have lost', async () => {
  const { text, rows } = await draftedFiles({
    'a.parquet': await parquetOf(
      'SELECT * FROM (VALUES (12::DOUBLE, 896529300012345678::DOUBLE, 3), (13, 8.965293e20, 4)) AS t(store_id, device_id, n)',
    ),
  });
  expect(rows.map((row) => [row['store_id'], row['n']])).toEqual([
    ['12', '3'],
    ['13', '4'],
  ]);
  expect(text).toMatch(
    /# CHECK: Codes that were written with an exponent [^\n]*: 2 of 2 different ones, such as '8\.965293\d*e\+\d+', [^\n]*\n {6}device_id: /,
  );
});

test('seconds since 1970 in Parquet are dates with an hour', async () => {
  const { text, rows } = await draftedFiles({
    'a.parquet': await parquetOf(
      'SELECT * FROM (VALUES (7, 1609459200::BIGINT, 3), (7, 1609462800, 4), (8, 1609459200, 5)) AS t(site, ts, n)',
    ),
  });
  expect(text).toContain('# CHECK: The numbers are read as seconds since 1970 in UTC');
  expect(rows.map((row) => [row['site'], row['ts'], row['hour'], row['n']]).toSorted()).toEqual([
    ['7', '2021-01-01', '00', '3'],
    ['7', '2021-01-01', '01', '4'],
    ['8', '2021-01-01', '00', '5'],
  ]);
});

test('texts and numbers for absent values in JSON and Parquet are left out', async () => {
  const json = await draftedFiles({
    'a.ndjson':
      '{"id":"A","n":"2\'671","t":-3.5}\n{"id":"B","n":"k.A.","t":-9999}\n{"id":"NA","n":"1\'003","t":4}\n',
  });
  expect(json.text).toContain("nulls: [k.A., '-9999']");
  expect(json.rows.map(({ id, n, t }) => [id, n, t])).toEqual([
    ['A', '2671', '-3.5'],
    ['B', null, null],
    ['NA', '1003', '4.0'],
  ]);
  const parquet = await draftedFiles({
    'a.parquet': await parquetOf(
      "SELECT * FROM (VALUES ('A', DATE '2020-01-01', -3.5::DOUBLE, '12%'), ('B', DATE '2020-01-01', -9999, 'n/a')) AS t(id, day, temperature, share)",
    ),
  });
  expect(parquet.text).toContain(
    "# CHECK: In all columns, these texts mean that a value is absent.\n      nulls: ['-9999', n/a]",
  );
  expect(parquet.rows.map((row) => [row['day'], row['temperature'], row['share']])).toEqual([
    ['2020-01-01', '-3.5', '12'],
    ['2020-01-01', null, null],
  ]);
});
