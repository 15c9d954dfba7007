// @module-tag slow

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { WHOLE_PUBLISH } from '../whole-publish.ts';
import { checks, declaredLines } from './draft-of-files.ts';
import { drafted, draftFor } from './draft-under-test.ts';

type Pattern = {
  readonly placekey: string;
  readonly week: number;
  readonly days: readonly number[];
  readonly homes: Readonly<Record<string, number>> | undefined;
};

const HOMES = ['010730001001', '340170058011', '360470035001', '360610112021'];

const PATTERNS: readonly Pattern[] = [0, 1].flatMap((week) =>
  [0, 1, 2, 3].map((place) => ({
    placekey: `22${place}-22${place + 2}@627-s${place}4-gc5`,
    week,
    days: Array.from({ length: 7 }, (_, day) => (place * 5 + day * 3 + week) % 11),
    homes:
      place === 3
        ? week === 0
          ? undefined
          : {}
        : Object.fromEntries(HOMES.slice(place, place + 2).map((home, index) => [home, 4 + index])),
  })),
);

const COLUMNS =
  'placekey,location_name,street_address,city,region,postal_code,latitude,longitude,naics_code,brands,date_range_start,date_range_end,raw_visit_counts,raw_visitor_counts,visits_by_day,visits_by_each_hour,poi_cbg,visitor_home_cbgs,distance_from_home,median_dwell,bucketed_dwell_times,related_same_day_brand,popularity_by_hour,popularity_by_day,device_type'.split(
    ',',
  );

const quote = (value: unknown) =>
  value === undefined ? '' : `"${JSON.stringify(value).replaceAll('"', '""')}"`;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function patternLine({ placekey, week, days, homes }: Pattern): string {
  const visits = sum(days);
  const place = Number(placekey[2]);
  return [
    placekey,
    ['Corner Cafe', 'Ace Books', 'Elm Pharmacy', 'Kiosk'][place],
    `${place + 10} Broadway`,
    'New York',
    'NY',
    `1000${place}`,
    40.7123 + place / 100,
    -74.0123 + place / 100,
    `72251${place}`,
    place === 0 ? 'Corner Cafe' : '',
    week === 0 ? '2020-09-07T00:00:00-04:00' : '2020-09-14T00:00:00-04:00',
    week === 0 ? '2020-09-14T00:00:00-04:00' : '2020-09-21T00:00:00-04:00',
    visits,
    Math.ceil(visits / 2),
    quote(days),
    quote(Array.from({ length: 168 }, (_, hour) => (hour % 24 === 12 ? 1 : 0))),
    '360610109003',
    quote(homes),
    5000 + place * 11 + week,
    20 + place / 2 + week,
    quote({ '<5': 1, '5-10': visits - 2, '>240': 1 }),
    quote({ Target: 12, 'Corner Cafe': 8 }),
    quote(Array.from({ length: 24 }, (_, hour) => hour)),
    quote({ Monday: days[0], Tuesday: days[1] }),
    quote({ android: 5, ios: 7 }),
  ].join(',');
}

const WEEKLY = `${COLUMNS.join(',')}\n${PATTERNS.map(patternLine).join('\n')}\n`;

const total = (rows: readonly Readonly<Record<string, string | null>>[], field: string) =>
  sum(rows.map((row) => Number(row[field])));

test('weekly patterns become places, and metrics of weeks, of days and of homes, with the totals of the file', async () => {
  const { text, records, metrics } = await drafted({ 'patterns.csv': WEEKLY });
  expect(declaredLines(text)).toMatchSnapshot();
  expect(checks(text)).toMatchSnapshot();
  expect(
    metrics.map(({ metric }) => [metric.metricId, metric.cadence, metric.related?.layerId]),
  ).toEqual([
    ['patterns', 'weekly_mon_sun', undefined],
    ['patterns_daily', 'daily', undefined],
    ['patterns_visitor_home_cbgs', 'weekly_mon_sun', 'patterns_visitor_home_cbgs_areas'],
  ]);
  const [places = [], weeks = [], days = [], areas = [], homes = []] = [...records.values()];
  const visits = sum(PATTERNS.flatMap((pattern) => pattern.days));
  expect([places.length, weeks.length, total(weeks, 'raw_visit_counts')]).toEqual([4, 8, visits]);
  expect([days.length, total(days, 'visits')]).toEqual([56, visits]);
  expect(days.slice(0, 2).map((row) => [row['placekey'], row['day'], row['visits']])).toEqual([
    ['220-222@627-s04-gc5', '2020-09-07', '0'],
    ['220-222@627-s04-gc5', '2020-09-08', '3'],
  ]);
  expect(areas.map((row) => row['visitor_home_cbg'])).toEqual(HOMES);
  expect(total(homes, 'visitors')).toBe(
    sum(PATTERNS.flatMap(({ homes: of = {} }) => Object.values(of))),
  );
  expect(homes[0]).toMatchObject({
    placekey: '220-222@627-s04-gc5',
    visitor_home_cbg: '010730001001',
    date_range_start: '2020-09-07',
    date_range_end: '2020-09-13',
    visitors: '4',
  });
});

test('--hours makes the hours of a week, and those of a day, datasets with the totals of the file', async () => {
  const { text, records, metrics } = await drafted(
    { 'patterns.csv': WEEKLY },
    { hours: 'dimension' },
  );
  expect(metrics.map(({ metric }) => [metric.metricId, metric.cadence]).toSorted()).toEqual([
    ['patterns', 'weekly_mon_sun'],
    ['patterns_daily', 'daily'],
    ['patterns_popularity_by_hour', 'weekly_mon_sun'],
    ['patterns_visitor_home_cbgs', 'weekly_mon_sun'],
    ['patterns_visits_by_each_hour', 'daily'],
  ]);
  const rowsOf = (name: string) =>
    [...records].find(([dataset]) => dataset.endsWith(`.${name}`))?.[1] ?? [];
  const hours = rowsOf('patterns_visits_by_each_hour');
  expect([hours.length, total(hours, 'visits')]).toEqual([
    PATTERNS.length * 168,
    PATTERNS.length * 7,
  ]);
  const ofNoon = hours.filter((row) => row['visits'] !== '0');
  expect(new Set(ofNoon.map((row) => row['hour']))).toEqual(new Set(['12']));
  expect(new Set(ofNoon.map((row) => row['moment'])).size).toBe(14);
  const popular = rowsOf('patterns_popularity_by_hour');
  expect(popular.every((row) => Number(row['popularity']) === Number(row['hour']))).toBe(true);
  expect(popular).toHaveLength(PATTERNS.length * 24);
  expect(text).not.toContain(
    'These are in no dataset. Each becomes one with its step under rows:\n    #   visits_by',
  );
});

test('--hours days adds up the hours of a week, unless a list of days has the same', async () => {
  const { metrics } = await drafted({ 'patterns.csv': WEEKLY }, { hours: 'days' });
  expect(metrics.map(({ metric }) => metric.metricId)).toEqual([
    'patterns',
    'patterns_daily',
    'patterns_visitor_home_cbgs',
  ]);
  const withoutDays = WEEKLY.replace('visits_by_day', 'bookings_by_day');
  const { records } = await drafted({ 'patterns.csv': withoutDays }, { hours: 'days' });
  const [, rows = []] =
    [...records].find(([name]) => name.endsWith('.patterns_visits_by_each_hour')) ?? [];
  expect([rows.length, total(rows, 'visits')]).toEqual([PATTERNS.length * 7, PATTERNS.length * 7]);
});

test('so do those of one week, and of places with one home each', async () => {
  const lines = PATTERNS.filter(({ week }) => week === 0).map((pattern) =>
    patternLine({ ...pattern, homes: { '360610112021': 4 } }),
  );
  const { text, metrics } = await drafted({
    'week.csv': `${COLUMNS.join(',')}\n${lines.join('\n')}\n`,
  });
  expect(text).toContain('key: [placekey, date_range_start, visitor_home_cbg]');
  expect(metrics).toHaveLength(3);
});

test('the file of the next week is appended to a draft of one week', async () => {
  await using folder = scopedFolder();
  const path = join(folder.path, 'patterns.csv');
  const writeWeek = (wanted: number) => {
    const lines = PATTERNS.filter(({ week }) => week === wanted).map(patternLine);
    return writeFile(path, `${COLUMNS.join(',')}\n${lines.join('\n')}\n`);
  };
  await writeWeek(0);
  const manifestPath = join(folder.path, 'locmetrics.yaml');
  const { text } = await draftFor(folder.path, [path]);
  await writeFile(manifestPath, text);
  const options = { ...WHOLE_PUBLISH, manifestPath, datasetNames: [] };
  const directory = dataDirectory(join(folder.path, 'data'));
  await publish({ ...options, directory, clock: () => Date.UTC(2026, 0, 1) });
  await writeWeek(1);
  const { datasets } = await publish({
    ...options,
    directory,
    mode: { kind: 'append' },
    clock: () => Date.UTC(2026, 0, 2),
  });
  expect(
    datasets.map(({ version }) => [version.dataset.name.split('.')[1], version.rowCount]),
  ).toEqual([
    ['patterns_places', 4],
    ['patterns', 8],
    ['patterns_daily', 56],
    ['patterns_visitor_home_cbgs_areas', 4],
    ['patterns_visitor_home_cbgs', 12],
  ]);
});

test('patterns of months become days, though months have different lengths', async () => {
  const month = (place: string, start: string, end: string, length: number) =>
    `${place},${start},${end},${length * 2},${quote(Array.from({ length }, () => 2))}`;
  const lines = ['a1', 'b2', 'c3'].flatMap((place) => [
    month(place, '2020-09-01', '2020-10-01', 30),
    month(place, '2020-10-01', '2020-11-01', 31),
  ]);
  const { metrics, records } = await drafted({
    'monthly.csv': `place_id,date_range_start,date_range_end,raw_visit_counts,visits_by_day\n${lines.join('\n')}\n`,
  });
  expect(metrics.map(({ metric }) => metric.cadence)).toEqual(['monthly', 'daily']);
  const days = [...records.entries()].find(([name]) => name.endsWith('_daily'))?.[1] ?? [];
  expect([days.length, days.at(30)?.['day'], total(days, 'visits')]).toEqual([
    183,
    '2020-10-01',
    366,
  ]);
});

test('lists and maps of JSON are drafted as those of CSV', async () => {
  const [, ...lines] = WEEKLY.trim().split('\n');
  const rows = PATTERNS.map((pattern, index) => {
    const [placekey, name] = (lines[index] ?? '').split(',');
    return JSON.stringify({
      placekey,
      location_name: name,
      latitude: 40.7123 + index / 100,
      longitude: -74.0123,
      date_range_start: '2020-09-07',
      date_range_end: '2020-09-14',
      raw_visit_counts: sum(pattern.days),
      visits_by_day: pattern.days,
      visitor_home_cbgs: pattern.homes ?? {},
    });
  });
  const { metrics, records } = await drafted({
    'patterns.ndjson': `${rows.slice(0, 4).join('\n')}\n`,
  });
  expect(metrics.map(({ metric }) => metric.metricId)).toEqual([
    'patterns',
    'patterns_daily',
    'patterns_visitor_home_cbgs',
  ]);
  const days = [...records.entries()].find(([name]) => name.endsWith('_daily'))?.[1] ?? [];
  expect(total(days, 'visits')).toBe(sum(PATTERNS.slice(0, 4).flatMap((pattern) => pattern.days)));
});

test('a file with the home areas is their layer', async () => {
  const areas = HOMES.map((code, index) => `${code},Area ${index},${40 + index},-75.5`);
  const { text, metrics } = await drafted({
    'patterns.csv': WEEKLY,
    'areas.csv': `cbg,name,latitude,longitude\n${areas.join('\n')}\n`,
  });
  expect(text).not.toContain('_areas:');
  expect(metrics.map(({ metric }) => metric.related)).toContainEqual(
    expect.objectContaining({ layerId: 'areas', featureId: 'visitor_home_cbg' }),
  );
});

test('positions stay texts, and lists without a period are told with their step', async () => {
  const { text } = await drafted({
    'p.csv':
      'id,name,at,hours\na,Alton,"[45.5,-122.6]","[1,2,3,4]"\nb,Bexley,"[45.6,-122.7]","[5,6,7,8]"\n',
  });
  expect(text).toContain('at: { type: string }');
  expect(text).toContain('hours: - unpivot: { name: hour, list: hours }   # 4 numbers');
});

test('a list of another length than the others is told, and the rest is drafted', async () => {
  const [header = '', first = '', ...others] = WEEKLY.trim().split('\n');
  const shorter = first.replace(/"\[0,3,6[^\]]*\]"/, '"[0,3,6,9,1,4]"');
  const uneven = await drafted({ 'p.csv': `${[header, shorter, ...others].join('\n')}\n` });
  expect(uneven.text).not.toContain('_daily');
  expect(uneven.metrics.map(({ metric }) => metric.metricId)).toEqual(['p', 'p_visitor_home_cbgs']);
  expect(checks(uneven.text)).toContainEqual(
    expect.stringContaining(
      "visits_by_day: '6 values: [0,3,6,9,1,4]' in 'visits_by_day' is a list",
    ),
  );
});

test('lists of objects are texts, with a CHECK', async () => {
  const counters = [1, 2, 3].map((id) => ({
    id,
    name: `Counter ${id}`,
    location: { lat: 60 + id / 100, lon: 24.9 },
    counts: [1, 2].map((day) => ({ day: `2024-05-0${day}`, bikes: id * 10 + day })),
  }));
  const { text } = await drafted({ 'a.json': JSON.stringify({ counters }) });
  expect(text.replaceAll(/\n *# {3}/g, ' ')).toContain(
    'CHECK: Objects are read as texts, so what they contain is no record:',
  );
});
