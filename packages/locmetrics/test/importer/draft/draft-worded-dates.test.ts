import { expect, test } from 'vitest';
import { checks, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const counts = (first: string, second: string) =>
  `station;date;visits\nA1;"${first}";5\nB2;"${first}";7\nA1;"${second}";6\nB2;"${second}";8\n`;

test.each([
  ['March 1st, 2024', 'March 22nd, 2024', '2024-03-01', '2024-03-22'],
  ['Mar 1st 2024', 'Mar 3rd 2024', '2024-03-01', '2024-03-03'],
  ['1st March 2024', '30th of March 2024', '2024-03-01', '2024-03-30'],
  ['1er janvier 2024', '2 janvier 2024', '2024-01-01', '2024-01-02'],
  ['1º de enero de 2024', '2 de enero de 2024', '2024-01-01', '2024-01-02'],
  ['Mon 15/01/2024', 'Tue 16/01/2024', '2024-01-15', '2024-01-16'],
  ['Monday, January 15, 2024', 'Tuesday, January 16, 2024', '2024-01-15', '2024-01-16'],
  ['Monday, January 1st, 2024', 'Tuesday, January 2nd, 2024', '2024-01-01', '2024-01-02'],
  ['Mo, 15.01.2024', 'Di, 16.01.2024', '2024-01-15', '2024-01-16'],
  ['Montag, 15. Januar 2024', 'Dienstag, 16. Januar 2024', '2024-01-15', '2024-01-16'],
  ['lundi 15 janvier 2024', 'mardi 16 janvier 2024', '2024-01-15', '2024-01-16'],
  ['lun. 15/01/2024', 'mar. 16/01/2024', '2024-01-15', '2024-01-16'],
  ['15/01/2024 (Mon)', '16/01/2024 (Tue)', '2024-01-15', '2024-01-16'],
  ['2024-01-15 Monday', '2024-01-16 Tuesday', '2024-01-15', '2024-01-16'],
])('days in words: %s and %s', async (first, second, from, to) => {
  const { text, rows, metrics } = await drafted({ 'v.csv': counts(first, second) });
  expect(checks(text)).toEqual([]);
  expect(valuesOfFields(rows, ['date', 'visits'])).toEqual([
    [from, '5'],
    [to, '6'],
    [from, '7'],
    [to, '8'],
  ]);
  expect(metrics).toHaveLength(1);
});

test.each([
  ['the day is first', 'Thu 01/02/2024', 'Fri 02/02/2024', ['2024-02-01', '2024-02-02']],
  ['the month is first', 'Tue 01/02/2024', 'Fri 02/02/2024', ['2024-01-02', '2024-02-02']],
])('weekdays show that %s', async (_, first, second, days) => {
  const { text, rows } = await drafted({ 'v.csv': counts(first, second) });
  expect(checks(text)).toEqual([]);
  expect([...new Set(valuesOfFields(rows, ['date']).flat())]).toEqual(days);
});

test.each([
  ['a wrong weekday', 'Mon 15/01/2024', 'Mon 16/01/2024', 'They seem to be dates'],
  ['no year', 'March 1st', 'March 2nd', 'They seem to be days without a year'],
  ['weekdays of some', 'Mon 15/01/2024', '16/01/2024', 'Dates, except'],
])('days with %s are text, with the reason', async (_, first, second, reason) => {
  const { text, rows } = await drafted({ 'v.csv': counts(first, second) });
  expect(checks(text).some((check) => check.startsWith(reason))).toBe(true);
  expect(new Set(valuesOfFields(rows, ['date']).flat())).toEqual(new Set([first, second]));
});

test('columns of days with weekdays become rows', async () => {
  const { rows, metrics } = await drafted({
    'v.csv': 'station,Mon 15/01/2024,Tue 16/01/2024,Wed 17/01/2024\nA1,5,6,7\nB2,8,9,10\n',
  });
  expect(valuesOfFields(rows, ['station', 'date', 'value']).slice(0, 3)).toEqual([
    ['A1', '2024-01-15', '5'],
    ['A1', '2024-01-16', '6'],
    ['A1', '2024-01-17', '7'],
  ]);
  expect(metrics).toHaveLength(1);
});

test('the day of a change is the period if nothing else tells the rows of a place apart, with a CHECK', async () => {
  const days = ['Mon, 15 Jan 2024', 'Tue, 16 Jan 2024', 'Wed, 17 Jan 2024'];
  const lines = days.flatMap((day, index) =>
    ['Hill', 'Bay'].map((station) => `${station},"${day} 00:00:00 GMT",${10 + index}`),
  );
  const { text, rows, metrics } = await drafted({
    'a.csv': `station,updated,bikes\n${lines.join('\n')}\n`,
  });
  expect(rows.map(({ updated, bikes }) => [updated, bikes]).slice(0, 3)).toEqual([
    ['2024-01-15', '10'],
    ['2024-01-16', '11'],
    ['2024-01-17', '12'],
  ]);
  expect(metrics).toHaveLength(1);
  expect(text).toContain(
    '# CHECK: Its name is that of a change, but the rows of a place differ by it',
  );
});

test('the day of a change of places with a key of their own is no period', async () => {
  const { text } = await drafted({
    'a.csv': 'id,updated,docks\nA1,2024-01-15,10\nB2,2024-01-16,12\nC3,2024-01-16,9\n',
  });
  expect(text).toContain('key: [id]');
  expect(text).not.toContain('period:');
});
