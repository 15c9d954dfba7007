import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

/** A dataset with a field of each kind, keyed by its id. */
const declare = (field: string, more = '') => `files: p.csv
key: [id]
${more}fields:
  id: { type: integer }
  value: { ${field} }`;

/** The values of a column by the declaration of its field. */
async function read(field: string, values: readonly string[]): Promise<readonly (string | null)[]> {
  const rows = await valuesOf(declare(field), { 'p.csv': toCsv(values) });
  return rows.map((row) => row[1] ?? null);
}

function refuse(field: string, values: readonly string[]): Promise<string> {
  return refusalByManifest(declare(field), { 'p.csv': toCsv(values) });
}

function toCsv(values: readonly string[]): string {
  const lines = values.map((value, index) => `${index + 1},"${value.replaceAll('"', '""')}"`);
  return ['id,value', ...lines, ''].join('\n');
}

test.each([
  [
    "type: integer, format: '1,234'",
    ['37,900', '1,234,567', '12', '-5', '+7', ' 8 ', ''],
    ['37900', '1234567', '12', '-5', '7', '8', null],
  ],
  ["type: integer, format: '1’234'", ['37’900', "37'901"], ['37900', '37901']],
  [
    "type: integer, format: '1 234'",
    ['37 900', '37\u00a0901', '37\u202f902'],
    ['37900', '37901', '37902'],
  ],
  ["type: float, format: '1,234.5'", ['1,234.25', '.'.repeat(0), '7'], ['1234.25', null, '7.0']],
  ["type: float, format: '1.234,5'", ['1.234,25', '1.234', '-0,5'], ['1234.25', '1234.0', '-0.5']],
  ["type: float, format: '1234,5'", ['1234,25', '3'], ['1234.25', '3.0']],
  ["type: float, format: '1234.5%'", ['12.5%', '12.5 %', '3'], ['12.5', '12.5', '3.0']],
  [
    "type: float, format: '$1,234.5'",
    ['$1,234.50', '-$2', '$-3', '4'],
    ['1234.5', '-2.0', '-3.0', '4.0'],
  ],
  ["type: float, format: '1.234,5 €'", ['1.234,50 €', '2€'], ['1234.5', '2.0']],
  ['type: boolean, format: 1/0', ['1', '0', ''], ['true', 'false', null]],
  ['type: boolean, format: yes/no', ['Yes', ' no '], ['true', 'false']],
] as const)('%s', async (field, written, values) => {
  expect(await read(field, written)).toEqual(values);
});

test('a number that is not written in its format is refused', async () => {
  expect(
    [
      await refuse("type: integer, format: '1,234'", ['1,23', '12,3456', '1.234', '1,234.5', '$5']),
      await refuse("type: float, format: '1.234,5'", ['1,234.5', '1.5', 'x', '--1']),
      await refuse("type: integer, format: '1,234'", ['9,999,999,999,999,999,999']),
      await refuse('type: boolean, format: 1/0', ['2', 'true']),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv:2: value: '1,23' is not a whole number as in 1,234.
    p.csv:3: value: '12,3456' is not a whole number as in 1,234.
    p.csv:4: value: '1.234' is not a whole number as in 1,234.
    p.csv:5: value: '1,234.5' is not a whole number as in 1,234.
    p.csv:6: value: '$5' is not a whole number as in 1,234.
    p.csv:2: value: '1,234.5' is not a number as in 1.234,5.
    p.csv:3: value: '1.5' is not a number as in 1.234,5.
    p.csv:4: value: 'x' is not a number as in 1.234,5.
    p.csv:5: value: '--1' is not a number as in 1.234,5.
    p.csv:2: value: '9,999,999,999,999,999,999' is not between -9223372036854775808 and 9223372036854775807. Declare the field as string if it is an identifier.
    p.csv:2: value: '2' is not one of 1/0.
    p.csv:3: value: 'true' is not one of 1/0."
  `);
});

test.each([
  ['MM/DD/YYYY', ['01/31/2024', ' 12/01/1999 ', ''], ['2024-01-31', '1999-12-01', null]],
  ['M/D/YYYY', ['1/5/2024', '12/31/2024'], ['2024-01-05', '2024-12-31']],
  ['DD.MM.YYYY', ['31.01.2024'], ['2024-01-31']],
  [
    'M/D/YY',
    ['1/22/20', '12/31/99', '1/1/68', '1/1/69'],
    ['2020-01-22', '1999-12-31', '2068-01-01', '1969-01-01'],
  ],
  ['MMM-YY', ['Jan-21', 'dec-98'], ['2021-01-01', '1998-12-01']],
  ['DD-MMM-YYYY', ['05-Feb-2020', '06-MAR-2020'], ['2020-02-05', '2020-03-06']],
  ['D MMMM YYYY', ['5 February 2020', '31 may 2021'], ['2020-02-05', '2021-05-31']],
  ['YYYYMM', ['202402'], ['2024-02-01']],
  ['YYYYMMDD', ['20240229'], ['2024-02-29']],
  ['YYYY', ['2024', '0001'], ['2024-01-01', '0001-01-01']],
  ['YYYY-[Q]Q', ['2024-Q3'], ['2024-07-01']],
  ['YYYY-[W]WW', ['2024-W01', '2020-W53', '2021-W01'], ['2024-01-01', '2020-12-28', '2021-01-04']],
  [
    'MM/DD/YYYY hh:mm:ss A',
    ['10/02/2012 12:00:00 AM', '10/02/2012 11:59:59 pm'],
    ['2012-10-02', '2012-10-02'],
  ],
  ['YYYY-MM-DDTHH:mm:ss.SSS', ['2024-01-05T23:30:00.125'], ['2024-01-05']],
  ['YYYY-MM-DD[T]HH:mm', ['2024-01-05T23:30'], ['2024-01-05']],
] as const)('dates in the format %s', async (format, written, values) => {
  expect(await read(`type: date, format: '${format}'`, written)).toEqual(values);
});

test('a time with an offset is the day in the declared zone', async () => {
  const written = [
    '2024-01-05T23:30:00-08:00',
    '2024-01-06T07:59:59Z',
    '2024-01-06T08:00:00Z',
    '2024-07-01T00:30:00+0200',
  ];
  const format = "format: 'YYYY-MM-DDTHH:mm:ssZ'";
  expect(await read(`type: date, ${format}, zone: America/Los_Angeles`, written)).toEqual([
    '2024-01-05',
    '2024-01-05',
    '2024-01-06',
    '2024-06-30',
  ]);
  expect(await read(`type: date, ${format}, zone: UTC`, written)).toEqual([
    '2024-01-06',
    '2024-01-06',
    '2024-01-06',
    '2024-06-30',
  ]);
  const half = "format: 'MM/DD/YYYY hh:mm A Z', zone: UTC";
  expect(
    await read(`type: date, ${half}`, ['01/05/2024 12:30 AM +01:00', '01/05/2024 11:30 PM -01:00']),
  ).toEqual(['2024-01-04', '2024-01-06']);
});

test('with the zone local, a time with an offset is the day that is written', async () => {
  const written = [
    '2024-01-05T23:30:00-08:00',
    '2024-01-06T00:00:00+09:00',
    '2024-01-06T08:00:00Z',
  ];
  expect(await read("type: date, format: 'YYYY-MM-DDTHH:mm:ssZ', zone: local", written)).toEqual([
    '2024-01-05',
    '2024-01-06',
    '2024-01-06',
  ]);
});

test.each([
  ['', ['2024-03-01', '2024-01-01'], ['2024-02-29', '2023-12-31']],
  [', format: MM/DD/YYYY', ['03/01/2024'], ['2024-02-29']],
  [
    ", format: 'YYYY-MM-DDTHH:mm:ssZ', zone: local",
    ['2020-09-14T00:00:00-05:00', '2020-09-14T00:00:01-05:00', '2020-09-14T00:00:00+02:00'],
    ['2020-09-13', '2020-09-14', '2020-09-13'],
  ],
  [
    ", format: 'YYYY-MM-DDTHH:mm:ssZ', zone: America/Chicago",
    ['2020-09-14T00:00:00-05:00', '2020-09-14T05:00:00Z', '2020-09-14T05:00:01Z'],
    ['2020-09-13', '2020-09-13', '2020-09-14'],
  ],
  [
    ", format: 'MM/DD/YYYY hh:mm:ss A'",
    ['09/14/2020 12:00:00 AM', '09/14/2020 12:00:00 PM'],
    ['2020-09-13', '2020-09-14'],
  ],
  [
    ', format: YYYY-MM-DD HH:mm:ss.SSS',
    ['2020-09-14 00:00:00.000', '2020-09-14 00:00:00.001'],
    ['2020-09-13', '2020-09-14'],
  ],
] as const)(
  'an exclusive end { type: date%s } is the last day before it',
  async (format, written, values) => {
    expect(await read(`type: date, end: exclusive${format}`, written)).toEqual(values);
  },
);

test('a date that is not written in its format, or is none, is refused', async () => {
  expect(
    [
      await refuse("type: date, format: 'MM/DD/YYYY'", [
        '31/01/2024',
        '2024-01-31',
        '1/5/2024',
        '02/30/2024',
      ]),
      await refuse("type: date, format: 'DD-MMM-YYYY'", ['05-Fvr-2020', '30-Feb-2020']),
      await refuse("type: date, format: 'YYYYMM'", ['2024', '202413', '2024010']),
      await refuse("type: date, format: 'YYYY-[W]WW'", ['2021-W53', '2021-W00']),
      await refuse("type: date, format: 'MM/DD/YYYY hh:mm A'", [
        '01/01/2024 13:00 PM',
        '01/01/2024 00:10 AM',
      ]),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv:2: value: '31/01/2024' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:3: value: '2024-01-31' is not written as MM/DD/YYYY.
    p.csv:4: value: '1/5/2024' is not written as MM/DD/YYYY.
    p.csv:5: value: '02/30/2024' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:2: value: '05-Fvr-2020' is not written as DD-MMM-YYYY.
    p.csv:3: value: '30-Feb-2020' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:2: value: '2024' is not written as YYYYMM.
    p.csv:3: value: '202413' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:4: value: '2024010' is not written as YYYYMM.
    p.csv:2: value: '2021-W53' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:3: value: '2021-W00' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:2: value: '01/01/2024 13:00 PM' is not written as MM/DD/YYYY hh:mm A.
    p.csv:3: value: '01/01/2024 00:10 AM' is not written as MM/DD/YYYY hh:mm A."
  `);
});

test('the start and the end of a period follow from one column', async () => {
  const declared = (unit: string, format: string) => `files: p.csv
key: [start]
period: { start: start, end: end }
fields:
  start: { type: date, column: When, format: '${format}', as: ${unit} }
  end: { type: date, column: When, format: '${format}', as: ${unit} }`;
  const days = (unit: string, format: string, when: string) =>
    valuesOf(declared(unit, format), { 'p.csv': `When\n${when}\n` });
  expect(await days('month', 'YYYYMM', '202402')).toEqual([['2024-02-01', '2024-02-29']]);
  expect(await days('month', 'YYYY-MM-DD', '2023-12-31')).toEqual([['2023-12-01', '2023-12-31']]);
  expect(await days('quarter', 'YYYY-[Q]Q', '2024-Q4')).toEqual([['2024-10-01', '2024-12-31']]);
  expect(await days('year', 'YYYY', '2024')).toEqual([['2024-01-01', '2024-12-31']]);
  expect(await days('week', 'YYYY-MM-DD', '2024-02-29')).toEqual([['2024-02-26', '2024-03-03']]);
});

test('a date of two columns and a code of several are joined', async () => {
  const declaration = `files: p.csv
key: [fips, month]
fields:
  fips: { type: string, column: [STATE, COUNTY], pad: [2, 3] }
  month: { type: date, column: [Year, Month], format: YYYY M }
  zip: { type: string, column: Zip, pad: 5 }
  area: { type: string, column: [Area, 1] }`;
  const header = 'STATE,COUNTY,Year,Month,Zip,Area\n';
  expect(
    await valuesOf(declaration, { 'p.csv': `${header}1,7,2024,2,4609,A\n36,061,2024,12,,B\n` }),
  ).toEqual([
    ['01007', '2024-02-01', '04609', 'A1'],
    ['36061', '2024-12-01', null, 'B36'],
  ]);
  expect(
    await refusalByManifest(declaration, {
      'p.csv': `${header}1,,2024,2,1,A\n1,1234,2024,2,1,A\n2,x,2024,,123456,A\n`,
    }),
  ).toMatchInlineSnapshot(`
    "p.csv:2: fips: '1, ' lacks a part of the code.
    p.csv:3: fips: '1, 1234' is not a code of at most 3 digits. Leave pad out, or cut the codes first with an expression, such as split_part(ZipCode, '-', 1).
    p.csv:4: fips: '2, x' is not a code of at most 3 digits. Leave pad out, or cut the codes first with an expression, such as split_part(ZipCode, '-', 1).
    p.csv:4: month: '2024' is not written as YYYY M.
    p.csv:4: zip: '123456' is not a code of at most 5 digits. Leave pad out, or cut the codes first with an expression, such as split_part(ZipCode, '-', 1)."
  `);
});

test('the coordinates of a point are read from one text, and may be absent', async () => {
  const declared = (format: string) => `files: p.csv
key: [id]
point: { latitude: lat, longitude: lng }
fields:
  id: { type: integer }
  lat: { type: float, column: Location, format: '${format}' }
  lng: { type: float, column: Location, format: '${format}' }`;
  const points = (format: string, ...texts: readonly string[]) =>
    valuesOf(declared(format), {
      'p.csv': `id,Location\n${texts.map((text, index) => `${index},"${text}"\n`).join('')}`,
    });
  expect(await points('(lat, lng)', '(47.5, -122.25)', '( 1,2 )', '')).toEqual([
    ['0', '47.5', '-122.25'],
    ['1', '1.0', '2.0'],
    ['2', null, null],
  ]);
  expect(await points('lat, lng', '47.5,-122.25')).toEqual([['0', '47.5', '-122.25']]);
  expect(await points('POINT (lng lat)', 'POINT (-122.25 47.5)', 'point(1 2)')).toEqual([
    ['0', '47.5', '-122.25'],
    ['1', '2.0', '1.0'],
  ]);
  expect(
    await refusalByManifest(declared('(lat, lng)'), {
      'p.csv': 'id,Location\n1,"(-122.25, 47.5)"\n2,"47.5, 1"\n',
    }),
  ).toMatchInlineSnapshot(`
    "p.csv:2: lat: '(-122.25, 47.5)' is not between -90 and 90, but the longitude is. Swap the two fields in the manifest (their columns, or lat and lng in the format), or the two values of the row.
    p.csv:3: lat: '47.5, 1' is not a point as in (lat, lng).
    p.csv:3: lng: '47.5, 1' is not a point as in (lat, lng)."
  `);
});

test('formats apply to the texts of other files too, and to no other types', async () => {
  const declaration = (file: string) => `files: ${file}
key: [id]
fields:
  id: { type: string, pad: 3 }
  day: { type: date, format: MM/DD/YYYY }
  visits: { type: integer, format: '1,234' }`;
  const line = '{"id":7,"day":"01/31/2024","visits":"1,234"}\n';
  expect(await valuesOf(declaration('p.ndjson'), { 'p.ndjson': line })).toEqual([
    ['007', '2024-01-31', '1234'],
  ]);
  expect(
    await refusalByManifest(declaration('p.ndjson'), {
      'p.ndjson': '{"id":"7","day":["01/31/2024"],"visits":"1.234"}\n',
    }),
  ).toMatchInlineSnapshot(`
    "p.ndjson:1: day: '["01/31/2024"]' is an array.
    p.ndjson:1: visits: '1.234' is not a whole number as in 1,234."
  `);
});

test.each([
  'type: string, format: YYYY',
  'type: date, format: MM/DD',
  "type: date, format: 'DD. MONAT YYYY'",
  'type: date, format: YYYY-MM-DD hh:mm',
  'type: date, format: YYYY-MM-DDTHH:mmZ',
  'type: date, format: YYYY-MM-DDTHH:mmZ, zone: Europe/Zurch',
  'type: date, format: YYYY-MM-DD, zone: UTC',
  'type: date, zone: UTC',
  'type: date, column: [a, b]',
  'type: integer, column: [a, b]',
  'type: integer, format: "#,###"',
  'type: float, format: "(lat, lng)"',
  'type: float, format: "1,234,5"',
  'type: boolean, format: X',
  'type: integer, pad: 5',
  'type: string, pad: [2, 3]',
  'type: string, column: [a, b], pad: 5',
  'type: string, as: month',
  'type: date, as: day',
  'type: string, end: exclusive',
  'type: date, as: month, end: exclusive',
  'type: date, end: inclusive',
])('the manifest refuses { %s }', async (field) => {
  expect(await refuse(field, [])).toMatchSnapshot();
});

test('a period of one field has no span', async () => {
  const declaration = declare('type: date, as: month', 'period: { start: value, end: value }\n');
  expect(await refusalByManifest(declaration, { 'p.csv': 'id,value\n' })).toMatchInlineSnapshot(
    `"locmetrics.yaml:9: datasets.us.places.fields.value.as: The field is both the start and the end, but a month has two days. Declare a second field with the same column for the end."`,
  );
});

test('unused columns are told, joined ones are used', async () => {
  const { notices } = await importByManifest(declare('type: string, column: [a, b]'), {
    'p.csv': 'id,a,b,c\n1,x,y,z\n',
  });
  expect(notices).toEqual(['These columns of the files are not used by any field: c.']);
});
