// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines, totalOf } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** Rows that have a code of their own, beside the places and periods that they are about. */

const CITIES = ['Praha', 'Brno', 'Ostrava'];

test('places by period are the key, and not a code of each row', async () => {
  const rows = CITIES.flatMap((city, place) =>
    [2020, 2021, 2022].map(
      (year) => `7363${place}${year},55478${place},${year},${city},${year + place}`,
    ),
  );
  const { text, records, metrics } = await drafted({
    'people.csv': `idhod,uzemi_kod,rok,uzemi_txt,population\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('key: [uzemi_kod, year_start]');
  expect(declaredLines(text)).toContain('feature_id: uzemi_kod');
  expect(metrics).toHaveLength(1);
  expect(totalOf(records, 'people', 'population')).toBe(3 * 6063 + 9);
});

test('a value in words is no place', async () => {
  const rows = ['LSO', 'TCD', 'PER'].flatMap((code, place) =>
    [2018, 2019].map(
      (year) => `${code},${year},${60 + place}.${year % 10},"${60 + place}.${year % 10} [59-70]"`,
    ),
  );
  const { text } = await drafted({
    'life.csv': `country_code,year,numeric,value\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('key: [country_code, year_start]');
});

test('events with an id of their own are no places, even without a point', async () => {
  const rows = Array.from(
    { length: 12 },
    (_, index) => `T${index},2024-01-${(index % 5) + 10},S${(index * 7) % 4},${index * 3}`,
  );
  const { text, metrics } = await drafted({
    'trips.csv': `trip_id,date,start_station,duration\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('key: [trip_id]');
  expect(metrics).toEqual([]);
});

test.each([
  ['another script', '臺北市', '高雄市'],
  ['capitals', 'DOLNOSLASKIE', 'MAZOWIECKIE'],
])('places that are told apart by names in %s are a CHECK', async (_, first, second) => {
  const { text } = await drafted({
    'a.csv': `region;year;visits\n${first};2022;12\n${second};2022;13\n${first};2023;14\n${second};2023;15\n`,
  });
  expect(checks(text).filter((check) => check.startsWith('Places are told apart'))).toHaveLength(1);
});

test('areas within each other that share names are one place together, with a CHECK', async () => {
  const rows = ['Ohio', 'Iowa'].flatMap((state) =>
    ['Clark', 'Lee'].flatMap((county) =>
      [2022, 2023].map((year) => `${state},${county},${year},12`),
    ),
  );
  const { text, records, metrics } = await drafted({
    'a.csv': `State,County,Year,Enrollment\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('key: [place_id, year_start]');
  expect(metrics).toHaveLength(1);
  const [, places = []] = [...records].find(([name]) => name.endsWith('_places')) ?? [];
  expect(places.map((row) => row['place_id']).toSorted()).toEqual([
    'Iowa / Clark',
    'Iowa / Lee',
    'Ohio / Clark',
    'Ohio / Lee',
  ]);
  expect(
    checks(text).filter((check) => check.includes('together identify its place')),
  ).toHaveLength(1);
});

test('the id of events is their key, and no codes that are different by chance', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, index) =>
      `${900 + index * 7},${100 + ((index * 37) % 53)},${1 + ((index * 11) % 20)},2024,THEFT`,
  );
  const { text } = await drafted({
    'crimes.csv': `ID,Beat,District,Year,Type\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('key: [id');
  expect(declaredLines(text)).not.toContain('metrics:');
});

test('an interval of hours beside a day is no place', async () => {
  const rows = Array.from({ length: 24 }, (_, hour) =>
    ['Olympia', 'Hirsch'].map(
      (site) =>
        `2024-04-01,${String(hour).padStart(2, '0')}:00 - ${String(hour + 1).padStart(2, '0')}:00,${site},7`,
    ),
  ).flat();
  const counted = await drafted({
    'a.csv': `Datum,Zeit,Ort,Richtung 1,Richtung 2\n${rows.map((row, index) => `${row.slice(0, -1)}${index},${index % 5}`).join('\n')}\n`,
  });
  expect(declaredLines(counted.text)).toContain('feature_id: ort');
  expect(totalOf(counted.records, 'a', 'richtung_1')).toBe((48 * 47) / 2);
  const { text } = await drafted({ 'a.csv': `Datum,Zeit,Ort,Anzahl\n${rows.join('\n')}\n` });
  expect(declaredLines(text)).toContain('feature_id: ort');
});

test('columns for all halves of hours become rows', async () => {
  const times = Array.from({ length: 24 }, (_, hour) =>
    ['00', '30'].map((minute) => `${String(hour).padStart(2, '0')}:${minute}`),
  ).flat();
  const row = (day: number) => `M1,2024-01-0${day},${times.map(() => '1.5').join(',')}`;
  const { rows, records } = await drafted({
    'a.csv': `meter_id,date,${times.join(',')}\n${row(1)}\n${row(2)}\n`,
  });
  expect(rows).toHaveLength(96);
  expect(totalOf(records, 'a', 'value')).toBe(144);
});
