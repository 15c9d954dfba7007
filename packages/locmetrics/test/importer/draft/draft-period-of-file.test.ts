// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines, draftText } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const TABLE = 'county,code,population\nKent,E10,1500\nEssex,E11,1700\n';

test.each([
  ['population_2023.csv', TABLE, 'year_start', '2023-01-01'],
  ['population-2023-05.csv', TABLE, 'month_start', '2023-05-01'],
  ['20201103__precinct.csv', TABLE, 'date', '2020-11-03'],
  ['ACSDT5Y2022.B01003-Data.csv', TABLE, 'year_start', '2022-01-01'],
  ['a.csv', `Census 2021,,\nCounties,,\n${TABLE}`, 'year_start', '2021-01-01'],
  ['a.csv', `Wahl am 26. September 2021,,\n${TABLE}`, 'date', '2021-09-26'],
])('%s says the period of rows without one, with a CHECK', async (name, content, field, start) => {
  const { text, rows, metrics } = await drafted({ [name]: content });
  expect(declaredLines(text)).toContain(`key: [code, ${field}]`);
  expect(rows.map((row) => row[field])).toEqual([start, start]);
  expect(metrics).toHaveLength(1);
  const found = checks(text).filter((check) =>
    check.startsWith(`The rows have no ${field === 'year_start' ? 'year' : 'period'}`),
  );
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(`=> ${field}:`);
});

test.each([
  ['other years in a column', 'a_2023.csv', 'code,year,n\nE10,2021,1\nE11,2021,2\n'],
  ['years in the names of columns', 'a_2023.csv', 'code,Jan 2021-Dec 2021\nE10,1.5\nE11,1.7\n'],
  ['several years in its name', 'a_2021-2023.csv', TABLE],
  ['points', 'a_2023.csv', 'id,lat,lng,docks\nA,51.5,-0.1,12\nB,51.6,-0.2,13\n'],
  ['no numbers', 'a_2023.csv', 'code,county\nE10,Kent\nE11,Essex\n'],
  ['a number that is no year', 'a_2123.csv', TABLE],
])('a file with %s has no period of its name', async (_, name, content) => {
  expect(await draftText({ [name]: content })).not.toContain('The rows have no ');
});

test('files that are drafted together have none', async () => {
  const text = await draftText({
    'places_2023.csv': 'code,county,staff\nE10,Kent,4\nE11,Essex,5\n',
    'visits.csv': 'code,month,visits\nE10,2023-01,1500\nE11,2023-01,1700\n',
  });
  expect(text).not.toContain('The rows have no ');
});

test.each([
  ['guests_2023.csv', 'region,Jan,Feb,Mar,Total\nNorth,1,2,3,6\nSouth,4,5,6,15\n'],
  ['a.csv', 'Gäste 2023;;;\nRegion;Januar;Februar;März\nNord;1;2;3\nSüd;4;5;6\n'],
])('columns for months of the year of %s become rows, with a CHECK', async (name, content) => {
  const { text, rows, metrics } = await drafted({ [name]: content });
  expect(rows.map(({ month_start, value }) => [month_start, value])).toContainEqual([
    '2023-03-01',
    '6',
  ]);
  expect(rows).toHaveLength(6);
  expect(metrics).toHaveLength(1);
  const found = checks(text).filter((check) => check.startsWith('The rows have no year'));
  expect(found).toHaveLength(1);
});
