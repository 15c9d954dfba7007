import { expect, test } from 'vitest';
import { sheetOf, workbook } from '../formats/workbook.ts';
import { checks } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const LEFT = ['Bern,100,5', 'Zug,50,2', 'Uri,10,1'];

test.each([
  [
    'the same names',
    'name,n,,name,n\nA,1,,D,4\nB,2,,E,5\nC,3,,F,6\n',
    { a: ['A 1', 'B 2', 'C 3'], a_2: ['D 4', 'E 5', 'F 6'] },
  ],
  [
    'the same names without a column between them',
    'name,n,name,n\nA,1,D,4\nB,2,E,5\nC,3,,\n',
    { a: ['A 1', 'B 2', 'C 3'], a_2: ['D 4', 'E 5'] },
  ],
  [
    'titles and other names',
    `Cantons,,,,Cities,\nname,n,area,,city,founded\n${LEFT[0]},,Thun,1200\n${LEFT[1]},,Biel,1300\n${LEFT[2]},,,\n`,
    { a: ['Bern 100', 'Uri 10', 'Zug 50'], a_2: ['Biel 1300', 'Thun 1200'] },
  ],
])('tables side by side are a dataset each: %s', async (_, content, expected) => {
  const { text, records } = await drafted({ 'a.csv': content });
  const found = [...records].map(([name, rows]) => [
    name.split('.')[1],
    rows.map((row) => `${row['name'] ?? row['city']} ${row['n'] ?? row['founded']}`),
  ]);
  expect(Object.fromEntries(found)).toEqual(expected);
  expect(checks(text).filter((one) => one.includes('side by side'))).toEqual([
    expect.stringMatching(
      /^The file has 2 tables side by side, .* from column 1 on\. => files: a\.csv$/,
    ),
    expect.stringMatching(/from column [345] on\. => files: a\.csv$/),
  ]);
});

test('tables side by side in a sheet', async () => {
  const rows = [
    ['name', 'n', '', 'month', 'n'],
    ['A', '1', '', '2024-01', '4'],
    ['B', '2', '', '2024-02', '5'],
  ];
  const { records } = await drafted({
    'a.xlsx': workbook({ sheets: { Data: sheetOf(rows) } }),
  });
  expect([...records.values()].map((one) => one.map(({ n }) => n))).toEqual([
    ['1', '2'],
    ['4', '5'],
  ]);
});

test.each([
  ['a blank column in a table', 'name,men,,women,all\nA,1,,2,3\nB,4,,5,9\n'],
  ['remarks after a blank column', 'id,name,,remark,by\n1,A,,,\n2,B,,late,X\n3,C,,,\n'],
  ['a repeated measure', 'id,visits,visits\n1,2,3\n2,4,5\n'],
])('one table stays one: %s', async (_, content) => {
  const { records } = await drafted({ 'a.csv': content });
  expect(records.size).toBe(1);
});

test('numbers after a blank column are those of the rows before it', async () => {
  const { text } = await drafted({
    'a.csv':
      'Code,County,Year,,Force,Employed,Rate\nCN01001,Autauga,2022,,26500,25800,2.6\nCN01003,Baldwin,2022,,101200,98700,2.5\nCN01005,Barbour,2022,,8400,8000,4.4\n,,,,,,\nSOURCE: BLS,,,,,,\n"April 21, 2023",,,,,,\n',
  });
  expect(text).not.toContain('side by side');
  expect(text).toMatch(/key: \[code, year_start\]/);
});
