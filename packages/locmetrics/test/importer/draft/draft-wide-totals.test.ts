// @module-tag slow

import { expect, test } from 'vitest';
import { checks } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Visits of three parks in two years, with further columns about the months. */
function parks(header: string, more: (values: readonly number[]) => string): string {
  const rows = ['Acadia', 'Olympic', 'Zion'].flatMap((park, at) =>
    [2021, 2022].map((year) => {
      const values = MONTHS.map((_, month) => 100 + at * 37 + month * 11 + (year % 7));
      return `${park},${year},${values.join(',')},${more(values)}`;
    }),
  );
  return `Park,Year,${MONTHS.join(',')},${header}\n${rows.join('\n')}\n`;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

test.each([
  ['Total', sumOf, 'Total is the sum of these columns.'],
  ['YTD', sumOf, 'YTD is the sum of these columns.'],
  ['Annual', sumOf, 'Annual is the sum of these columns.'],
  [
    'Avg',
    (values: readonly number[]) => (sumOf(values) / 12).toFixed(1),
    'Avg is the mean of these columns.',
  ],
])('a column beside months that is their sum or mean is left out: %s', async (name, more, note) => {
  const { text, rows } = await drafted({ 'a.csv': parks(name, (values) => String(more(values))) });
  expect(text).toContain(`# ${note}`);
  expect(text).toContain(`# Left out, because each row would repeat it: ${name}.`);
  expect(checks(text).filter((check) => !check.startsWith('Places are told'))).toEqual([]);
  expect(rows).toHaveLength(72);
  expect(Object.keys(rows[0] ?? {})).not.toContain(name.toLowerCase());
});

test('a column that is called a total but is none is left out with a CHECK', async () => {
  const { text } = await drafted({
    'a.csv': parks('Total', (values) => String(sumOf(values) + 7)),
  });
  expect(checks(text)[0]).toMatch(
    /^Total is left out, though it is the sum of these columns in only 0 of 6 rows\. If it is something else, remove this step and declare it as a field\. => - unpivot:/,
  );
});

test('a column beside months that has other numbers is a field', async () => {
  const { text } = await drafted({ 'a.csv': parks('Acres', (values) => `${values[0]}5`) });
  expect(text).toContain('acres: {');
});

test('totals of each year beside the months of two years are no codes of places', async () => {
  const header = [2021, 2022].flatMap((year) => [
    ...MONTHS.map((_, month) => `${year}-${String(month + 1).padStart(2, '0')}`),
    `${year}`,
  ]);
  const rows = ['Acadia', 'Olympic', 'Zion'].map((park, at) => {
    const cells = [0, 1].flatMap((year) => {
      const values = MONTHS.map((_, month) => 1000 + at * 37 + month * 11 + year);
      return [...values, sumOf(values)];
    });
    return `${park},${cells.join(',')}`;
  });
  const { text, rows: records } = await drafted({
    'a.csv': `Park,${header.join(',')}\n${rows.join('\n')}\n`,
  });
  expect(text).toContain('# 2021 is the sum of these columns; 2022 is the sum of these columns.');
  expect(text).toContain('key: [park, month_start]');
  expect(records).toHaveLength(72);
});
