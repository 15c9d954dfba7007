// @module-tag slow

import { expect, test } from 'vitest';
import { checks } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const days = Array.from({ length: 8 }, (_, index) => `2020-03-0${index + 1}`);

async function additivityOf(content: string) {
  const { text } = await drafted({ 'a.csv': content });
  return {
    additive: Object.fromEntries(
      [...text.matchAll(/^ {6}(\w+): \{ type: integer.*additive: (\w+) \}$/gm)].map(
        ([, name, value]) => [name, value],
      ),
    ),
    doubts: checks(text).filter((one) => /never falls/.test(one)),
  };
}

test('a count that never falls from day to day at any place is a running total, with a CHECK', async () => {
  const rows = days.flatMap((day, index) => [
    `01001,${day},${index * 3},${index % 3}`,
    `01003,${day},${(index - (index % 2)) * 5},${index % 2}`,
  ]);
  expect(await additivityOf(`fips,date,cases,tests\n${rows.join('\n')}\n`)).toEqual({
    additive: { cases: 'places', tests: 'all' },
    doubts: [
      'It never falls from one day to the next, as a running total does, which adds up over places, but not over periods. If it counts the events of each day, write additive: all. => cases: { type: integer, additive: places }',
    ],
  });
});

test.each([
  ['a fall at one place', days.map((day, index) => `01001,${day},${index === 6 ? 1 : index}`)],
  ['a few days', days.slice(0, 4).map((day, index) => `01001,${day},${index}`)],
  ['a constant', days.map((day) => `01001,${day},7`)],
  [
    'places that are greater from row to row',
    days.map((_, index) => `0100${index},2020-03-01,${index}`),
  ],
])('a count of events adds up over all: %s', async (_, rows) => {
  expect(await additivityOf(`fips,date,cases\n${rows.join('\n')}\n`)).toMatchObject({
    additive: { cases: 'all' },
    doubts: [],
  });
});

test('a name says that a total is a running one, or that it is one of a moment', async () => {
  const rows = days.map((day, index) => `01001,${day},${index},${index % 4},${index % 3}`);
  expect(
    (await additivityOf(`fips,date,ncumul_conf,docks_available,deaths\n${rows.join('\n')}\n`))
      .additive,
  ).toEqual({ ncumul_conf: 'places', docks_available: 'places', deaths: 'all' });
});
