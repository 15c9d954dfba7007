import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../../support/test-seed.ts';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

/** A dataset of points, with what is declared about them. */
const declare = (region: string, accept = '') => `files: p.csv
key: [id]
point: { latitude: lat, longitude: lng${region === '' ? '' : `, region: ${region}`} }
${accept === '' ? '' : `accept: { outside_region: ${accept} }\n`}fields:
  id: { type: string }
  lat: { type: float }
  lng: { type: float }`;

/**
 * The breweries of Alabama, Connecticut and Portugal in the Open Brewery DB (MIT). Latitude and longitude of four of
 * them are exchanged there.
 */
const BREWERIES = await readFile(
  fileURLToPath(new URL('../../fixtures/breweries.csv', import.meta.url)),
  'utf8',
);

const BREWERY_COLUMNS = [
  ['lat:', 'column: latitude,'],
  ['lng:', 'column: longitude,'],
] as const;

/** The declaration for the columns of the breweries. */
function ofBreweries(declaration: string): string {
  return BREWERY_COLUMNS.reduce(
    (text, [field, column]) => text.replace(`  ${field} {`, `  ${field} { ${column}`),
    declaration,
  );
}

async function noticesOf(declaration: string, csv: string): Promise<readonly string[]> {
  const { notices } = await importByManifest(declaration, { 'p.csv': csv });
  return notices.filter((notice) => !notice.startsWith('These columns'));
}

async function refuse(declaration: string, csv: string): Promise<string> {
  const error = await noticesOf(declaration, csv).catch((thrown: unknown) => thrown);
  if (!(error instanceof PublishError)) throw new Error('Nothing was refused.');
  return `${error.message}\n${error.hint}`;
}

test('points that are exchanged are told, also without a region', async () => {
  expect(await noticesOf(ofBreweries(declare('')), BREWERIES)).toMatchInlineSnapshot(`
    [
      "46 of 236 rows have no point, so no bounding box finds them: p.csv:2, p.csv:3, p.csv:6 and 43 more.",
      "4 of 190 points lie far from all others, but would lie near many others with latitude and longitude swapped. Perhaps they are written in the wrong order: p.csv:110 (-86.82090087116428, 34.140935577297924), p.csv:131 (-72.5648933, 41.7771052), p.csv:230 (-8.434270976824363, 40.84133461624508) and 1 more.",
    ]
  `);
});

test('points outside a region are told, and those that would be inside if exchanged', async () => {
  expect(
    await noticesOf(
      ofBreweries(declare('{ south: 24, west: -125, north: 50, east: -66 }')),
      BREWERIES,
    ),
  ).toMatchInlineSnapshot(`
    [
      "46 of 236 rows have no point, so no bounding box finds them: p.csv:2, p.csv:3, p.csv:6 and 43 more.",
      "59 of 190 points lie outside the region from 24 to 50 degrees north and from -125 to -66 degrees east: p.csv:5 (38.7965334, -9.1731814), p.csv:7 (38.7222444, -9.130962), p.csv:8 (37.1488678, -8.4315428) and 56 more.",
      "2 of 190 points are outside, but would be inside with latitude and longitude swapped: p.csv:110 (-86.82090087116428, 34.140935577297924) and p.csv:131 (-72.5648933, 41.7771052).",
    ]
  `);
  expect(await noticesOf(ofBreweries(declare('us_states')), BREWERIES)).toMatchInlineSnapshot(`
    [
      "46 of 236 rows have no point, so no bounding box finds them: p.csv:2, p.csv:3, p.csv:6 and 43 more.",
      "59 of 190 points lie outside the areas of us_states: p.csv:5 (38.7965334, -9.1731814), p.csv:7 (38.7222444, -9.130962), p.csv:8 (37.1488678, -8.4315428) and 56 more.",
      "2 of 190 points are outside, but would be inside with latitude and longitude swapped: p.csv:110 (-86.82090087116428, 34.140935577297924) and p.csv:131 (-72.5648933, 41.7771052).",
    ]
  `);
});

test('a publish is refused with more points outside the region than the manifest accepts', async () => {
  expect(await refuse(ofBreweries(declare('us_states', '2')), BREWERIES)).toMatchInlineSnapshot(`
    "us.places has more points outside its region than the manifest accepts (accept.outside_region: 2).
    59 of 190 points lie outside the areas of us_states: p.csv:5 (38.7965334, -9.1731814), p.csv:7 (38.7222444, -9.130962), p.csv:8 (37.1488678, -8.4315428) and 56 more.
    2 of 190 points are outside, but would be inside with latitude and longitude swapped: p.csv:110 (-86.82090087116428, 34.140935577297924) and p.csv:131 (-72.5648933, 41.7771052).
    Correct the rows or the region, leave the rows out with a step (rows: where), or accept more."
  `);
  expect(await noticesOf(ofBreweries(declare('us_states', '50%')), BREWERIES)).toHaveLength(3);
});

test('columns that are exchanged are refused, inside the legal range too', async () => {
  const csv = 'id,lat,lng\nZurich,8.54,47.37\nBern,7.45,46.95\nGeneva,6.14,46.2\n';
  expect(
    await refuse(declare('{ south: 45, west: 5, north: 48, east: 11 }', '100%'), csv),
  ).toMatchInlineSnapshot(`
    "Latitude and longitude of us.places are swapped.
    3 of 3 points lie outside the region from 45 to 48 degrees north and from 5 to 11 degrees east: p.csv:2 (8.54, 47.37), p.csv:3 (7.45, 46.95) and p.csv:4 (6.14, 46.2).
    3 of 3 points are outside, but would be inside with latitude and longitude swapped: p.csv:2 (8.54, 47.37), p.csv:3 (7.45, 46.95) and p.csv:4 (6.14, 46.2).
    Swap the columns of the fields lat and lng, or correct the region of the point."
  `);
  const american = 'id,lat,lng\nBoston,-71.06,42.36\nDenver,-104.99,39.74\nMiami,-80.19,25.76\n';
  expect(
    await refusalByManifest(declare(''), { 'p.csv': american.replace('-71.06', '-171.06') }),
  ).toMatchInlineSnapshot(`
    "p.csv:2: lat: '-171.06' is not between -90 and 90, but the longitude is. Swap the two fields in the manifest (their columns, or lat and lng in the format), or the two values of the row.
    p.csv:3: lat: '-104.99' is not between -90 and 90, but the longitude is. Swap the two fields in the manifest (their columns, or lat and lng in the format), or the two values of the row."
  `);
});

test('a region can cross the antimeridian', async () => {
  const csv = 'id,lat,lng\nSuva,-18.1,178.4\nTaveuni,-16.8,-179.9\nApia,-13.8,-171.8\n';
  expect(
    await noticesOf(declare('{ south: -21, west: 176, north: -12, east: -178 }'), csv),
  ).toMatchInlineSnapshot(`
    [
      "1 of 3 points lies outside the region from -21 to -12 degrees north and from 176 to -178 degrees east: p.csv:4 (-13.8, -171.8).",
    ]
  `);
});

test('rows without a point and points at 0, 0 are kept and told', async () => {
  const { rows, notices } = await importByManifest(declare(''), {
    'p.csv': 'id,lat,lng\na,,\nb,0,0\nc,47,8\nd,,\n',
  });
  expect(rows).toHaveLength(4);
  expect(notices).toMatchInlineSnapshot(`
    [
      "2 of 4 rows have no point, so no bounding box finds them: p.csv:2 and p.csv:5.",
      "1 of 2 points is 0, 0, which often stands for a missing point: p.csv:3 (0, 0).",
    ]
  `);
});

test('a region that cannot be is refused with its line', async () => {
  expect(
    [
      await refusalByManifest(declare('us_state'), {}),
      await refusalByManifest(declare('{ south: 50, west: 0, north: 40, east: 1 }'), {}),
      await refusalByManifest(declare('{ south: 50, west: 0, north: 95 }'), {}),
      await refusalByManifest(declare('', '0'), {}),
      await refusalByManifest(declare('us_states', 'some'), {}),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "locmetrics.yaml:6: datasets.us.places.point.region: There are no boundaries 'us_state'. Did you mean 'us_states'?
    locmetrics.yaml:6: datasets.us.places.point.region: The south edge, 50, is north of the north edge, 40. Swap them.
    locmetrics.yaml:6: datasets.us.places.point.region: The key 'east' is missing.
    locmetrics.yaml:6: datasets.us.places.point.region.north: 95 must be <= 90.
    locmetrics.yaml:7: datasets.us.places.accept.outside_region: The point of the dataset has no region. Declare it, such as point: { …, region: us_states }, or leave this out.
    locmetrics.yaml:7: datasets.us.places.accept.outside_region: "some" is neither a count nor a share. Write a whole number such as 10, or a percentage such as 1%."
  `);
});

/** The coordinates of points whose texts have a format. */
async function readDegrees(
  format: string,
  points: readonly (readonly [string, string])[],
): Promise<readonly (readonly (number | null)[])[]> {
  const rows = await valuesOf(declareDegrees(format), { 'p.csv': toCsv(points) });
  const numberOf = (text: string | null | undefined) =>
    text === null || text === undefined ? null : Number(Number(text).toFixed(6));
  return rows.map(([, latitude, longitude]) => [numberOf(latitude), numberOf(longitude)]);
}

const declareDegrees = (format: string, both = false) => `files: p.csv
key: [id]
point: { latitude: lat, longitude: lng }
fields:
  id: { type: integer }
  lat: { type: float, format: '${format}' }
  lng: { type: float, ${both ? 'column: lat, ' : ''}format: '${format}' }`;

function toCsv(points: readonly (readonly [string, string])[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = points.map(([lat, lng], index) => `${index + 1},${quoted(lat)},${quoted(lng)}`);
  return ['id,lat,lng', ...lines, ''].join('\n');
}

test('coordinates in degrees, minutes and seconds are read in their usual spellings', async () => {
  const written = [
    [`47°38'51.7"N`, `122°20'59"W`],
    [`47 38 51.7 N`, `122 20 59 W`],
    [`47° 38.861667' N`, `122° 20.983333' W`],
    [`N47 38 51.7`, `W122 20 59`],
    [`n 47-38-51.7`, `w 122-20-59`],
    [`+47:38:51.7`, `-122:20:59`],
    [`47º38’51.7”N`, `122˚20′59″w`],
    [`47 deg 38 min 51.7 sec N`, `122 Degrees 20 Minutes 59 Seconds W`],
    [`47°38'51,7''N`, `−122°20'59''`],
    [`47.647694°N`, `122.349722 W`],
    [`  47° 38' 51.7" N `, `122° 20' 59" W`],
  ] as const;
  const read = await readDegrees('DMS', written);
  expect(read.map((row) => row.map((value) => value?.toFixed(5)))).toEqual(
    written.map(() => ['47.64769', '-122.34972']),
  );
  expect(
    await readDegrees('DMS', [
      [`0°0'0"S`, '180 E'],
      ['', ''],
      ['90S', '0°30\u00a0E'],
    ]),
  ).toEqual([
    [0, 180],
    [null, null],
    [-90, 0.5],
  ]);
  expect(
    await readDegrees('-DMS', [
      ['47 30', '-122 30 0'],
      ['47 30 S', '8 30'],
    ]),
  ).toEqual([
    [47.5, -122.5],
    [-47.5, 8.5],
  ]);
});

test('a coordinate in degrees, minutes and seconds that is none is refused with its line and reason', async () => {
  const points = [
    ['47 60 00 N', '8 E'],
    ['47 38 60 N', '8 E'],
    ['47 38 51', '8 30'],
    ['-47 38 51 S', '8 E'],
    ['N47 38 51 N', '8 E'],
    ['47 38 E', '8 30 N'],
    ['91 N', '181 E'],
    ['473851N', 'x'],
    ['47 38.5 51 N', '8° 30'],
  ] as const;
  expect(
    await refusalByManifest(declareDegrees('DMS'), { 'p.csv': toCsv(points) }),
  ).toMatchInlineSnapshot(`
    "p.csv:2: lat: '47 60 00 N' has 60 minutes or more.
    p.csv:3: lat: '47 38 60 N' has 60 seconds or more.
    p.csv:4: lat: '47 38 51' has neither a letter, N or S, nor a sign. If values without a sign are north or east, declare it: format: -DMS. If all are west, add the letter: expression: '"Longitude" || ''W'''.
    p.csv:4: lng: '8 30' has neither a letter, E or W, nor a sign. If values without a sign are north or east, declare it: format: -DMS. If all are west, add the letter: expression: '"Longitude" || ''W'''.
    p.csv:5: lat: '-47 38 51 S' has more than one letter or sign.
    p.csv:6: lat: 'N47 38 51 N' has more than one letter or sign.
    p.csv:7: lat: '47 38 E' is a latitude, but has the letter E.
    p.csv:7: lng: '8 30 N' is a longitude, but has the letter N.
    p.csv:8: lat: '91 N' is not between -90 and 90.
    p.csv:8: lng: '181 E' is not between -180 and 180.
    p.csv:9: lat: '473851N' is not a latitude as in DMS.
    p.csv:9: lng: 'x' is not a longitude as in DMS.
    p.csv:10: lat: '47 38.5 51 N' is not a latitude as in DMS.
    p.csv:10: lng: '8° 30' has neither a letter, E or W, nor a sign. If values without a sign are north or east, declare it: format: -DMS. If all are west, add the letter: expression: '"Longitude" || ''W'''."
  `);
});

test('both coordinates in degrees, minutes and seconds are read from one text', async () => {
  const read = async (format: string, texts: readonly string[]) => {
    const rows = await valuesOf(declareDegrees(format, true), {
      'p.csv': toCsv(texts.map((text) => [text, ''])),
    });
    return rows.map(([, ...values]) => values.map((value) => Number(value).toFixed(5)).join(' '));
  };
  expect(
    await read('DMS lat lng', [
      `47°38'51.7"N 122°20'59"W`,
      `47°38'51.7"N122°20'59"W`,
      'N47 38 51.7 W122 20 59',
      '47 38 51.7 N  122 20 59 W',
      '+47 38 51.7 -122 20 59',
    ]),
  ).toEqual(Array.from({ length: 5 }, () => '47.64769 -122.34972'));
  expect(await read('DMS (lng, lat)', [`(8° 30' E, 47° 30' N)`])).toEqual(['47.50000 8.50000']);
  expect(
    await refusalByManifest(declareDegrees('DMS lat, lng', true), {
      'p.csv': toCsv([
        [`47°38'N`, ''],
        [`8°30'E, 47°30'N`, ''],
        ['47 30, 8 30', ''],
        ['47 75 N, 8 E', ''],
      ]),
    }),
  ).toMatchInlineSnapshot(`
    "p.csv:2: lat: '47°38'N' is not a latitude as in DMS lat, lng.
    p.csv:2: lng: '47°38'N' is not a longitude as in DMS lat, lng.
    p.csv:3: lat: '8°30'E, 47°30'N' is a latitude, but has the letter E.
    p.csv:3: lng: '8°30'E, 47°30'N' is a longitude, but has the letter N.
    p.csv:4: lat: '47 30, 8 30' has neither a letter, N or S, nor a sign. If values without a sign are north or east, declare it: format: -DMS. If all are west, add the letter: expression: '"Longitude" || ''W'''.
    p.csv:4: lng: '47 30, 8 30' has neither a letter, E or W, nor a sign. If values without a sign are north or east, declare it: format: -DMS. If all are west, add the letter: expression: '"Longitude" || ''W'''.
    p.csv:5: lat: '47 75 N, 8 E' has 60 minutes or more."
  `);
  expect(
    [
      await refusalByManifest(declareDegrees('-DMS lat lng', true), {}),
      await refusalByManifest(declareDegrees('DM', true), {}),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "locmetrics.yaml:9: datasets.us.places.fields.lat.format: '-DMS lat lng' is not a number format. For degrees, minutes and seconds write DMS, -DMS if a coordinate without a sign is north or east, or for both in one text DMS lat, lng.
    locmetrics.yaml:10: datasets.us.places.fields.lng.format: '-DMS lat lng' is not a number format. For degrees, minutes and seconds write DMS, -DMS if a coordinate without a sign is north or east, or for both in one text DMS lat, lng.
    locmetrics.yaml:9: datasets.us.places.fields.lat.format: 'DM' is not a number format. For degrees, minutes and seconds write DMS, -DMS if a coordinate without a sign is north or east, or for both in one text DMS lat, lng.
    locmetrics.yaml:10: datasets.us.places.fields.lng.format: 'DM' is not a number format. For degrees, minutes and seconds write DMS, -DMS if a coordinate without a sign is north or east, or for both in one text DMS lat, lng."
  `);
});

test('a coordinate with degrees or a letter in a plain number is refused with the format to declare', async () => {
  expect(
    await refusalByManifest(declare(''), {
      'p.csv': 'id,lat,lng\na,47°38,8.5\nb,47.6N,8.5\nc,forty,8.5\n',
    }),
  ).toMatchInlineSnapshot(`
    "p.csv:2: lat: '47°38' is not a number. For degrees, minutes and seconds, or letters such as N, declare format: DMS.
    p.csv:3: lat: '47.6N' is not a number. For degrees, minutes and seconds, or letters such as N, declare format: DMS.
    p.csv:4: lat: 'forty' is not a number."
  `);
});

test('a random coordinate has the same value in every spelling', async () => {
  const seed = announceSeed('random coordinates');
  const spellings: readonly ((parts: readonly [number, number, number], mark: string) => string)[] =
    [
      ([d, m, s], mark) => `${d}°${m}'${s}"${mark}`,
      ([d, m, s], mark) => `${mark} ${d} ${m} ${s}`,
      ([d, m, s], mark) => `${d}-${m}-${s} ${mark.toLowerCase()}`,
      ([d, m, s], mark) => `${'SW'.includes(mark) ? '-' : '+'}${d}:${m}:${s}`,
      ([d, m, s], mark) => `${d}º ${m + s / 60}′ ${mark}`,
      ([d, m, s], mark) => `${String(d + m / 60 + s / 3600).replace('.', ',')} ${mark}`,
    ];
  const part = (max: number) =>
    fc.record({
      degrees: fc.integer({ min: 0, max }),
      minutes: fc.integer({ min: 0, max: 59 }),
      seconds: fc.integer({ min: 0, max: 5999 }).map((hundredths) => hundredths / 100),
      isNegative: fc.boolean(),
      spelling: fc.constantFrom(...spellings),
    });
  const [points = []] = fc.sample(
    fc.array(fc.record({ lat: part(89), lng: part(179) }), { minLength: 300, maxLength: 300 }),
    { seed, numRuns: 1 },
  );
  const write = ({ degrees, minutes, seconds, isNegative, spelling }: Part, marks: string) =>
    spelling([degrees, minutes, seconds], marks[isNegative ? 1 : 0] ?? '');
  type Part = (typeof points)[number]['lat'];
  const valueOfPart = ({ degrees, minutes, seconds, isNegative }: Part) => {
    const size = degrees + minutes / 60 + seconds / 3600;
    return size === 0 ? 0 : Number((isNegative ? -size : size).toFixed(6));
  };
  const read = await readDegrees(
    'DMS',
    points.map(({ lat, lng }) => [write(lat, 'NS'), write(lng, 'EW')] as const),
  );
  expect(read).toEqual(points.map(({ lat, lng }) => [valueOfPart(lat), valueOfPart(lng)]));
});
