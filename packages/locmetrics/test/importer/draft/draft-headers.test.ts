// @module-tag slow

import { expect, test } from 'vitest';
import { sheetOf, workbook } from '../formats/workbook.ts';
import { checks, declaredLines, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const JOINED = [
  ['id', 'month', 'n'],
  ['A', '2024-01', '1'],
  ['B', '2024-01', '2'],
  ['id', 'month', 'n'],
  ['A', '2024-02', '3'],
  ['id', 'month', 'n'],
  ['B', '2024-02', '4'],
];

test.each([
  ['CSV', 'a.csv', JOINED.map((row) => row.join(',')).join('\n')],
  ['a workbook', 'a.xlsx', workbook({ sheets: { Data: sheetOf(JOINED) } })],
])('headers of files that were joined are no records: %s', async (_, name, content) => {
  const { text, rows } = await drafted({ [name]: content });
  expect(checks(text)).toEqual([
    '2 rows repeat the header, and would be left out. => repeated_headers: true',
  ]);
  expect(valuesOfFields(rows, ['id', 'month_start', 'n'])).toEqual([
    ['A', '2024-01-01', '1'],
    ['A', '2024-02-01', '3'],
    ['B', '2024-01-01', '2'],
    ['B', '2024-02-01', '4'],
  ]);
});

test('a first row that repeats below without a header is a row', async () => {
  const { text, rows } = await drafted({ 'a.csv': 'A,1,x\nB,2,y\nA,1,x\nC,3,y\n' });
  expect(text).toContain('header: false');
  expect(rows).toHaveLength(3);
});

test('without a header, the codes of states and counties are places, and a year is the period', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'CN01,01,001,"Autauga County, AL",2009,"23,288  "\nPA01,01,003,"Baldwin County, AL",2009,"81,706  "\nCN04,04,001,"Apache County, AZ",2009,"21,025  "\n',
  });
  expect(checks(text)[0]).toMatch(/^The column has no name\. Its numbers are read as years/);
  expect(text).toContain('measure: { name: column_6, field: column_6, kind: count }');
  expect(text).not.toContain('dimensions:');
  expect(valuesOfFields(rows, ['geoid', 'year_start', 'column_6'])).toEqual([
    ['01001', '2009-01-01', '23288'],
    ['01003', '2009-01-01', '81706'],
    ['04001', '2009-01-01', '21025'],
  ]);
});

test('rising numbers above the columns of named rows are a header', async () => {
  const { text, rows } = await drafted({
    'a.csv': '"","16.5","16.75"\n"A",0,1\n"B",0,2\n"C",3,2\n',
  });
  expect(text).not.toContain('header: false');
  expect(rows).toHaveLength(3);
});

test('a row without a value for the only possible key is left out, with a doubt', async () => {
  const { text, rows } = await drafted({ 'a.csv': 'n,a,b\n1,0.5,1.5\n,0.5,2.5\n3,3.5,2.5\n' });
  expect(checks(text)[0]).toMatch(/^Leaves out 1 row without a value for the key\./);
  expect(rows).toHaveLength(2);
});

const WEATHER = `A,2024-01-01,1.5,3,0
A,2024-01-02,2.5,4,1.2
B,2024-01-01,3.5,5,0
B,2024-01-02,4.5,6,2
`;
const VALUES = [
  ['A', '2024-01-01', '1.5', '3', '0.0'],
  ['A', '2024-01-02', '2.5', '4', '1.2'],
  ['B', '2024-01-01', '3.5', '5', '0.0'],
  ['B', '2024-01-02', '4.5', '6', '2.0'],
];

test.each([
  ['blank names', ',,°C,m/s,mm\n', 1],
  ['in brackets', ',,[°C],[m/s],[mm]\n', 1],
  ['a word for them', 'unit,,°C,m/s,mm\n', 1],
  ['a unit of the date', '-,yyyy-mm-dd,°C,m/s,mm\n', 1],
  ['after descriptions', 'Station,Day,Temperature,Wind speed,Rain\n,,°C,m/s,mm\n', 2],
  ['a line of dashes', '-------,----,----,----,----\n', 1],
])('a row below the header with units is no record: %s', async (_, below, count) => {
  const { text, rows } = await drafted({
    'a.csv': `station,date,temp,wind,rain\n${below}${WEATHER}`,
  });
  expect(checks(text).filter((one) => one.endsWith(`skip_below_header: ${count}`))).toHaveLength(1);
  expect(declaredLines(text)).toContain('key: [station, date]');
  if (below.includes('°C')) {
    expect(text).toContain("temp: { type: float, description: 'Unit: °C', additive: none }");
    expect(text).toContain("wind: { type: integer, description: 'Unit: m/s', additive: none }");
  }
  expect(valuesOfFields(rows, ['station', 'date', 'temp', 'wind', 'rain'])).toEqual(VALUES);
});

test.each([
  ['a word for absent values', 'A,2024-01-03,k.A.,k.A.,k.A.\n'],
  ['absent values', 'A,2024-01-03,,,\n'],
  ['one word', 'C,2024-01-03,unknown,3,0\n'],
])('a first row with %s is a record', async (_, first) => {
  const { text, rows } = await drafted({
    'a.csv': `station,date,temp,wind,rain\n${first}${WEATHER}`,
  });
  expect(text).not.toContain('skip_below_header');
  expect(rows).toHaveLength(5);
});

test('units are those of the metric', async () => {
  const { text, metrics } = await drafted({
    'stations.csv': 'id,name,lat,lng\nA,Alpha,46.5,7.5\nB,Beta,46.6,7.6\n',
    'values.csv': `station,date,temp,wind,rain\n,,°C,m/s,mm\n${WEATHER}`,
  });
  expect(text).toContain("kind: number, unit: '°C' }");
  expect(metrics).toHaveLength(1);
});

test('a row of descriptions below codes of columns is no record', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'GEO_ID,NAME,B01001_001E\nGeography,Area Name,Estimate!!Total\n0500000US10001,Kent,181851\n0500000US10003,New Castle,570719\n',
  });
  expect(text).toContain('skip_below_header: 1');
  expect(valuesOfFields(rows, ['geo_id', 'b01001_001_e'])).toEqual([
    ['0500000US10001', '181851'],
    ['0500000US10003', '570719'],
  ]);
});

test.each([
  ['a byte order mark', 'id,day,n\nA,2024-01-01,1\n\ufeffid,day,n\nA,2024-01-02,2\n'],
  ['texts only', 'name,city\nA,Bern\nB,Thun\nname,city\n'],
])('a repeated header is found: %s', async (_, content) => {
  const { text, rows } = await drafted({ 'a.csv': content });
  expect(text).toContain('repeated_headers: true');
  expect(rows).toHaveLength(2);
});

test('a single year is the name of a column', async () => {
  const { text, rows } = await drafted({
    'a.csv': 'Region,Kind,2023\nNorth,a,600\nSouth,b,100\n',
  });
  expect(text).not.toContain('header: false');
  expect(rows).toHaveLength(2);
});

test('a header with two rows has names of both', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'Verkehr;;;;\n;;;;\nStelle;Ort;Velo;;Auto;\n;;Anzahl;Tage;Anzahl;Tage\nS1;Bern;100;5;110;6\nS2;Biel;200;5;210;6\n',
  });
  expect(checks(text)[0]).toBe(
    'The header has several rows, so the names of the fields are made of them: Stelle, Ort, Velo Anzahl, Velo Tage, Auto Anzahl, Auto Tage => skip_lines: 3',
  );
  expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(['stelle', 'ort']));
  expect(Object.values(rows[0] ?? {})).toEqual(
    expect.arrayContaining(['S1', 'Bern', '100', '5', '110', '6']),
  );
});

test('a repeated header of a table with one column is no record', async () => {
  const { text, rows } = await drafted({ 'a.csv': 'x\n1\n2\nx\n3\n' });
  expect(text).toContain('repeated_headers: true');
  expect(rows.map(({ x }) => x)).toEqual(['1', '2', '3']);
});

test('names with a line break are found, below a title too', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'Visits of places\nid,"Name\nof place","Total\nvisits",date\n1,Ann,10,2024-01-01\n2,Bob,20,2024-01-01\n1,Ann,11,2024-01-02\n2,Bob,21,2024-01-02\n',
  });
  expect(text).toContain('skip_lines: 1');
  expect(text).toContain('total_visits: { type: integer, column: Total visits, additive: all }');
  expect(rows.map((row) => row['total_visits'])).toEqual(['10', '11', '20', '21']);
});

test('a backslash before quotes is found, with a CHECK', async () => {
  const { text, rows } = await drafted({
    'a.csv': 'id,name,visits\n1,"The \\"Big\\" Shop, new",10\n2,"Plain, shop",20\n3,"C:\\\\",30\n',
  });
  expect(text).toContain("      escape: '\\'\n");
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    'CHECK: A backslash before a quote is read as the quote alone, because of: 1,"The \\"Big\\" Shop, new",10',
  );
  expect(rows.map((row) => row['name'])).toEqual(['The "Big" Shop, new', 'Plain, shop', 'C:\\']);
});

test('a value that ends with a backslash is no escape', async () => {
  const { text, rows } = await drafted({
    'a.csv': 'id,folder,visits\n1,"C:\\a\\",10\n2,"C:\\b, c\\",20\n',
  });
  expect(text).not.toContain('escape');
  expect(rows.map((row) => row['folder'])).toEqual(['C:\\a\\', 'C:\\b, c\\']);
});

test.each([
  [
    'years above measures',
    ',,2019,,2020,\ncode,name,jobs,firms,jobs,firms\n',
    (one: number) => `${one},${one * 2},${one + 5},${one * 3}`,
  ],
  [
    'measures above years',
    ',,jobs,,firms,\ncode,name,2019,2020,2019,2020\n',
    (one: number) => `${one},${one + 5},${one * 2},${one * 3}`,
  ],
])('a header of two rows with %s becomes rows of years', async (_, header, row) => {
  const rows = [10, 20, 30].map((one) => `a${one},Place ${one},${row(one)}`);
  const {
    text,
    rows: records,
    metrics,
  } = await drafted({ 'a.csv': `${header}${rows.join('\n')}\n` });
  expect(text).toContain('# CHECK: The header has several rows');
  expect(valuesOfFields(records, ['code', 'year_start', 'jobs', 'firms'])).toEqual([
    ['a10', '2019-01-01', '10', '20'],
    ['a10', '2020-01-01', '15', '30'],
    ['a20', '2019-01-01', '20', '40'],
    ['a20', '2020-01-01', '25', '60'],
    ['a30', '2019-01-01', '30', '60'],
    ['a30', '2020-01-01', '35', '90'],
  ]);
  expect(metrics).toHaveLength(1);
});

test('both coordinates twice are a CHECK, and the first ones are the point', async () => {
  const { text, rows } = await drafted({
    'a.csv': 'id,name,lat,lon,lat,lon\n1,One,47.1,-122.1,48.1,-121\n2,Two,47.2,-122.2,48.2,-121\n',
  });
  expect(checks(text)).toEqual([
    '2 columns seem to have the latitude. The point uses this one. => lat: { type: float, column: 3 }',
    '2 columns seem to have the longitude. The point uses this one. => lon: { type: float, column: 4 }',
  ]);
  expect(declaredLines(text)).toContain('point: { latitude: lat, longitude: lon }');
  expect(valuesOfFields(rows, ['lat', 'lon', 'lat_2', 'lon_2'])[0]).toEqual([
    '47.1',
    '-122.1',
    '48.1',
    '-121.0',
  ]);
});

test('repeated names of measures get a number', async () => {
  const { text } = await drafted({ 'a.csv': 'shop,visits,visits\nA,10,11\nB,20,22\n' });
  expect(text).toContain('visits: { type: integer, column: 2, additive: all }');
  expect(text).toContain('visits_2: { type: integer, column: 3, additive: all }');
});

test.each([
  [
    'a name over years',
    'Município;Ano;Ano;Ano\nMunicípio;2019;2020;2021\nAriquemes;11;12;13\nCabixi;21;22;23\n',
    6,
  ],
  [
    'months over measures',
    '지역,2023.01 월,2023.01 월,2023.02 월,2023.02 월\n지역,출생 (명),사망 (명),출생 (명),사망 (명)\n서울,11,12,13,14\n부산,21,22,23,24\n',
    4,
  ],
])(
  'the name of the first column can be in both rows of a header with %s',
  async (_, content, count) => {
    const { rows, metrics } = await drafted({ 'a.csv': content });
    expect(rows).toHaveLength(count);
    expect(metrics).toHaveLength(1);
  },
);

test('a header with three rows has names of all, if two do not tell its columns apart', async () => {
  const { text, rows } = await drafted({
    'sales.csv': `,,,RESIDENTIAL,,TOTAL,
,,,Revenue,Sales,Revenue,Sales
Year,Month,State,Dollars,MWh,Dollars,MWh
2024,1,AK,10,1,30,3
2024,1,AL,20,2,40,4
2024,2,AK,11,1,31,3
2024,2,AL,21,2,41,4
`,
  });
  expect(checks(text)[0]).toContain(
    'made of them: Year, Month, State, RESIDENTIAL Revenue Dollars',
  );
  expect(
    valuesOfFields(rows, [
      'state',
      'month_start',
      'residential_sales_m_wh',
      'total_revenue_dollars',
    ])[0],
  ).toEqual(['AK', '2024-01-01', '1', '30']);
});

test('names of months beside years are months, even if neither column has a name', async () => {
  const { text, records } = await drafted({
    'nights.csv': `Nights by state\n;;Bayern;Berlin;Bremen
2023;Januar;10;20;30
2023;Februar;11;21;31
2023;März;12;22;32
2024;Januar;13;23;33
`,
  });
  expect(text).toContain('key: [place, month_start]');
  const [rows = []] = records.values();
  expect(valuesOfFields(rows, ['place', 'month_start', 'value'])).toContainEqual([
    'Berlin',
    '2023-03-01',
    '22',
  ]);
});

test('a text alone where all rows have a date is a note below the table', async () => {
  const { text, rows } = await drafted({
    'walks.csv': `Date,Time,Quay Street,Queen Street
29/01/2024,6:00-6:59,1,2
30/01/2024,6:00-6:59,3,4
31/01/2024,6:00-6:59,5,6
Daylight Savings,,,
`,
  });
  expect(declaredLines(text)).toContain('footer: Daylight Savings');
  expect(rows.map(({ date }) => date)).toContain('2024-01-31');
});

test('a row that says what the first columns have is no record, and a title above a blank row is no name', async () => {
  const rows = [
    ['Dataset: ', 'Arrivals'],
    ['Unit of measure', '', 'Number'],
    [],
    ['TIME', 'TIME', '2020', '2021', '2022'],
    ['GEO (Codes)', 'GEO (Labels)'],
    ['BE', 'Belgium', '11', '12', '13'],
    ['BG', 'Bulgaria', '21', '22', '23'],
  ];
  const { text, records } = await drafted({
    'a.xlsx': workbook({ sheets: { 'Sheet 1': sheetOf(rows) } }),
  });
  expect(declaredLines(text)).toContain('skip_below_header: 1');
  expect(text).toContain('CHECK: Left out, because it is no record: GEO (Codes), GEO (Labels)');
  expect(declaredLines(text)).toContain('key: [time, year_start]');
  const [values = []] = records.values();
  expect(valuesOfFields(values, ['time', 'year_start', 'value'])[0]).toEqual([
    'BE',
    '2020-01-01',
    '11',
  ]);
  expect(values).toHaveLength(6);
});

test('a line of units below names that are divided by spaces', async () => {
  const lines = Array.from(
    { length: 15 },
    (_, month) =>
      `   ${1995 + Math.floor(month / 12)}  ${String((month % 12) + 1).padStart(2)}   ${(5.2 + month).toFixed(1).padStart(4)}    ${String(month).padStart(4)}   ${(60.4 + month).toFixed(1)}`,
  );
  const { text, rows } = await drafted({
    'oxford.txt': `Oxford\nLocation: 450900E 207200N\n   yyyy  mm   tmax      af    rain\n              degC    days      mm\n${lines.join('\n')}\n`,
  });
  expect(text).toContain('key: [month_start]');
  expect(text).toContain("description: 'Unit: degC'");
  expect(text).toContain("rain: { type: float, description: 'Unit: mm'");
  expect(rows).toHaveLength(15);
});
