import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';
import { sheetOf, workbook } from './workbook.ts';

const BY_YEAR = `read: { file_name: { year: 'crime-####.csv' } }
key: [ward, year]
fields:
  ward: { type: string }
  year: { type: integer }
  crimes: { type: integer }`;

test('a part of the names of files is a column', async () => {
  const rows = await valuesOf(`files: crime-*.csv\n${BY_YEAR}`, {
    'crime-2022.csv': 'ward,crimes\nE1,5\nE2,7\n',
    'crime-2023.csv': 'crimes,ward\n6,E1\n8,E2\n',
  });
  expect(rows).toEqual([
    ['E1', '2022', '5'],
    ['E1', '2023', '6'],
    ['E2', '2022', '7'],
    ['E2', '2023', '8'],
  ]);
});

test('a step can use it, also where the file has no header', async () => {
  const rows = await valuesOf(
    `files: ['2023-11_in.csv', '2023-12_in.csv']
read: { header: false, file_name: { month: '####-##_in.csv' } }
rows:
  - where: month = '2023-12'
key: [station]
fields:
  station: { type: string, column: 1 }
  day: { type: date, expression: "month || '-01'" }
  entries: { type: integer, column: 2 }`,
    { '2023-11_in.csv': 'S1,5\n', '2023-12_in.csv': 'S1,"6"\nS2,7\n' },
  );
  expect(rows).toEqual([
    ['S1', '2023-12-01', '6'],
    ['S2', '2023-12-01', '7'],
  ]);
});

test('a pattern with a slash has the names of folders', async () => {
  const rows = await valuesOf(
    `files: ['2022/crime.csv', '2023/crime.csv']
${BY_YEAR.replace('crime-####.csv', '####/crime.csv')}`,
    { '2022/crime.csv': 'ward,crimes\nE1,5\n', '2023/crime.csv': 'ward,crimes\nE1,6\n' },
  );
  expect(rows.map(([, year]) => year)).toEqual(['2022', '2023']);
});

test('objects get the column too', async () => {
  const rows = await valuesOf(
    `files: crime-*.ndjson
${BY_YEAR.replace('.csv', '.ndjson')}`,
    {
      'crime-2022.ndjson': '{"ward":"E1","crimes":5}\n',
      'crime-2023.ndjson': '{"crimes":6,"ward":"E1"}\n',
    },
  );
  expect(rows).toEqual([
    ['E1', '2022', '5'],
    ['E1', '2023', '6'],
  ]);
});

test('a file whose name does not match, and a column that the file has itself, are refused', async () => {
  const refusal = await refusalByManifest(`files: crime-*.csv\n${BY_YEAR}`, {
    'crime-2022.csv': 'ward,crimes\nE1,5\n',
    'crime-latest.csv': 'ward,crimes\nE1,6\n',
  });
  expect(refusal).toContain(
    "crime-latest.csv: the name 'crime-latest.csv' does not match 'crime-####.csv'",
  );
  expect(
    await refusalByManifest(`files: crime-2022.csv\n${BY_YEAR}`, {
      'crime-2022.csv': 'ward,Year,crimes\nE1,2021,5\n',
    }),
  ).toContain("the file has a column 'year' of its own");
});

const BOOK = workbook({
  sheets: {
    Notes: sheetOf([['Source: the town']]),
    '2022': sheetOf([
      ['area', 'sales'],
      ['E1', 5],
      ['E2', 7],
    ]),
    '2023': sheetOf([
      ['area', 'sales'],
      ['E1', 6],
      ['E2', 'x'],
    ]),
  },
});

const BY_SHEET = `files: book.xlsx
read: { sheet_name: { year: '####' } }
key: [area, year]
fields:
  area: { type: string }
  year: { type: integer }
  sales: { type: SALES }`;

test('all sheets whose names match are read, and the others are a notice', async () => {
  const manifest = BY_SHEET.replace('SALES', 'string');
  const files = { 'book.xlsx': BOOK };
  expect(await valuesOf(manifest, files)).toEqual([
    ['E1', '2022', '5'],
    ['E1', '2023', '6'],
    ['E2', '2022', '7'],
    ['E2', '2023', 'x'],
  ]);
  expect((await importByManifest(manifest, files)).notices).toContain(
    "book.xlsx: these sheets do not match '####' and are left out: 'Notes'.",
  );
});

test('a message names the sheet and its row, and a pattern without a sheet is refused', async () => {
  expect(
    await refusalByManifest(BY_SHEET.replace('SALES', 'integer'), { 'book.xlsx': BOOK }),
  ).toContain('book.xlsx/2023, row 3: sales');
  expect(
    await refusalByManifest(BY_SHEET.replace('####', '##').replace('SALES', 'string'), {
      'book.xlsx': BOOK,
    }),
  ).toContain(
    "book.xlsx: no sheet has a name that matches '##'. Correct read: { sheet_name }. The sheets: '2022', '2023', 'Notes'.",
  );
});

test.each([
  ['file_name: { year: crime.csv }', "'crime.csv' has no placeholder"],
  ["sheet: A, sheet_name: { year: '####' }", 'The sheets are those that sheet_name matches.'],
  [
    "file_name: { year: '####.xlsx' }, sheet_name: { year: '####' }",
    "sheet_name makes the column 'year' too.",
  ],
])('read: { %s } is refused', async (read, reason) => {
  const manifest = BY_SHEET.replace(/read: .*/, `read: { ${read} }`).replace('SALES', 'string');
  expect(await refusalByManifest(manifest, { 'book.xlsx': BOOK })).toContain(reason);
});
