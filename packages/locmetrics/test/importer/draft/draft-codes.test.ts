// @module-tag slow

import { proposals } from '@locmetrics/ingest/draft/values/propose-types';
import { expect, test } from 'vitest';
import { text as cell, number, workbook } from '../formats/workbook.ts';
import { draftedFiles } from './drafted-files.ts';

test('codes that became 1001.0 are texts with their zeros, and the key', async () => {
  const { text, rows } = await draftedFiles({
    'a.csv':
      'FIPS,n,date,cases\n1001.0,A,2020-01-01,3\n56001.0,B,2020-01-01,4\n1001.0,A,2020-01-02,5\n56001.0,B,2020-01-02,6\n',
  });
  expect(text).toContain('key: [fips, date]');
  expect(text).toContain(
    '# CHECK: Codes of 4 to 5 digits, so leading zeros seem to be missing: they are padded to 5, and 1001 is 01001.\n      fips: {',
  );
  expect(rows.map(({ fips, cases }) => [fips, cases])).toEqual([
    ['01001', '3'],
    ['01001', '5'],
    ['56001', '4'],
    ['56001', '6'],
  ]);
});

test('texts that spreadsheets keep are without their formula', async () => {
  const { text, rows } = await draftedFiles({
    'a.csv': 'code,n,day\n="01001",4,="2024-01-05"\n"=""01003""",5,="2024-01-06"\n',
  });
  expect(text).not.toContain('# CHECK');
  expect(rows).toMatchObject([
    { code: '01001', n: '4', day: '2024-01-05' },
    { code: '01003', n: '5', day: '2024-01-06' },
  ]);
});

test('codes with an exponent, or with zeros beyond 15 digits, were damaged before, with examples', async () => {
  const exponents = await draftedFiles({ 'a.csv': 'geoid,n\n8.96529E+19,4\n8.9653E+19,5\n' });
  expect(exponents.rows.map(({ geoid }) => geoid)).toEqual(['8.96529E+19', '8.9653E+19']);
  expect(exponents.text).toMatch(
    /# CHECK: Codes that were written with an exponent before they reached this file: 2 of 2 different ones, such as '8.96529E\+19', '8.9653E\+19'. Their other digits are lost, [^\n]*\n {6}geoid: { type: string }/,
  );
  const sheet = await draftedFiles({
    'a.xlsx': workbook({
      sheets: {
        Data: {
          1: { A: cell('device'), B: cell('n') },
          2: { A: number('8.96529300012345E+19'), B: number('1') },
          3: { A: number('8.96529300012346E+19'), B: number('2') },
        },
      },
    }),
  });
  expect(sheet.text).toMatch(
    /# CHECK: Codes with more than 15 digits that end in zeros: 2 of 2 different ones, such as '89652930001234500000', [^\n]*\n {6}device: { type: string }/,
  );
  expect(sheet.rows.map(({ device }) => device)).toEqual([
    '89652930001234500000',
    '89652930001234600000',
  ]);
});

test('more digits than a number can have are kept', async () => {
  const { text, rows } = await draftedFiles({
    'a.csv': 'device,n\n89652930001234567891,1\n89652930001234567892,2\n',
  });
  expect(text).toContain('device: { type: string }');
  expect(text).not.toContain('# CHECK');
  expect(rows.map(({ device }) => device)).toEqual([
    '89652930001234567891',
    '89652930001234567892',
  ]);
});

test.each([
  ['GEOID', ['1001020100', '36061000100'], { pad: 11 }],
  ['geoid10', ['10010201001', '360610001001'], { pad: 12 }],
  ['STATEFP', ['1', '56'], { pad: 2 }],
  ['state', ['1', '56'], { pad: 2 }],
  ['county_fips', ['1001', '56001'], { pad: 5 }],
  ['COUNTY', ['1', '113'], { pad: 3 }],
  ['zip', ['4609', '2169'], { pad: 5 }],
  ['ZIP Code', ['601', '94110'], { pad: 5 }],
  ['PLZ', ['1067', '80331'], { pad: 5 }],
  ['AGS', ['1001000', '16077056'], { pad: 8 }],
  ['codgeo', ['1001', '75056'], { pad: 5 }],
  ['cve_ent', ['1', '32'], { pad: 2 }],
  ['poi_cbg', ['60371011101', '10010201001'], { pad: 12 }],
  ['GEOID', ['61130112061', '10010201001'], { pad: 12 }],
  ['TRACTCE', ['100', '980000'], { pad: 6 }],
])('zeros that codes of %s have lost are a doubt', (name, texts, expected) => {
  const [best] = proposals(name, texts);
  expect(best?.document).toEqual({ type: 'string', ...expected });
  expect(best?.doubts?.[0]).toContain('leading zeros seem to be missing');
});

test.each([
  ['PLZ', ['8001', '3000']],
  ['UIC', ['8503000', '8507000']],
  ['bpuic', ['8503000', '8507000']],
  ['NAICS', ['44', '441', '722511']],
  ['zip', ['94110', '10001']],
  ['fips', ['36', '36061']],
  ['tract', ['101.02', '4']],
  ['GEOID', ['36061000100', '01001020100']],
  ['site', ['12', '13']],
  ['station', ['1001', '1002']],
  ['Zählstelle', ['101', '1002']],
])('codes of %s are texts as they are', (name, texts) => {
  expect(proposals(name, texts)[0]).toMatchObject({
    document: { type: 'string' },
    isCode: true,
    doubts: [],
  });
});

test.each([
  ['tract', ['101', '102']],
  ['Código', ['28079', '5019', '5002']],
  ['fips', ['101', '36061']],
])('codes of %s that can have lost zeros are a doubt, but not padded', (name, texts) => {
  const [best] = proposals(name, texts);
  expect(best?.document).toEqual({ type: 'string' });
  expect(best?.doubts?.[0]).toMatch(/If leading zeros are missing, add pad/);
});

test.each(['stations', 'visits', 'area', 'sites_count', 'population', 'tract_population'])(
  '%s are no codes',
  (name) => {
    expect(proposals(name, ['12', '1300'])[0]?.document).toEqual({ type: 'integer' });
  },
);

test('a place name that can be a count is a doubt, and a measure has its fractions', () => {
  expect(proposals('shop', ['1', '12'])[0]).toMatchObject({
    document: { type: 'string' },
    doubts: [
      'Read as an id, because of its name. If it is how many there are, write type: integer.',
    ],
  });
  expect(proposals('sensor', ['21.5', '22.25'])[0]).toEqual({ document: { type: 'float' } });
  expect(proposals('height_meter', ['120', '95'])[0]?.document).toEqual({ type: 'integer' });
});

test('codes are recognised by their shape too', () => {
  const counties = [1, 4, 5, 6, 8, 9, 10, 12, 13, 16, 36, 53, 56].map((state) => `${state}001`);
  const [best] = proposals('place', counties);
  expect(best?.document).toEqual({ type: 'string', pad: 5 });
  const [area] = proposals('where', counties);
  expect(area?.document).toEqual({ type: 'string', pad: 5 });
  expect(area?.doubts?.[0]).toContain('codes of counties of the USA (FIPS): 1001 is 01001.');
  const whole = counties.map((code) => code.padStart(5, '0'));
  expect(proposals('code', whole)[0]?.doubts).toEqual([]);
  const long = ['8503000123', '8507000123', '8509000123'];
  expect(proposals('where', long)[0]?.document).toEqual({ type: 'string' });
  expect(proposals('where', long)[0]?.doubts?.[0]).toContain('because all have 10 digits');
  expect(proposals('visits', long)[0]?.document).toEqual({ type: 'integer' });
  const numbers = counties.map((code) => String(Number(code) + 1));
  expect(proposals('where', numbers)[0]?.document).toEqual({ type: 'integer' });
});

test('0 and 1 for whether there is a store are no codes', () => {
  expect(proposals('store', ['0', '1'])[0]?.document).toEqual({ type: 'integer' });
});

test('states and counties in one column, and codes with letters, are padded by an expression', async () => {
  const levels = await draftedFiles({ 'a.csv': 'fips,n\n1,9\n1001,4\n56,7\n56045,8\n' });
  expect(levels.rows.map(({ fips, n }) => [fips, n])).toEqual([
    ['01', '9'],
    ['01001', '4'],
    ['56', '7'],
    ['56045', '8'],
  ]);
  expect(levels.text).toContain('so states and counties seem to be mixed');
  const letters = await draftedFiles({ 'a.csv': 'insee,n\n1001,4\n2A004,5\n75056,6\n' });
  expect(letters.rows.map(({ insee }) => insee)).toEqual(['01001', '2A004', '75056']);
  expect(letters.text).toContain('# CHECK: Codes of 4 to 5 digits and letters');
});

test('days of a spreadsheet are dates, with the hour of a fraction', async () => {
  const days = await draftedFiles({
    'a.csv': 'site,date,n\nA,44197,4\nA,44198,5\nB,44197,6\nB,44198,7\n',
  });
  expect(days.text).toContain('period: { start: date, end: date }');
  expect(days.text).toContain(
    '# CHECK: The numbers are read as the days of a spreadsheet: 44197 is 2021-01-01.\n      date:\n',
  );
  expect(days.rows.map(({ site, date, n }) => [site, date, n])).toEqual([
    ['A', '2021-01-01', '4'],
    ['A', '2021-01-02', '5'],
    ['B', '2021-01-01', '6'],
    ['B', '2021-01-02', '7'],
  ]);
  const times = await draftedFiles({
    'a.csv': 'date,n\n44197.0416666667,4\n44197.0833333333,5\n44198.9583333333,7\n',
  });
  expect(times.rows.map(({ date, hour }) => [date, hour])).toEqual([
    ['2021-01-01', '01'],
    ['2021-01-01', '02'],
    ['2021-01-02', '23'],
  ]);
});

test.each([
  ['seconds', 1],
  ['milliseconds', 1000],
])('%s since 1970 are dates in UTC, with the hour', async (unit, factor) => {
  const line = (site: string, time: number) => `${site},${time * factor},4\n`;
  const { text, rows } = await draftedFiles({
    'a.csv': `site,timestamp,n\n${line('A', 1609459200)}${line('A', 1609462800)}${line('A', 1609545600)}`,
  });
  expect(text).toContain(
    `# CHECK: The numbers are read as ${unit} since 1970 in UTC: ${1609459200 * factor} is 2021-01-01 00:00.`,
  );
  expect(rows.map((row) => `${row['timestamp']} ${row['hour']}`).toSorted()).toEqual([
    '2021-01-01 00',
    '2021-01-01 01',
    '2021-01-02 00',
  ]);
});

test.each(['', '30', '3000'])('times such as 2024013123%s have a day and an hour', async (end) => {
  const { text, rows } = await draftedFiles({
    'a.csv': `time,n\n2024013122${end},4\n2024013123${end},5\n2024020100${end},6\n`,
  });
  expect(text).not.toContain('since 1970');
  expect(rows.map((row) => `${row['time']} ${row['hour']}`).toSorted()).toEqual([
    '2024-01-31 22',
    '2024-01-31 23',
    '2024-02-01 00',
  ]);
});

test('a year that became 2020.0 is a period', async () => {
  const { rows } = await draftedFiles({
    'a.csv': 'place,year,n\nA,2019.0,4\nA,2020.0,5\nB,2019.0,6\nB,2020.0,7\n',
  });
  expect(rows.map((row) => [row['place'], row['year_end']])).toEqual([
    ['A', '2019-12-31'],
    ['A', '2020-12-31'],
    ['B', '2019-12-31'],
    ['B', '2020-12-31'],
  ]);
});

test('ranges that a spreadsheet made dates of are told', async () => {
  const { text } = await draftedFiles({
    'a.csv': 'id,age,n\n1,0-4,5\n2,5-Sep,6\n3,14-Oct,7\n4,15-19,8\n5,20-24,9\n',
  });
  expect(text).toContain(
    "# CHECK: A spreadsheet seems to have made dates of ranges: '14-Oct', '5-Sep' beside '0-4'. Correct them in the source.\n      age: { type: string }",
  );
});

test.each([
  ['2021-01-01', '2021-01-02', '44199'],
  ['01.02.2021', '2021-02-01', '3/2/2021'],
  ['01.02.2021', '02.02.2021', 'about May'],
])('dates %s, %s and %s in one column are text, with the reason', async (...days) => {
  const { text } = await draftedFiles({
    'a.csv': `id;date\n${days.map((day, index) => `${index};${day}\n`).join('')}`,
  });
  expect(text).toMatch(
    /# CHECK: Dates[^\n]*read as text, so there is no period\.[^\n]*\n {6}date: /,
  );
});

test('a measure with an exponent is a number, and one without its digits a doubt', () => {
  expect(proposals('gdp', ['2.14E+13', '1.7E+09'])[0]).toEqual({ document: { type: 'float' } });
  const [rounded] = proposals('bytes', ['2.14E+13', '1.7E+12']);
  expect(rounded?.document).toEqual({ type: 'float' });
  expect(rounded?.doubts?.[0]).toContain("2 of 2 different ones, such as '2.14E+13', '1.7E+12'.");
});

test('identifiers in other languages, and names that are digits, are texts', async () => {
  const { text } = await draftedFiles({
    'a.csv':
      'Identifiant du site,route_short_name,n\n100003096,21,4\n100003097,,5\n100007049,901,6\n',
  });
  expect(text).toMatch(/identifiant_du_site: \{ type: string/);
  expect(text).toMatch(/route_short_name: \{ type: string/);
});

test('a code of letters and digits in another column identifies places rather than their names', async () => {
  const { text } = await draftedFiles({
    'a.csv':
      'local authority,mnemonic,January 2024,February 2024\nDarlington,E06000005,10,20\nDurham,E06000047,30,40\nHartlepool,E06000001,50,61\n',
  });
  expect(text).toContain('key: [mnemonic, month_start]');
  expect(text).not.toContain('told apart by their names');
});
