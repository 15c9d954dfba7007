// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** Days that have no number above twelve. */

test.each([
  [
    'days follow each other',
    ',',
    ['01/05/2024', '02/05/2024', '03/05/2024', '04/05/2024'],
    'DD/MM/YYYY',
    '2024-05-01',
    '2024-05-04',
  ],
  [
    'days follow each other over a month',
    ',',
    ['1/6/2024', '2/6/2024', '3/6/2024', '4/6/2024'],
    'D/M/YYYY',
    '2024-06-01',
    '2024-06-04',
  ],
  [
    'semicolons divide the values',
    ';',
    ['01/02/2024', '01/03/2024', '01/04/2024', '01/05/2024'],
    'DD/MM/YYYY',
    '2024-02-01',
    '2024-05-01',
  ],
])('the day is first if %s, with a CHECK', async (_, delimiter, days, format, first, last) => {
  const { text, rows } = await drafted({ 'a.csv': tableOf(days, delimiter) });
  expect(checks(text).filter((check) => check.startsWith('Read with the day first'))).toHaveLength(
    1,
  );
  expect(text).toContain(`format: ${format}`);
  const all = rows
    .flatMap((row) => [row['day'], row['month_start']])
    .filter((one) => one !== undefined);
  expect([all.toSorted()[0], all.toSorted().at(-1)]).toEqual([first, last]);
});

test.each([
  ['days follow each other then', ';', ['05/01/2024', '05/02/2024', '05/03/2024', '05/04/2024']],
  [
    'the first days of months could be days of January',
    ',',
    ['01/01/2024', '02/01/2024', '03/01/2024', '04/01/2024'],
  ],
  ['nothing tells', ',', ['05/01/2024', '05/08/2024', '06/02/2024', '06/09/2024']],
])('the month is first if %s, with a CHECK', async (_, delimiter, days) => {
  const { text } = await drafted({ 'a.csv': tableOf(days, delimiter) });
  expect(declaredLines(text)).toContain('format: MM/DD/YYYY');
  expect(
    checks(text).filter((check) => check.includes('valid dates with the day first')),
  ).toHaveLength(1);
});

test.each([
  [
    'half hours as columns',
    `date,${halves().join(',')}`,
    (day: string) => `${day},${halves().map((_, at) => at + day.length)}`,
  ],
  ['an hour beside them', 'date,hour,kwh', (day: string) => `${day},0,5\n${day},1,6`],
  ['times in them', 'date,kwh', (day: string) => `${day} 06:00,5`],
])('days of January with %s are no first days of months', async (_, header, rowsOf) => {
  const days = ['01', '02', '03', '04', '05'].map((day) => `${day}/01/2024`);
  const lines = ['M1', 'M2'].flatMap((meter) =>
    days.flatMap((day) =>
      rowsOf(day)
        .split('\n')
        .map((row) => `${meter},${row}`),
    ),
  );
  const { text, rows } = await drafted({ 'a.csv': `meter,${header}\n${lines.join('\n')}\n` });
  expect(text).toContain('Read with the day first, because the days then follow each other');
  expect(new Set(rows.map((row) => row['date']))).toEqual(
    new Set(['01', '02', '03', '04', '05'].map((day) => `2024-01-${day}`)),
  );
});

function halves(): readonly string[] {
  return Array.from({ length: 48 }, (_, at) => {
    const hour = String(Math.floor(at / 2)).padStart(2, '0');
    return `${hour}:${at % 2 === 0 ? '00' : '30'}`;
  });
}

function tableOf(days: readonly string[], delimiter: string): string {
  const rows = days.flatMap((day) => ['A', 'B'].map((site) => [site, day, '12'].join(delimiter)));
  return `${['site_id', 'day', 'visits'].join(delimiter)}\n${rows.join('\n')}\n`;
}

test('first days of months that follow each other over a new year have the day first', async () => {
  const months = ['09/2023', '10/2023', '11/2023', '12/2023', '01/2024', '02/2024'];
  const rows = months.flatMap((month, index) => [
    `01/${month},E07,${index}5`,
    `01/${month},E09,${index}7`,
  ]);
  const { text } = await drafted({ 'sales.csv': `Date,AreaCode,Sales\n${rows.join('\n')}\n` });
  expect(text).toContain(
    'month_start: { type: date, format: DD/MM/YYYY, column: Date, as: month }',
  );
  expect(text.replaceAll(/\n *# {3}/g, ' ')).toContain(
    'CHECK: Read with the day first, because the days then are the first ones of months that follow each other.',
  );
});
