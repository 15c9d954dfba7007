import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { DatasetShape } from '../declare-dataset.ts';
import { type ImportedRows, importFiles, refusalOf } from '../import-files.ts';

const SHAPE: DatasetShape = {
  fields: { id: 'string', name: 'string', lat: 'float', lng: 'float' },
  key: ['id'],
  columns: { id: '$id', lat: '$latitude', lng: '$longitude' },
  point: { latitude: 'lat', longitude: 'lng' },
};

const feature = (id: unknown, geometry: unknown, properties: unknown = { name: 'x' }) => ({
  type: 'Feature',
  id,
  geometry,
  properties,
});
const point = (...coordinates: readonly unknown[]) => ({ type: 'Point', coordinates });
const collection = (...features: readonly unknown[]) => ({ type: 'FeatureCollection', features });

const FEATURES = [
  feature('b', point(-68.27, 44.35, 100), { name: 'Acadia', state: 'ME' }),
  feature(7, null),
  feature('a', point(180, -90), null),
];

test('of a collection, the properties, the id and the point of its features are read', async () => {
  const text = JSON.stringify({ ...collection(...FEATURES), crs: { type: 'name' } }, null, 2);
  const imported = await importFiles('geojson', { 'p.geojson': text }, SHAPE);
  expect(imported).toMatchInlineSnapshot(`
    {
      "columns": [
        "_row",
        "id",
        "name",
        "lat",
        "lng",
        "_fold_id",
        "_fold_name",
      ],
      "counts": {
        "carriedOver": 0,
        "kept": 3,
        "read": 3,
        "rejected": 0,
        "replaced": 0,
        "total": 3,
      },
      "notices": [
        "These columns of the files are not used by any field: state.",
        "1 of 3 rows has no point, so no bounding box finds it: p.geojson, feature 2.",
      ],
      "rejected": [],
      "rowCount": 3,
      "rows": [
        [
          "0",
          "7",
          "x",
          null,
          null,
          "7",
          "x",
        ],
        [
          "1",
          "a",
          null,
          "-90.0",
          "180.0",
          "a",
          null,
        ],
        [
          "2",
          "b",
          "Acadia",
          "44.35",
          "-68.27",
          "b",
          "acadia",
        ],
      ],
    }
  `);
  const packed = await importFiles('geojson', { 'p.geojson.gz': gzipSync(text) }, SHAPE);
  expect(withoutPlaces(packed)).toEqual(withoutPlaces(imported));
  const lines = FEATURES.map((one) => JSON.stringify(one)).join('\n\n');
  const lined = await importFiles('geojson', { 'p.geojson': lines }, SHAPE);
  expect(withoutPlaces(lined)).toEqual(withoutPlaces(imported));
});

/** Notices name places as their file has them: lines or features. */
function withoutPlaces({ notices, ...imported }: ImportedRows): object {
  return { ...imported, notices: notices.map((notice) => notice.replace(/: p\.geojson.*/, '')) };
}

test('a geometry that has no point, and an item that is not a feature, are refused', async () => {
  const features = [
    feature('a', { type: 'GeometryCollection', geometries: [] }),
    feature('b', point(200, 1)),
    feature('c', { type: 'Point' }),
    { id: 'd' },
    feature('d', point('x', 1), { name: ['x'] }),
    feature('a', null),
  ];
  const text = JSON.stringify(collection(...features));
  expect(
    await refusalOf(importFiles('geojson', { 'p.geojson': text }, SHAPE)),
  ).toMatchInlineSnapshot(`
    "p.geojson, feature 1: lat: 'GeometryCollection' is a geometry that cannot be represented by one point.
    p.geojson, feature 1: lng: 'GeometryCollection' is a geometry that cannot be represented by one point.
    p.geojson, feature 2: lng: '200' is not between -180 and 180.
    p.geojson, feature 3: lat: 'Point' is a geometry without this coordinate.
    p.geojson, feature 3: lng: 'Point' is a geometry without this coordinate.
    p.geojson, feature 4: '{"id":"d"}' is not a GeoJSON Feature.
    p.geojson, feature 5: name: '["x"]' is an array.
    p.geojson, feature 5: lng: 'x' is not a number.
    p.geojson, feature 5: id: 'd' is already in feature 4.
    p.geojson, feature 6: id: 'a' is already in feature 1."
  `);
  const lines = features.map((one) => JSON.stringify(one)).join('\n\n');
  expect(
    await refusalOf(importFiles('geojson', { 'p.geojson': lines }, SHAPE)),
  ).toMatchInlineSnapshot(`
    "p.geojson:1: lat: 'GeometryCollection' is a geometry that cannot be represented by one point.
    p.geojson:1: lng: 'GeometryCollection' is a geometry that cannot be represented by one point.
    p.geojson:3: lng: '200' is not between -180 and 180.
    p.geojson:5: lat: 'Point' is a geometry without this coordinate.
    p.geojson:5: lng: 'Point' is a geometry without this coordinate.
    p.geojson:7: '{"id":"d"}' is not a GeoJSON Feature.
    p.geojson:9: name: '["x"]' is an array.
    p.geojson:9: lng: 'x' is not a number.
    p.geojson:9: id: 'd' is already in line 7.
    p.geojson:11: id: 'a' is already in line 1."
  `);
});

test('a polygon is accepted if no point is needed', async () => {
  const shape: DatasetShape = { fields: { id: 'string' }, key: ['id'], columns: { id: '$id' } };
  const text = JSON.stringify(collection(feature('a', { type: 'Polygon', coordinates: [] })));
  const { rowCount, notices } = await importFiles('geojson', { 'p.geojson': text }, shape);
  expect([rowCount, notices]).toEqual([
    1,
    ['These columns of the files are not used by any field: name.'],
  ]);
});

test('a file without a feature collection or features is refused', async () => {
  const texts = [
    '[{"type":"Feature"}]',
    '{"type":"FeatureCollection"}',
    '{"type":"Topology","features":[]}',
    '{"type":"FeatureCollection","features":[{}',
    '',
  ];
  const refusals: string[] = [];
  for (const text of texts) {
    refusals.push(await refusalOf(importFiles('geojson', { 'p.geojson': text }, SHAPE)));
  }
  expect(new Set(refusals).size).toBe(1);
  expect(refusals[0]).toMatchInlineSnapshot(
    `"p.geojson: is neither a GeoJSON FeatureCollection nor a GeoJSON Feature on each line. Check that it is complete, in UTF-8, and of type FeatureCollection."`,
  );
});

test('an empty collection is an empty dataset, a missing property is refused', async () => {
  const empty = JSON.stringify(collection());
  const { rowCount } = await importFiles('geojson', { 'p.geojson': empty }, SHAPE);
  expect(rowCount).toBe(0);
  const text = JSON.stringify(collection(feature('a', null, { nam: 'x' })));
  expect(
    await refusalOf(importFiles('geojson', { 'p.geojson': text }, SHAPE)),
  ).toMatchInlineSnapshot(`"p.geojson: name: the column 'name' is missing. Did you mean 'nam'?"`);
});
