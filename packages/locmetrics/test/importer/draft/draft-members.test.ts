// @module-tag slow

import { expect, test } from 'vitest';
import { parquetOf } from '../formats/parquet-of.ts';
import { valuesOf } from '../import-by-manifest.ts';
import { checks, declaredLines, draftText } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const STATIONS = [
  { id: 's1', loc: { name: 'Alton', at: { lat: 45.512, lng: -122.613 } } },
  { id: 's2', loc: { name: 'Bexley', at: { lat: 45.523, lng: -122.624 } } },
];
const ROWS = ['2024-01-01', '2024-01-02', '2024-01-03'].flatMap((day, index) =>
  STATIONS.map((station, number) => ({
    ...station,
    day,
    stats: { visits: 10 * index + number, dwell: index === 1 ? null : 2.5 + number },
    homes: { '410510051001': 4, '410510047023': 5 + number },
  })),
);
const JSON_LINES = ROWS.map((row) => JSON.stringify(row)).join('\n');

test('members of objects become fields, a point and measures, and maps stay maps', async () => {
  const { text, records, metrics } = await drafted({ 'stations.ndjson': JSON_LINES });
  expect(declaredLines(text)).toMatchSnapshot();
  expect(metrics.map(({ metric }) => metric.metricId)).toEqual(['stations', 'stations_homes']);
  const values = [...records.entries()].find(([name]) => name.endsWith('.stations'))?.[1] ?? [];
  expect(values.map((row) => [row['id'], row['day'], row['stats_visits']])).toEqual(
    ['s1', 's2'].flatMap((id, number) =>
      [0, 1, 2].map((index) => [id, `2024-01-0${index + 1}`, String(10 * index + number)]),
    ),
  );
});

test('so do those of structs in Parquet', async () => {
  const file = await parquetOf(`SELECT * FROM (VALUES
    ('s1', DATE '2024-01-01', {'visits': 10, 'dwell': 2.5}, {'city': 'Bern'}),
    ('s2', DATE '2024-01-01', {'visits': 11, 'dwell': NULL}, {'city': 'Genf'}),
    ('s1', DATE '2024-01-02', {'visits': 12, 'dwell': 3.5}, {'city': 'Bern'}),
    ('s2', DATE '2024-01-02', {'visits': 13, 'dwell': 4}, {'city': 'Genf'}))
    AS rows(station, day, stats, address)`);
  const { metrics, records } = await drafted({ 'p.parquet': file });
  expect(metrics.map(({ metric }) => metric.cadence)).toEqual(['daily']);
  const rows = [...records.values()].find(([row]) => row?.['stats_visits'] !== undefined) ?? [];
  expect(rows.map((row) => [row['station'], row['day'], row['stats_visits']])).toEqual([
    ['s1', '2024-01-01', '10'],
    ['s1', '2024-01-02', '12'],
    ['s2', '2024-01-01', '11'],
    ['s2', '2024-01-02', '13'],
  ]);
});

test('times and codes in members are read by expressions over the objects', async () => {
  const lines = ['00', '01', '02'].flatMap((hour) =>
    [1001, 1003].map((fips, number) =>
      JSON.stringify({
        site: { fips },
        at: { time: `2024-01-05T${hour}:00:00` },
        n: 7 + number + Number(hour),
      }),
    ),
  );
  const { text, rows } = await drafted({ 'p.ndjson': lines.join('\n') });
  expect(text).not.toContain('"at.time"');
  expect(rows).toHaveLength(6);
  expect(
    rows.map((row) => [row['site_fips'], row['at_time'], row['hour'], row['n']]),
  ).toContainEqual(['01003', '2024-01-05', '01', '9']);
});

test('arrays of a JSON file that are no lists of a period are texts of their places', async () => {
  const rows = ['07', '08', '09'].flatMap((hour) =>
    [9000001234, 9000005678].map((segment, index) =>
      JSON.stringify({
        segment_id: segment,
        date: `2024-03-01T${hour}:00:00.000Z`,
        cars: 10 * index + Number(hour),
        hist: [1.0, 2.0, 97.0],
      }),
    ),
  );
  const { text, metrics } = await drafted({ 'report.ndjson': `${rows.join('\n')}\n` });
  expect(text).toMatch(/^ +hist: \{ type: string/m);
  expect(metrics).toHaveLength(1);
});

test('lists that become no field are a CHECK about lists, with a field that serves them as text', async () => {
  const content = '{"id":"a1","visits":5,"tags":["x","y"]}\n{"id":"a2","visits":6,"tags":["z"]}\n';
  expect(checks(await draftText({ 'a.ndjson': content }))).toEqual([
    `The values of tags match no type, such as '["x","y"]', so the column is left out. To serve them as text, declare { type: string, expression: '"tags"' }. To serve what they contain, write a file with a row for each of their values. => fields:`,
  ]);
  const declaration = `files: a.ndjson\nkey: [id]\nfields:\n  id: { type: string }\n  tags: { type: string, expression: '"tags"' }`;
  expect(await valuesOf(declaration, { 'a.ndjson': content })).toEqual([
    ['a1', '["x","y"]'],
    ['a2', '["z"]'],
  ]);
});
