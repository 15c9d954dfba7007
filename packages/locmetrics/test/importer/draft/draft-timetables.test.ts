import { expect, test } from 'vitest';
import { zipArchive } from '../formats/zip-archive.ts';
import { checks, declaredLines, totalOf } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const STOPS = `stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding
S1,,Central,47.60,-122.33,1,,1
S1N,11,Central North,47.601,-122.33,0,S1,1
E1,,Elevator,,,3,S1,
0100,13,Pine & 3rd,47.61,-122.34,0,,2
0200,14,Pike & 5th,47.612,-122.335,,,0
`;

const RIDERSHIP = `stop_id,month,boardings
100,2024-01,1200
100,2024-02,1300
200,2024-01,400
200,2024-02,450
S1N,2024-01,9000
S1N,2024-02,9100
`;

test('the stops of a timetable are places with points, and its enumerations are no measures', async () => {
  const { text, rows } = await drafted({ 'stops.txt': STOPS });
  expect(declaredLines(text)).toContain('point: { latitude: stop_lat, longitude: stop_lon }');
  expect(text).toContain('location_type: { type: integer, additive: none }');
  expect(text).toContain('wheelchair_boarding: { type: integer, additive: none }');
  expect(declaredLines(text)).toContain('name: stop_name');
  expect(rows.map((row) => [row['stop_id'], row['stop_lat']])).toEqual([
    ['0100', '47.61'],
    ['0200', '47.612'],
    ['E1', null],
    ['S1', '47.6'],
    ['S1N', '47.601'],
  ]);
});

test('stops and their boardings are a layer and a metric with the totals of the file', async () => {
  const { text, records, metrics } = await drafted({
    'stops.txt': STOPS.replaceAll('0100', '100').replaceAll('0200', '200'),
    'ridership.csv': RIDERSHIP,
  });
  expect(checks(text)).toEqual([]);
  expect(declaredLines(text)).toContain(`    layer: stops
    feature_id: stop_id
    cadence: monthly
    measure: { name: boardings, field: boardings, kind: count }`);
  expect(text).toContain('3 of 3 different ids');
  expect(totalOf(records, 'ridership', 'boardings')).toBe(21450);
  expect(metrics).toHaveLength(1);
});

test('of the archive of a timetable, the stops are read', async () => {
  const { text, rows } = await drafted({
    'gtfs.zip': zipArchive({
      'stop_times.txt': `trip_id,arrival_time,stop_id\n${'t1,25:10:00,0100\n'.repeat(100)}`,
      'routes.txt': 'route_id,route_type\nr1,3\n',
      'stops.txt': STOPS,
    }),
  });
  expect(text).toContain("CHECK: The archive also has 'stop_times.txt', 'routes.txt'.");
  expect(declaredLines(text)).toContain('member: stops.txt');
  expect(rows).toHaveLength(5);
});
