import { expect, test } from 'vitest';
import { sheetOf, workbook } from '../formats/workbook.ts';
import { checks, declaredLines, draftText, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const table = (count: number, more = '') =>
  `code,ward,burglary${more && ',extra'}\nE1,Alder,${count}${more}\nE2,Birch,${count + 1}${more}\n`;

test.each([
  ['crime-2022.csv', 'crime-2023.csv', 'crime-####.csv', 'year', '2022-01-01', '2023-01-01'],
  ['2022-12_in.csv', '2023-01_in.csv', '####-##_in.csv', 'month', '2022-12-01', '2023-01-01'],
  ['in_jan_2023.csv', 'in_may_2023.csv', 'in_*_####.csv', 'month', '2023-01-01', '2023-05-01'],
  ['c-2023-Q1.csv', 'c-2023-Q2.csv', 'c-####-*#.csv', 'quarter', '2023-01-01', '2023-04-01'],
  ['c_20230131.csv', 'c_20230228.csv', 'c_########.csv', 'date', '2023-01-31', '2023-02-28'],
])(
  'files such as %s are one dataset, with the period of their names',
  async (one, other, pattern, unit, first, second) => {
    const { text, rows, metrics } = await drafted({ [one]: table(3), [other]: table(5) });
    expect(declaredLines(text)).toContain(`file_name: { ${unit}: '${pattern}' }`);
    const start = unit === 'date' ? 'date' : `${unit}_start`;
    expect(valuesOfFields(rows, ['code', start, 'burglary'])).toEqual([
      ['E1', first, '3'],
      ['E1', second, '5'],
      ['E2', first, '4'],
      ['E2', second, '6'],
    ]);
    expect(metrics).toHaveLength(1);
    expect(
      checks(text).filter((check) => check.startsWith('The rows have no period, so')),
    ).toHaveLength(1);
  },
);

test('columns for months in files of several years have the year of the name', async () => {
  const months = (count: number) => `code,Jan,Feb,Mar\nE1,${count},2,3\nE2,4,5,6\n`;
  const { rows } = await drafted({ 'rides-2022.csv': months(10), 'rides-2023.csv': months(20) });
  expect(rows).toHaveLength(12);
  expect(valuesOfFields(rows, ['code', 'month_start', 'value'])).toContainEqual([
    'E1',
    '2023-01-01',
    '20',
  ]);
});

test.each([
  ['rows with a period', 'a-2022.csv', 'a-2023.csv'],
  ['names with other numbers', 'a-2022-v1.csv', 'a-2023-v2.csv'],
  ['names without a period', 'a1.csv', 'a2.csv'],
])('%s have no column of their names', async (_, one, other) => {
  const dated = (year: number) => `code,month,n\nE1,${year}-01,1\nE2,${year}-01,2\n`;
  expect(await draftText({ [one]: dated(2022), [other]: dated(2023) })).not.toContain('file_name');
});

test('files of several months with the same rows have them once, with a CHECK', async () => {
  const places = 'code,name,docks\nE1,Alder,5\nE2,Birch,6\n';
  const { text, rows } = await drafted({ 'a-2023-01.csv': places, 'a-2023-02.csv': places });
  expect(text).not.toContain('file_name');
  expect(rows).toHaveLength(2);
  expect(checks(text)[0]).toContain('Rows that are equal to another row: 2.');
});

test('exports that repeat days have no column of their names, whether they agree or not', async () => {
  for (const later of ['5', '6']) {
    const text = await draftText({
      'export-2024-01.csv': 'code,day,n\nE1,2024-01-30,5\nE2,2024-01-30,7\n',
      'export-2024-02.csv': `code,day,n\nE1,2024-01-30,${later}\nE2,2024-02-01,8\n`,
    });
    expect(text).not.toContain('file_name');
  }
});

test('files of two years with other columns have each the period of its name, with a CHECK', async () => {
  const { text, records } = await drafted({
    'crime-2022.csv': table(3),
    'crime-2023.csv': table(5, ',1'),
  });
  const starts = [...records].flatMap(([name, rows]) =>
    name.endsWith('_places') ? [] : rows.map(({ year_start }) => year_start),
  );
  expect(starts).toEqual(['2022-01-01', '2022-01-01', '2023-01-01', '2023-01-01']);
  expect(checks(text).filter((check) => check.startsWith('The rows have no year'))).toHaveLength(2);
});

test('files of other names with the same columns are a CHECK', async () => {
  const text = await draftText({ 'north.csv': table(3), 'south.csv': table(5) });
  expect(checks(text)).toContain(
    "south.csv has the same columns. If they are parts of one table, list them under files: of one dataset, with read: { file_name: { part: '*.csv' } }, in which * stands for what differs in their names. => files: north.csv",
  );
});

const sheet = (count: number) =>
  sheetOf([
    ['Code', 'Ward', 'Sales'],
    ['E1', 'Alder', count],
    ['E2', 'Birch', count + 1],
  ]);

test.each([
  ['2022', '2023', '####'],
  ['FY 2021-22', 'FY 2022-23', 'FY ####-##'],
])(
  'the sheets %s and %s are one dataset, with the year of their names',
  async (one, other, pattern) => {
    const { text, rows, metrics } = await drafted({
      'b.xlsx': workbook({
        sheets: { [one]: sheet(3), [other]: sheet(5), Notes: sheetOf([['x']]) },
      }),
    });
    expect(declaredLines(text)).toContain(`sheet_name: { year: '${pattern}' }`);
    expect(declaredLines(text)).not.toContain('sheet:');
    expect(rows.map((row) => row['sales'])).toEqual(['3', '5', '4', '6']);
    expect(new Set(rows.map((row) => row['year_start'])).size).toBe(2);
    expect(metrics).toHaveLength(1);
    expect(checks(text)).toContain(
      `The workbook also has 'Notes'. => sheet_name: { year: '${pattern}' }`,
    );
  },
);

test('sheets of months and of areas with the same columns are a CHECK, and have no year of the file', async () => {
  for (const names of [
    ['Jan', 'Feb'],
    ['North', 'South'],
  ] as const) {
    const sheets = Object.fromEntries(names.map((name, index) => [name, sheet(index)]));
    const text = await draftText({ 'b 2023.xlsx': workbook({ sheets }) });
    expect(text).not.toContain('2023-');
    expect(text).not.toContain("'2023'");
    expect(checks(text)[0]).toMatch(/^The sheet '\w+' has the same columns\./);
  }
});

test('files with the same columns and other words in their names have the years of their names', async () => {
  const { text, records, metrics } = await drafted({
    'crime_2022_final.csv': table(3),
    'city-crime-2023-rev.csv': table(5),
  });
  expect(metrics).toHaveLength(2);
  expect(declaredLines(text).match(/key: \[code, year_start\]/g)).toHaveLength(2);
  const starts = [...records.values()].flatMap((rows) => rows.map((row) => row['year_start']));
  expect(new Set(starts)).toEqual(new Set(['2022-01-01', '2023-01-01', undefined]));
  const found = checks(text);
  expect(found.filter((check) => check.includes('has the same columns'))).toHaveLength(2);
  expect(found.filter((check) => check.startsWith('The rows have no year, so'))).toHaveLength(2);
});
