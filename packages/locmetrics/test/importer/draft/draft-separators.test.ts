import { findNulls } from '@locmetrics/ingest/draft/values/find-nulls';
import { findDecimalMark } from '@locmetrics/ingest/draft/values/formatted-numbers';
import { proposals } from '@locmetrics/ingest/draft/values/propose-types';
import { expect, test } from 'vitest';
import { text as cell, number, workbook } from '../formats/workbook.ts';
import { drafted } from './draft-under-test.ts';
import { draftedFiles } from './drafted-files.ts';

test('thousands that only some values have a separator for are whole numbers, and a doubt', async () => {
  const { text, rows } = await draftedFiles({
    'a.csv': 'a;jobs\nx;597\ny;1.076\nz;3.387\nt;53782\n',
  });
  expect(rows.map(({ jobs }) => jobs)).toEqual(['53782', '597', '1076', '3387']);
  expect(text).toContain(
    "# CHECK: Each separator has three digits after it, so it is read as a thousands separator: 1.076 is 1076. But 53782 has no separator. If it is the decimal separator: type: float, without format.\n      jobs: { type: integer, format: '1.234', additive: all }",
  );
});

test.each([
  ['1.076', '597', '53782'],
  ['1,076', '597', '53782'],
  ['$1,076', '$597', '$53782'],
  ['1.076', '2.100', '12'],
])('%s beside %s and %s is a doubt', (...texts) => {
  const [best] = proposals('jobs', texts);
  expect(best?.document.type).toBe('integer');
  expect(best?.doubts?.[0]).toContain('so it is read as a thousands separator');
});

test.each([
  [['1.076', '2.5'], 'float', undefined],
  [['1.234.567', '53782'], 'integer', '1.234'],
  [['1,234,567', '53782'], 'integer', '1,234'],
  [['0.076', '2.500'], 'float', undefined],
  [['0,076', '2,500'], 'float', '1234,5'],
  [['1.234,5', '53782'], 'float', '1.234,5'],
  [['1’234', '53782'], 'integer', '1’234'],
] as const)('%j is certain', (texts, type, format) => {
  const [best] = proposals('jobs', texts);
  expect(best?.document.type).toBe(type);
  expect(best?.document.format).toBe(format);
  expect(best?.doubts ?? []).toEqual([]);
});

test('where all values have three digits after a point, the name and other columns decide', () => {
  const texts = ['1.076', '2.387', '12.345'];
  const typeOf = (name: string, decimalMark?: '.' | ',') =>
    proposals(name, texts, { decimalMark })[0];
  expect(typeOf('visits')?.document.type).toBe('integer');
  expect(typeOf('area')?.document.type).toBe('float');
  expect(typeOf('area')?.doubts?.[0]).toContain('but it is read as the decimal separator');
  expect(typeOf('area', ',')?.document.type).toBe('integer');
  expect(typeOf('visits', '.')?.document.type).toBe('float');
  const semicolons = { hasSemicolons: true };
  expect(proposals('area', texts, semicolons)[0]?.document.type).toBe('integer');
  expect(proposals('area', ['1,076', '2,387'], semicolons)[0]?.document.type).toBe('float');
  expect(proposals('area', ['1,076', '2,387'])[0]?.document.type).toBe('integer');
  expect(typeOf('latitude')).toEqual({ document: { type: 'float' } });
  expect(proposals('share', ['1.076%', '2.387%'])[0]?.document.type).toBe('float');
});

test('other columns show the decimal separator', () => {
  const columns = (...texts: readonly string[][]) => texts.map((one) => ({ texts: one }));
  expect(findDecimalMark(columns(['1.076', '2.5'], ['x']))).toBe('.');
  expect(findDecimalMark(columns(['1.076', '597'], ['2,5']))).toBe(',');
  expect(findDecimalMark(columns(['1.234,567']))).toBe(',');
  expect(findDecimalMark(columns(['1.076'], ['1,076']))).toBeUndefined();
  expect(findDecimalMark(columns(['1.5'], ['1,5']))).toBeUndefined();
});

test('numbers of a workbook and of JSON have no separators that could mean something else', async () => {
  const sheet = (write: (value: string) => string) =>
    workbook({
      sheets: {
        Data: {
          1: { A: cell('place'), B: cell('distance') },
          2: { A: cell('x'), B: write('597') },
          3: { A: cell('y'), B: write('1.076') },
          4: { A: cell('z'), B: write('53782') },
        },
      },
    });
  const numbers = await draftedFiles({ 'a.xlsx': sheet(number) });
  expect(numbers.text).not.toContain('Each separator');
  expect(numbers.rows.map(({ distance }) => distance)).toEqual(['597.0', '1.076', '53782.0']);
  const texts = await draftedFiles({ 'a.xlsx': sheet(cell) });
  expect(texts.text).toContain('CHECK: Each separator has three digits after it');
  const lines = await draftedFiles({
    'a.ndjson': [
      { place: 'x', time: '2024-01-01 05:00', distance: 597 },
      { place: 'y', time: '2024-01-01 06:00', distance: 1.076 },
    ]
      .map((one) => JSON.stringify(one))
      .join('\n'),
  });
  expect(lines.text).not.toContain('Each separator');
  expect(lines.rows.map(({ distance }) => distance)).toEqual(['597.0', '1.076']);
});

test.each([
  ["n\nA;k.A.\nB;2'671\nC;1'003\nD;12\n", 'k.A.', { type: 'integer', format: '1’234' }],
  ['n\nA;12%\nB;n/a\nC;3%\n', 'n/a', { type: 'integer', format: '1234%' }],
  ['n\nA;1.5\nB;closed\nC;2.25\n', 'closed', { type: 'float', format: '' }],
  ['n\nA;1.234,5\nB;/\nC;2,5\n', '/', { type: 'float', format: '1.234,5' }],
])(
  'a mark for an absent value beside numbers with marks is found: %j',
  async (lines, mark, expected) => {
    const { text, rows } = await draftedFiles({ 'a.csv': `a;${lines}` });
    expect(text).toContain(`      n: { type: ${expected.type}`);
    expect(text).toContain(expected.format);
    expect(text).toContain('# CHECK: In all columns, these texts mean that a value is absent.');
    expect(text).toContain(mark);
    expect(rows.filter(({ n }) => n === null)).toHaveLength(1);
  },
);

test('a mark that is a value of another column is absent in its own column only', async () => {
  const { text, rows } = await draftedFiles({
    'a.csv': 'country,n\nNA,5\nDE,NA\nCH,7\n',
  });
  expect(text).toContain(
    "# CHECK: Read as absent: 'NA' in n. In other columns the same texts are values, so they are kept there.",
  );
  expect(rows).toMatchObject([
    { country: 'CH', n: '7' },
    { country: 'DE', n: null },
    { country: 'NA', n: '5' },
  ]);
  expect(
    findNulls([
      { name: 'country', texts: ['NA', 'DE'] },
      { name: 'n', texts: ['1', 'NA', '..'] },
    ]),
  ).toEqual({ everywhere: ['..'], inColumn: new Map([[1, ['NA']]]) });
});

test.each([
  ['1.234,5', '1,234.5', '3'],
  ['$5', '€6', '$7'],
  ["2'671", "3'000", '12 to 15'],
  ['12.5', '13.5', '7 (prov.)'],
  ['5 km', '6 mi', '7 km'],
])('a column of %s, %s and %s is text, with the reason', async (...texts) => {
  const lines = texts.map((text, index) => `${index};"${text}"\n`);
  const { text } = await draftedFiles({ 'a.csv': `id;n\n${lines.join('')}` });
  expect(text).toMatch(
    /# CHECK: (Numbers, except|Numbers that are written in several ways)[^\n]*\n {6}n: /,
  );
});

test('numbers in parentheses are negative, and a doubt', async () => {
  const { text, rows } = await draftedFiles({
    'a.csv': 'shop,sales\nA,"$1,234.50"\nB,($12.00)\nC,-\n',
  });
  expect(text).toContain(
    '# CHECK: Numbers in parentheses are read as negative: ($12.00) is -$12.00.',
  );
  expect(rows.map(({ sales }) => sales)).toEqual(['1234.5', '-12.0', null]);
});

test.each([
  [['12', '15', '-9999'], ['-9999']],
  [['-3.5', '15.2', '-9999'], ['-9999']],
  [['-40', '15', '3', '7', '-999'], ['-999']],
  [['-400', '15', '3', '7', '-999'], []],
  [['-99', '15'], []],
  [['5', '########'], ['########']],
])('of %j the texts %j are no values', (texts, expected) => {
  expect(findNulls([{ name: 'n', texts }]).everywhere).toEqual(expected);
});

test('letters are values of classes, and no marks', () => {
  const route = { name: 'line', texts: ['1', '2', '3', 'S'] };
  expect(findNulls([route])).toEqual({ everywhere: [], inColumn: new Map() });
  const rate = { name: 'rate', texts: ['1.5', '2.5', '3.5', 'S'] };
  expect(findNulls([rate]).everywhere).toEqual(['S']);
});

test('columns with two or more spaces between them keep single spaces, and commas within numbers', async () => {
  const lines = ['San Juan, WA', 'King, WA', 'Lewis, WA', 'Clark, WA'].map(
    (name, index) =>
      ` ${`CN5${index}000`.padEnd(14)}${name.padEnd(34)}2022   ${`${7 + index},791`.padStart(9)}   ${`${index + 1},721`.padStart(9)}`,
  );
  const { text, rows } = await drafted({
    'a.txt': `Labor force by county, 2022\n\n Code          County Name                     Year       Force    Employed\n\n${lines.join('\n')}\n\nSOURCE: the office, 2023\n`,
  });
  expect(text).toContain('delimiter: wide_spaces\n');
  expect(text).not.toContain('rejected_rows');
  expect(
    rows.map(({ code, year_start, force, employed }) => [code, year_start, force, employed]),
  ).toEqual([
    ['CN50000', '2022-01-01', '7791', '1721'],
    ['CN51000', '2022-01-01', '8791', '2721'],
    ['CN52000', '2022-01-01', '9791', '3721'],
    ['CN53000', '2022-01-01', '10791', '4721'],
  ]);
});

test('commas between numbers and words still divide values', async () => {
  const { text, rows } = await drafted({
    'a.csv': 'name,  n,m\nHill  Park,  100,200\nBay  Park,  300,400\nOld  Town,  500,600\n',
  });
  expect(text).not.toContain('wide_spaces');
  expect(rows).toHaveLength(3);
});

test.each([
  ['K for thousands', ['52.1K', '9.7K', '118.3K', '950']],
  ['a sign of an error', ['±123', '±45', '±6', '±789']],
])('numbers with %s are texts, with a CHECK', async (_, texts) => {
  const rows = texts.map(
    (text, index) => `S${index % 2},2024-0${1 + Math.floor(index / 2)},"${text}"`,
  );
  const { text } = await drafted({ 'a.csv': `store_id,month,visits\n${rows.join('\n')}\n` });
  expect(text.replaceAll(/\n *# {3}/g, ' ')).toContain(
    'CHECK: Numbers with a sign or an abbreviation, such as ',
  );
});
