// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines, totalOf } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

test('numbers of nines, far above all others of their column, are absent values, with a CHECK', async () => {
  const rows = [12.5, 13.1, 14.2, 15.9].map(
    (temp, day) => `A,2024-01-0${day + 1},${temp},${day === 2 ? '99.99' : `0.${day}1`},999.9`,
  );
  const { text, records } = await drafted({
    'gsod.csv': `station,date,temp,prcp,gust\n${rows.join('\n')}\n`,
  });
  expect(checks(text)[0]).toMatch(/^In all columns, these texts mean that a value is absent/);
  expect(declaredLines(text)).toContain("nulls: ['99.99', '999.9']");
  expect(declaredLines(text)).not.toContain('gust');
  expect(totalOf(records, 'gsod', 'prcp')).toBeCloseTo(0.01 + 0.11 + 0.31);
});

test.each([
  ['a price', '99.99', ['89.99', '79.99', '69.99']],
  ['a count', '9999', ['12', '13', '14']],
])('%s of nines is a value', async (_, nines, others) => {
  const rows = [nines, ...others].map((value, day) => `A,2024-01-0${day + 1},${value}`);
  const { text } = await drafted({ 'a.csv': `station,date,price\n${rows.join('\n')}\n` });
  expect(text).not.toContain('nulls:');
});

test('small cells that are written as less than a number are absent values, with a CHECK', async () => {
  const { text, records } = await drafted({
    'a.csv':
      'area_code,week,cases\nE1,2024-01-01,<5\nE2,2024-01-01,12\nE1,2024-01-08,7\nE2,2024-01-08,<5\n',
  });
  expect(declaredLines(text)).toContain("nulls: ['<5']");
  expect(totalOf(records, 'a', 'cases')).toBe(19);
  const ages = await drafted({ 'a.csv': 'code,age_group,n\nE1,<5,1\nE1,5-9,2\nE1,10-14,3\n' });
  expect(ages.text).not.toContain('nulls:');
});

test.each([
  ['-99997', '-99995'],
  ['-666666666', '-222222222'],
])(
  'the numbers %s and %s of statistics offices are absent values, with a CHECK',
  async (one, other) => {
    const { text, records } = await drafted({
      'areas.json': JSON.stringify([
        { code: 'A1', year: 2023, homes: 120, size: 2.1 },
        { code: 'A2', year: 2023, homes: Number(one), size: Number(one) },
        { code: 'A3', year: 2023, homes: 80, size: Number(other) },
        { code: 'A4', year: 2023, homes: 95, size: 1.9 },
      ]),
    });
    expect(checks(text)[0]).toMatch(/these texts mean that a value is absent|Read as absent/);
    expect(totalOf(records, 'areas', 'homes')).toBe(295);
    expect(totalOf(records, 'areas', 'size')).toBeCloseTo(4);
  },
);

test.each([
  ['..C of New Zealand', "'..C'"],
  ['Ice on a river', 'Ice'],
  ['Closed, of a count', 'Closed'],
])('%s is an absent number, however frequent', async (_, word) => {
  const rows = Array.from(
    { length: 24 },
    (_, n) =>
      `S${n % 3},2024-01-${String(1 + Math.floor(n / 3)).padStart(2, '0')},${n % 4 === 0 ? word.replaceAll("'", '') : 100 + ((n * 7) % 24)}`,
  );
  const { text, metrics } = await drafted({ 'a.csv': `station,date,trips\n${rows.join('\n')}\n` });
  expect(text).toContain(`nulls: [${word}]`);
  expect(text).toContain('trips: { type: integer, additive: all }');
  expect(metrics).toHaveLength(1);
});

test('-999 is absent in a column of nothing else too', async () => {
  const rows = [1, 2, 3].map((day) => `44;2023110${day}; ${day}.5;-999;eor`);
  const { text } = await drafted({
    'k.txt': `STATIONS_ID;MESS_DATUM;RSK;SDK;eor\n${rows.join('\n')}\n`,
  });
  expect(text).toContain("nulls: ['-999']");
  expect(text).not.toContain('sdk:');
});

test('a number that is absent in several columns is no value of another', async () => {
  const rows = Array.from({ length: 30 }, (_, day) => {
    const of = (value: number, at: number) => (day % 10 === at ? -999 : value);
    return `A,2024-01-${String(day + 1).padStart(2, '0')},${of(5 + day, 2)},${of(40 + day, 4)},${of(0, 6)}`;
  });
  const { rows: records } = await drafted({
    'a.csv': `station,day,wind,sun,snow\n${rows.join('\n')}\n`,
  });
  expect(new Set(records.map((row) => row['snow']))).toEqual(new Set(['0', null]));
});

test('a number sign behind some numbers is a flag', async () => {
  const rows = Array.from({ length: 12 }, (_, month) => {
    const sun = month < 2 ? '---' : `${50 + month}.5${month > 6 ? '#' : ''}`;
    return `Oxford,2023-${String(month + 1).padStart(2, '0')},${sun}`;
  });
  const { rows: records } = await drafted({ 'a.csv': `station,month,sun\n${rows.join('\n')}\n` });
  expect(records.map((row) => [row['sun'], row['sun_flag']])).toContainEqual(['57.5', '#']);
  expect(records.map((row) => row['sun'])).toContain(null);
});
