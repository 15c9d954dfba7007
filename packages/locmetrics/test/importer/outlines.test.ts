import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { refusalByManifest, valuesOf } from './import-by-manifest.ts';

const FILES = fileURLToPath(new URL('../fixtures/geo/', import.meta.url));
const readFixture = (name: string) => readFile(join(FILES, name));

const FIELDS = `key: [id]
outline: shape
fields:
  id: { type: string }
  shape: { type: string, column: $outline }`;

const SQUARE = '[[[0,0],[10,0],[10,10],[0,10],[0,0]]]';
const HOLED = '[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[3,3],[3,6],[6,6],[6,3],[3,3]]]';
const polygon = (coordinates: string) => `{"type":"Polygon","coordinates":${coordinates}}`;
const collection = (...geometries: readonly string[]) =>
  `{"type":"FeatureCollection","features":[${geometries.map(
    (geometry, index) =>
      `{"type":"Feature","properties":{"id":"f${index}"},"geometry":${geometry}}`,
  )}]}`;

test('the outlines of GeoJSON are kept, and an empty one is absent', async () => {
  const outlines = [
    polygon('[[[0.10,0],[10,0],[10,12.123456789012345],[0.10,0]]]'),
    polygon(HOLED),
    `{"type":"MultiPolygon","coordinates":[${SQUARE},[[[20,0,5],[21,0,5],[21,1,5],[20,0,5]]]]}`,
  ];
  const files = { 'a.geojson': collection(...outlines, 'null', polygon('[]')) };
  const rows = await valuesOf(`files: a.geojson\n${FIELDS}`, files);
  // A number can be written in several ways.
  expect(rows.map(([id, outline]) => [id, JSON.parse(outline ?? 'null')])).toEqual([
    ...outlines.map((outline, index) => [`f${index}`, JSON.parse(outline)]),
    ['f3', null],
    ['f4', null],
  ]);
});

test('GeoJSON texts in CSV and JSON, and objects in JSON, are outlines', async () => {
  const fields = FIELDS.replace(', column: $outline', '');
  const quoted = `"${polygon(SQUARE).replaceAll('"', '""')}"`;
  const rows = [['a', polygon(SQUARE)]];
  expect(await valuesOf(`files: a.csv\n${fields}`, { 'a.csv': `id,shape\na,${quoted}\n` })).toEqual(
    rows,
  );
  const text = JSON.stringify({ id: 'a', shape: polygon(SQUARE) });
  const object = `{"id":"b","shape":${polygon(SQUARE)}}`;
  expect(
    await valuesOf(`files: a.ndjson\n${fields}`, { 'a.ndjson': `${text}\n${object}\n` }),
  ).toEqual([...rows, ['b', polygon(SQUARE)]]);
});

test('steps keep the outline', async () => {
  const files = { 'a.geojson': collection(polygon(SQUARE), polygon(HOLED)) };
  const stepped = `files: a.geojson\nrows:\n  - where: "id = 'f1'"\n${FIELDS}`;
  expect(await valuesOf(stepped, files)).toEqual([['f1', polygon(HOLED)]]);
});

const COUNTRIES = `key: [name]
outline: shape
fields:
  name: { type: string }
  shape: { type: string, column: $outline }`;

test('a shapefile and a GeoPackage of the same countries have the same outlines', async () => {
  const shapefile = await valuesOf(`files: c.shp.zip\n${COUNTRIES}`, {
    'c.shp.zip': await readFixture('countries.shp.zip'),
  });
  const geopackage = await valuesOf(`files: p.gpkg\nread: { member: countries }\n${COUNTRIES}`, {
    'p.gpkg': await readFixture('places.gpkg'),
  });
  const summary = (rows: typeof shapefile) => rows.map(([name, shape]) => [name, areas(shape)]);
  expect(summary(shapefile)).toEqual(summary(geopackage));
  expect(summary(shapefile)).toMatchInlineSnapshot(`
    [
      [
        "Antarctica",
        [
          [
            5979.624,
          ],
          [
            19.323,
          ],
          [
            12.711,
          ],
        ],
      ],
      [
        "Côte d'Ivoire",
        [
          [
            27.21,
          ],
        ],
      ],
      [
        "Fiji",
        [
          [
            0.96,
          ],
          [
            0.609,
          ],
          [
            0.067,
          ],
        ],
      ],
      [
        "Italy",
        [
          [
            29.021,
          ],
          [
            3.109,
          ],
          [
            2.843,
          ],
        ],
      ],
      [
        "South Africa",
        [
          [
            115.172,
            -2.566,
          ],
        ],
      ],
      [
        "Switzerland",
        [
          [
            5.487,
          ],
        ],
      ],
    ]
  `);
});

/** The areas of the rings of each polygon in square degrees, holes negative. */
function areas(shape: string | null | undefined): readonly (readonly number[])[] {
  const { type, coordinates } = JSON.parse(shape ?? '');
  const polygons: readonly (readonly (readonly [number, number])[])[][] =
    type === 'Polygon' ? [coordinates] : coordinates;
  const areaOf = (ring: readonly (readonly [number, number])[]) =>
    ring.slice(1).reduce((sum, [x, y], index) => {
      const [before, below] = ring[index] ?? [0, 0];
      return sum + (before * y - x * below) / 2;
    }, 0);
  return polygons
    .map((rings) => rings.map((ring) => Number(areaOf(ring).toFixed(3))))
    .toSorted((left, right) => (right[0] ?? 0) - (left[0] ?? 0))
    .slice(0, 3);
}

test.each([
  ['a point', '{"type":"Point","coordinates":[1,2]}'],
  ['a collection', '{"type":"GeometryCollection","geometries":[]}'],
  ['an open ring', polygon('[[[0,0],[1,0],[1,1],[0,1]]]')],
  ['a short ring', polygon('[[[0,0],[1,0],[0,0]]]')],
  ['no area', polygon('[[[0,0],[1,0],[2,0],[0,0]]]')],
  ['a latitude beyond the pole', polygon('[[[0,0],[1,0],[1,95],[0,0]]]')],
  ['a text', polygon('[[["0",0],[1,0],[1,5],[0,0]]]')],
  ['other coordinates', polygon('[1]')],
  ['an empty ring', polygon(`[${SQUARE.slice(1, -1)},[]]`)],
])('%s is not an outline', async (_, geometry) => {
  const files = { 'a.geojson': collection(polygon(SQUARE), geometry) };
  const refusal = await refusalByManifest(`files: a.geojson\n${FIELDS}`, files);
  expect(refusal).toMatchSnapshot();
});

test('a line of CSV that is not an outline is named', async () => {
  const fields = FIELDS.replace(', column: $outline', '');
  const files = { 'a.csv': `id,shape\na,\nb,POLYGON((0 0))\nc,"{""type"":""Feature""}"\nd,{}\n` };
  expect(await refusalByManifest(`files: a.csv\n${fields}`, files)).toMatchInlineSnapshot(`
    "a.csv:3: shape: 'POLYGON((0 0))' is not JSON.
    a.csv:4: shape: '{"type":"Feature"}' is a Feature, not a Polygon or MultiPolygon.
    a.csv:5: shape: '{}' is not a GeoJSON geometry."
  `);
});

test('a line of a shapefile is not an outline', async () => {
  const files = { 's.zip': await readFixture('network.zip') };
  const refusal = await refusalByManifest(
    `files: s.zip\nformat: shapefile\nread: { member: data/routes.shp }\nkey: [id]\noutline: shape\nfields:\n  id: { type: string, column: $id }\n  shape: { type: string, column: $outline }`,
    files,
  );
  expect(refusal).toMatchInlineSnapshot(`
    "s.zip, feature 1: shape: '{"type":"LineString"}' is a LineString, not a Polygon or MultiPolygon.
    s.zip, feature 2: shape: '{"type":"LineString"}' is a LineString, not a Polygon or MultiPolygon."
  `);
});

test('an outline has a field of its own', async () => {
  const files = { 'a.geojson': collection(polygon(SQUARE)) };
  const declared = (fields: string) => refusalByManifest(`files: a.geojson\n${fields}`, files);
  expect(await declared(FIELDS.replace('outline: shape', 'outline: shap'))).toMatchInlineSnapshot(
    `"locmetrics.yaml:6: datasets.us.places.outline: There is no field 'shap'. Did you mean 'shape'?"`,
  );
  expect(await declared(FIELDS.replace('outline: shape', 'outline: id'))).toMatchInlineSnapshot(
    `"locmetrics.yaml:6: datasets.us.places.outline: The field 'id' is also part of the key. Use a field of its own for the outlines."`,
  );
  expect(
    await declared(FIELDS.replace('type: string, column', 'type: float, column')),
  ).toMatchInlineSnapshot(
    `"locmetrics.yaml:6: datasets.us.places.outline: The field 'shape' has the type float. It must be string."`,
  );
  expect(
    await declared(FIELDS.replace('column: $outline', 'column: $outline, sorted: true')),
  ).toMatchInlineSnapshot(
    `"locmetrics.yaml:9: datasets.us.places.fields.shape.sorted: The field 'shape' holds outlines, which are not compared. Leave this out."`,
  );
});

const STATES = `files: a.csv
key: [id]
point: { latitude: lat, longitude: lng }
outline: shape
fields:
  id: { type: string }
  lat: { type: float }
  lng: { type: float }
  shape: { type: string, from: { area: us_states, value: outline } }`;

test('a record has the outline of the state that its point is in', async () => {
  const files = { 'a.csv': 'id,lat,lng\nco,39,-105\nhi,20.8,-156.3\nsea,0,0\nnone,,\n' };
  const rows = await valuesOf(STATES, files);
  const shapes = rows.map(([id, , , shape]) => [id, shape === null ? null : areas(shape).length]);
  expect(shapes).toEqual([
    ['co', 1],
    ['hi', 3],
    ['none', null],
    ['sea', null],
  ]);
  const [colorado] = areas(rows[0]?.[3]).flat();
  // About 4 by 7 degrees.
  expect(Math.abs(colorado ?? 0)).toBeGreaterThan(27);
});

test('an outline of an area is that of the dataset, and nothing else is', async () => {
  const files = { 'a.csv': 'id,lat,lng\nco,39,-105\n' };
  const refused = (declaration: string) => refusalByManifest(declaration, files);
  expect(await refused(STATES.replace('outline: shape\n', ''))).toMatchInlineSnapshot(
    `"locmetrics.yaml:11: datasets.us.places.fields.shape.from: The value of the field 'shape' is an outline. Declare it: outline: shape."`,
  );
  expect(await refused(STATES.replace('value: outline', 'value: name'))).toMatchInlineSnapshot(
    `"locmetrics.yaml:12: datasets.us.places.fields.shape.from: The field 'shape' holds outlines. Write from: { area: …, value: outline }."`,
  );
});
