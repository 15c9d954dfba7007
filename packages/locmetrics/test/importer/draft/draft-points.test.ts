import { expect, test } from 'vitest';
import { declaredLines, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

test('both coordinates in one text, after separate ones, are kept as a text', async () => {
  const { text, rows } = await drafted({
    'portal.csv':
      'id,name,Latitude,Longitude,Location\n1,A,43.07,-89.40,"(43.07, -89.40)"\n2,B,43.08,-89.41,"(43.08, -89.41)"\n',
  });
  expect(declaredLines(text)).toContain('point: { latitude: latitude, longitude: longitude }');
  expect(text).toContain(
    `      # It has points too, but those of other columns are used.
      location: { type: string, column: Location }`,
  );
  expect(valuesOfFields(rows, ['latitude', 'longitude', 'location'])).toEqual([
    ['43.07', '-89.4', '(43.07, -89.40)'],
    ['43.08', '-89.41', '(43.08, -89.41)'],
  ]);
});

test.each([
  ['both texts', 'id,Location,Position\n1,"(43.07, -89.4)",POINT (-89.4 43.07)\n'],
  ['the text first', 'id,Location,lat,lng\n1,"(43.07, -89.4)",43.07,-89.4\n'],
  ['a latitude alone', 'id,lat,Location\n1,43.07,"(43.07, -89.4)"\n'],
  ['degrees', `id,lat,lng,lat_d,lng_d\n1,43.07,-89.4,43°04'12"N,89°24'00"W\n`],
  ['degrees first', `id,lat_d,lng_d,lat,lng\n1,43°04'12"N,89°24'00"W,43.07,-89.4\n`],
  ['a text beside degrees', `id,lat_d,lng_d,at\n1,43°04'12"N,89°24'00"W,"(43.07, -89.4)"\n`],
])('a file with several columns for its points has one point: %s', async (_, content) => {
  const { text, rows } = await drafted({ 'a.csv': content });
  const [, latitude = '', longitude = ''] =
    /point: \{ latitude: (\w+), longitude: (\w+) \}/.exec(text) ?? [];
  expect(valuesOfFields(rows, [latitude, longitude])).toEqual([['43.07', '-89.4']]);
});

test('the columns with the most points are used', async () => {
  const { text, rows } = await drafted({
    'a.csv':
      'id,Latitude,Longitude,Location\n1,,,"(43.07, -89.40)"\n2,43.08,-89.41,"(43.08, -89.41)"\n',
  });
  expect(text).toContain('point: { latitude: latitude_2, longitude: longitude_2 }');
  expect(valuesOfFields(rows, ['latitude_2', 'latitude'])).toEqual([
    ['43.07', null],
    ['43.08', '43.08'],
  ]);
});

test.each([
  ['with a word before them', 'pickup_lat', 'pickup_lon'],
  ['with another word', 'dropoff_lat', 'dropoff_lng'],
  ['of a centre', 'cy', 'cx'],
  ['of a plane', 'y_coord', 'x_coord'],
])('coordinates %s are a point, with a doubt', async (_, latitude, longitude) => {
  const { text, rows } = await drafted({
    'a.csv': `id,${latitude},${longitude},jobs\n1,45.4715,-73.5887,5\n2,45.5439,-73.5625,7\n`,
  });
  expect(declaredLines(text)).toContain(
    `point: { latitude: ${latitude}, longitude: ${longitude} }`,
  );
  expect(text).toContain('# CHECK: Read as a latitude, because all values could be.');
  expect(valuesOfFields(rows, [latitude, longitude])).toEqual([
    ['45.4715', '-73.5887'],
    ['45.5439', '-73.5625'],
  ]);
});

test('of several pairs of coordinates none is chosen silently', async () => {
  const { text } = await drafted({
    'a.csv':
      'id,start_lat,start_lng,end_lat,end_lng\n1,45.4715,-73.5887,45.5001,-73.6001\n2,45.5439,-73.5625,45.6001,-73.7001\n',
  });
  expect(text).not.toContain('point:');
});
