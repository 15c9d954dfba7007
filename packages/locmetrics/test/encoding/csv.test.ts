import { type CsvValue, csvCell, csvLine } from '@locmetrics/contract/csv';
import { encodeCsv } from '@locmetrics/core/encoding/csv';
import { expect, test } from 'vitest';

test.each<readonly [CsvValue, string]>([
  ['plain', 'plain'],
  [' with spaces ', ' with spaces '],
  ['a,b', '"a,b"'],
  ['a "b"', '"a ""b"""'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['Zürich', 'Zürich'],
  [null, ''],
  [-5, '-5'],
  [-9_223_372_036_854_775_808n, '-9223372036854775808'],
  [1e-7, '1e-7'],
  [true, 'true'],
])('the cell of %s is %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test.each([
  ['=1+2', "'=1+2"],
  ['+1', "'+1"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['=HYPERLINK("a","b")', '"\'=HYPERLINK(""a"",""b"")"'],
  ['\uFF1D1', "'\uFF1D1"],
  ['\uFF0B1', "'\uFF0B1"],
  ['\uFF0D1', "'\uFF0D1"],
  ['\uFF201', "'\uFF201"],
])('the text %j, which a spreadsheet would run, is the cell %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test.each(['a=1', "'=1", '1-2', '.5', ',', '(1)'])(
  'the text %j, which no spreadsheet would run, gets no apostrophe',
  (text) => {
    expect(csvCell(text).replaceAll('"', '')).toBe(text);
  },
);

test('a line of one empty cell is not an empty line, which readers skip', () => {
  expect(csvLine([null])).toBe('""\r\n');
  expect(csvLine([null, null])).toBe(',\r\n');
});

test('a table has a header and ends with a line end', () => {
  expect(encodeCsv(['a', 'b'], [['=x', 1]])).toBe("a,b\r\n'=x,1\r\n");
  expect(encodeCsv(['a'], [])).toBe('a\r\n');
});
