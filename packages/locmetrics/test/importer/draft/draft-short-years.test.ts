import { expect, test } from 'vitest';
import { checks, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const twoRows = (header: string, first: string, second: string) =>
  `station,${header},visits\nA1,${first},5\nB2,${first},6\nA1,${second},7\nB2,${second},8\n`;

test.each([
  ['day', '31/12/98', '01/01/01', ['1998-12-31', '2001-01-01']],
  ['day', '31-12-68', '01-01-69', ['1969-01-01', '2068-12-31']],
  ['day', '31 Dec 98', '01 Jan 99', ['1998-12-31', '1999-01-01']],
  ['day', '31.12.98', '01.01.99', ['1998-12-31', '1999-01-01']],
  ['month', 'Jan-98', 'Feb-21', ['1998-01-01', '2021-02-01']],
  ['year', '98', '00', ['1998-01-01', '2000-01-01']],
])('%s: the century of %s and %s is assumed, with a CHECK', async (header, first, second, days) => {
  const { text, records } = await drafted({ 'v.csv': twoRows(header, first, second) });
  const [rows = []] = records.values();
  const [start = ''] = Object.keys(rows[0] ?? {}).filter((name) => name.startsWith(header));
  expect([...new Set(valuesOfFields(rows, [start]).flat())].toSorted()).toEqual(days);
  const doubts = checks(text).filter((check) => check.includes('Years have two digits'));
  expect(doubts).toHaveLength(1);
  expect(doubts[0]).toMatch(/is of (19|20)\d\d/);
});

test('the year in one column and the month in another', async () => {
  const { text, records } = await drafted({ 'v.csv': twoRows('year,month', '99,12', '00,1') });
  const [rows = []] = records.values();
  expect([...new Set(valuesOfFields(rows, ['month_start']).flat())]).toEqual([
    '1999-12-01',
    '2000-01-01',
  ]);
  expect(checks(text)).toEqual([
    "Years have two digits, so the century is assumed: '00' is of 2000, and '99' is of 1999. From 69 on they are 1969 and later, below it 2000 and later. Other centuries need years with four digits in the file. => month_start: { type: date, column: [year, month], format: YY M, as: month }",
  ]);
});

test('years with four digits are no doubt, and two digits under another name are numbers', async () => {
  const { text } = await drafted({ 'v.csv': twoRows('year,tents', '1999,98', '2000,12') });
  expect(checks(text)).toEqual([]);
  expect(text).toContain('tents: { type: integer');
});
