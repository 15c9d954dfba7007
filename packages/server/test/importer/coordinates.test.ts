import { expect, test } from 'vitest';
import { PublishError } from '../../src/importer/problems/publish-error.ts';
import { importByManifest, refusalByManifest } from './import-by-manifest.ts';

/** A dataset of points, with what is declared about them. */
const declare = (region: string, accept = '') => `files: p.csv
key: [id]
point: { latitude: lat, longitude: lng${region === '' ? '' : `, region: ${region}`} }
${accept === '' ? '' : `accept: { outside_region: ${accept} }\n`}fields:
  id: { type: string }
  lat: { type: float }
  lng: { type: float }`;

/** Two breweries of the Open Brewery DB whose coordinates are exchanged there, among others around them. */
const BREWERIES = `id,lat,lng
Goat Island Brewing,-86.82090087116428,34.140935577297924
Labyrinth Brewing,-72.5648933,41.7771052
${Array.from({ length: 24 }, (_, index) => `Cullman ${index},34.1${index + 10},-86.8${index + 10}`).join('\n')}
${Array.from({ length: 24 }, (_, index) => `Manchester ${index},41.7${index + 10},-72.5${index + 10}`).join('\n')}
Elsewhere,47.4,8.5
`;

async function noticesOf(declaration: string, csv: string): Promise<readonly string[]> {
  return (await importByManifest(declaration, { 'p.csv': csv })).notices;
}

async function refuse(declaration: string, csv: string): Promise<string> {
  const error = await noticesOf(declaration, csv).catch((thrown: unknown) => thrown);
  if (!(error instanceof PublishError)) throw new Error('Nothing was refused.');
  return `${error.message}\n${error.hint}`;
}

test('points that are exchanged are told, also without a region', async () => {
  expect(await noticesOf(declare(''), BREWERIES)).toMatchInlineSnapshot(`
    [
      "2 of 51 points lie far from all others, but among many if latitude and longitude are exchanged, so perhaps they are written in the wrong order: p.csv:2 (-86.82090087116428, 34.140935577297924) and p.csv:3 (-72.5648933, 41.7771052).",
    ]
  `);
});

test('points outside a region are told, and those that would be inside if exchanged', async () => {
  expect(
    await noticesOf(declare('{ south: 24, west: -125, north: 50, east: -66 }'), BREWERIES),
  ).toMatchInlineSnapshot(`
    [
      "3 of 51 points lie outside the region from 24 to 50 degrees north and from -125 to -66 degrees east: p.csv:2 (-86.82090087116428, 34.140935577297924), p.csv:3 (-72.5648933, 41.7771052) and p.csv:52 (47.4, 8.5).",
      "2 of 51 points are outside, but would be inside with latitude and longitude exchanged: p.csv:2 (-86.82090087116428, 34.140935577297924) and p.csv:3 (-72.5648933, 41.7771052).",
    ]
  `);
  expect(await noticesOf(declare('us_states'), BREWERIES)).toMatchInlineSnapshot(`
    [
      "3 of 51 points lie outside the areas of us_states: p.csv:2 (-86.82090087116428, 34.140935577297924), p.csv:3 (-72.5648933, 41.7771052) and p.csv:52 (47.4, 8.5).",
      "2 of 51 points are outside, but would be inside with latitude and longitude exchanged: p.csv:2 (-86.82090087116428, 34.140935577297924) and p.csv:3 (-72.5648933, 41.7771052).",
    ]
  `);
});

test('a publish is refused with more points outside the region than the manifest accepts', async () => {
  expect(await refuse(declare('us_states', '2'), BREWERIES)).toMatchInlineSnapshot(`
    "us.places has more points outside its region than the manifest accepts (accept.outside_region: 2).
    3 of 51 points lie outside the areas of us_states: p.csv:2 (-86.82090087116428, 34.140935577297924), p.csv:3 (-72.5648933, 41.7771052) and p.csv:52 (47.4, 8.5).
    2 of 51 points are outside, but would be inside with latitude and longitude exchanged: p.csv:2 (-86.82090087116428, 34.140935577297924) and p.csv:3 (-72.5648933, 41.7771052).
    Correct the rows or the region, leave the rows out with a step (rows: where), or accept more."
  `);
  expect(await noticesOf(declare('us_states', '10%'), BREWERIES)).toHaveLength(2);
});

test('columns that are exchanged are refused, inside the legal range too', async () => {
  const csv = 'id,lat,lng\nZurich,8.54,47.37\nBern,7.45,46.95\nGeneva,6.14,46.2\n';
  expect(
    await refuse(declare('{ south: 45, west: 5, north: 48, east: 11 }', '100%'), csv),
  ).toMatchInlineSnapshot(`
    "Latitude and longitude of us.places are exchanged.
    3 of 3 points lie outside the region from 45 to 48 degrees north and from 5 to 11 degrees east: p.csv:2 (8.54, 47.37), p.csv:3 (7.45, 46.95) and p.csv:4 (6.14, 46.2).
    3 of 3 points are outside, but would be inside with latitude and longitude exchanged: p.csv:2 (8.54, 47.37), p.csv:3 (7.45, 46.95) and p.csv:4 (6.14, 46.2).
    Exchange the columns of the fields lat and lng, or correct the region of the point."
  `);
  const american = 'id,lat,lng\nBoston,-71.06,42.36\nDenver,-104.99,39.74\nMiami,-80.19,25.76\n';
  expect(
    await refusalByManifest(declare(''), { 'p.csv': american.replace('-71.06', '-171.06') }),
  ).toMatchInlineSnapshot(`
    "p.csv:2: lat: '-171.06' is not between -90 and 90, but the longitude is. Exchange the columns of the two fields in the manifest, or the two values of the row.
    p.csv:3: lat: '-104.99' is not between -90 and 90, but the longitude is. Exchange the columns of the two fields in the manifest, or the two values of the row."
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
    locmetrics.yaml:6: datasets.us.places.point.region: The south, 50, is north of the north, 40. Exchange them.
    locmetrics.yaml:6: datasets.us.places.point.region: The key 'east' is missing.
    locmetrics.yaml:6: datasets.us.places.point.region.north: 95 must be <= 90.
    locmetrics.yaml:7: datasets.us.places.accept.outside_region: The point of the dataset has no region. Declare it, such as point: { …, region: us_states }, or leave this out.
    locmetrics.yaml:7: datasets.us.places.accept.outside_region: "some" is neither a count nor a share. Write a whole number from 0 up such as 10, or a percentage such as 1%."
  `);
});
