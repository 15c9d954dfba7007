// @module-tag slow

import { expect, test } from 'vitest';
import { sheetOf, workbook } from '../formats/workbook.ts';
import { checks, declaredLines, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const ROWS = `Zürich;2022;100;110
Zürich;2023;101;111
Bern;2022;90;95
Bern;2023;91;96
`;
const VALUES = [
  ['Bern', '2022-01-01', '90', '95'],
  ['Bern', '2023-01-01', '91', '96'],
  ['Zürich', '2022-01-01', '100', '110'],
  ['Zürich', '2023-01-01', '101', '111'],
];
const FIELDS = ['kanton', 'year_start', 'manner', 'frauen'];
const HEADER = 'Kanton;Jahr;Männer;Frauen\n';

test.each([
  [
    'a line of repeated characters',
    'Bevölkerung nach Kanton;;;\nStand 31. Dezember;;;\n;;;\n',
    '______________;;;\n© Statistisches Amt;;;\n1) ohne Grenzgänger;;;\n',
    '__________',
  ],
  ['dashes', 'Bevölkerung;;;\n', '----;;;\nBundesamt;;;\n', "'----'"],
  ['notes without padding', 'Bevölkerung\nKantone\n\n', '\nQuelle: BFS; Bern\n', "'Quelle:'"],
  [
    'a padded date',
    'Bevölkerung;;;\nStand;31.12.2023;;\n',
    ';;;\nLetzte Änderung: 3.4.2024;;;\nDaten ohne Gewähr;;;\n',
    "'Letzte Änderung:'",
  ],
  ['footnotes', ';;;\nBevölkerung;;;\n;;;\n', '1) ohne Grenzgänger;;;\n2) seit 2020;;;\n', "'1)'"],
  ['a note of several cells', '"Bevölkerung; Kanton";;;\n', '"Quelle: BFS";Bern;;\n', `'"Quelle:'`],
  ['a year first', 'Bevölkerung;;;\n', ';;;\n2024 geändert;;;\n', '2'],
  ['a source in another language', 'Turizam;;;\n;;;\n', 'Izvor: DZS;;;\n', "'Izvor:'"],
  ['a source in another script', 'Цены;;;\n;;;\n', 'Источник: Росстат;;;\n', "'Источник:'"],
  ['no footer', 'Bevölkerung;;;\n\n', '', undefined],
])('titles and footers are found by what they are: %s', async (_, title, footer, written) => {
  const { text, rows } = await drafted({ 'a.csv': `${title}${HEADER}${ROWS}${footer}` });
  const found = checks(text).filter((one) => one.startsWith('Left out below the rows'));
  expect(found.map((one) => one.split(' => ')[1])).toEqual(
    written === undefined ? [] : [`footer: ${written}`],
  );
  expect(valuesOfFields(rows, FIELDS)).toEqual(VALUES);
});

test('a footer that begins as a row does is counted', async () => {
  const notes = `${HEADER}1) Zug;2023;1;2\n${ROWS}\n1) ohne Grenzgänger\n`;
  const { text, rows } = await drafted({ 'a.csv': notes });
  expect(text).toContain('footer: 2');
  expect(rows).toHaveLength(5);
});

test('the last rows of a table are no footer', async () => {
  const { text, rows } = await drafted({
    'a.csv': `${HEADER}${ROWS}Zug;2022;;\nZug;2023;;\n`,
  });
  expect(text).not.toContain('footer');
  expect(rows).toHaveLength(6);
});

test('a title in a workbook can have several cells', async () => {
  const rows = [
    ['Population'],
    ['As of', '31 December'],
    [],
    ['Canton', 'Language', 'Men', 'Women'],
    ['Zürich', 'German', '100', '110'],
    ['Genève', 'French', '90', '95'],
    [],
    ['Source: Office', 'Bern'],
  ];
  const { text, rows: records } = await drafted({
    'a.xlsx': workbook({ sheets: { Data: sheetOf(rows) } }),
  });
  expect(text).toContain(
    "skip_lines: 3\n      # CHECK: Left out below the rows: Source: Office\n      footer: 'Source:'",
  );
  expect(valuesOfFields(records, ['canton', 'men', 'women'])).toEqual([
    ['Genève', '90', '95'],
    ['Zürich', '100', '110'],
  ]);
});

test('a blank line of quotes above the notes belongs to them', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      '"Table 3: Visitors, by region"\n""\n"Region","Month","Visitors"\n"North","2024-01","1,200"\n"North","2024-02","1,300"\n"South","2024-01","2,200"\n""\n"Note: provisional, may change."\n"(c) Office, 2024"\n',
  });
  expect(text).toContain('skip_lines: 2');
  expect(text).toContain('footer: 3');
  expect(valuesOfFields(rows, ['region', 'visitors'])).toEqual([
    ['North', '1200'],
    ['North', '1300'],
    ['South', '2200'],
  ]);
});

test('rows about each series above the first date are left out, with a CHECK', async () => {
  const months = ['04', '05', '06', '07', '08', '09', '10', '11'];
  const rows = months.map((month, index) => `2022-${month}-01,${index}.5,${index + 10}.25`);
  const { text, rows: records } = await drafted({
    'series.csv': `,Turnover ; Victoria ;,Turnover ; Queensland ;
Unit,$ Millions,$ Millions
Frequency,Month,Month
Collection Month,1,1
Series Start,2022-04-01,2022-04-01
No. Obs.,8,8
Series ID,A1K,A2K
${rows.join('\n')}
`,
  });
  expect(declaredLines(text)).toContain('skip_below_header: 6');
  expect(checks(text)[0]).toContain('Left out, because it is no record: Unit, $ Millions');
  expect(records).toHaveLength(8);
  expect(declaredLines(text)).toContain('as: month');
  expect(text).toContain('turnover_victoria: {');
});

test('years and quarters in one column are periods of several lengths, with a CHECK', async () => {
  const rows = [2021, 2022].flatMap((year) => [
    `${year},40`,
    ...[1, 2, 3, 4].map((quarter) => `${year} Q${quarter},10`),
  ]);
  const { text } = await drafted({
    'a.csv': `Title,Visits\nCDID,GMAA\nUnit,Thousands\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('skip_below_header: 2');
  expect(checks(text).join('\n')).toContain("Periods of several lengths: '2021', '2021 Q1'.");
});

test('the name of a file says that its counts are means of a day', async () => {
  const rows = [2022, 2023].flatMap((year) =>
    [501, 502].map((point) => `${point},${year},${point + year}`),
  );
  const { text } = await drafted({
    'dft_counts_aadf.csv': `count_point_id,year,cars\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('cars: { type: integer, additive: none }');
  expect(text).toContain('# CHECK: The name of the file is that of means');
});
