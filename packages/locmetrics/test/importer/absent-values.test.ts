import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { scopedFolder } from '../support/temporary-folder.ts';
import { drafted } from './draft/draft-under-test.ts';
import { parquetOf } from './formats/parquet-of.ts';
import { refusalByManifest, valuesOf } from './import-by-manifest.ts';

const DECLARED = `read: { nulls: ['-999', n/a, '1900-01-01'] }
key: [id]
fields:
  id: { type: string }
  n: { type: integer }
  share: { type: float }
  day: { type: date }`;
const EXPECTED = [
  ['a', '1', '0.5', '2024-01-31'],
  ['b', null, null, null],
  ['c', null, '2.0', null],
];
const ROWS = [
  ['a', 1, 0.5, '2024-01-31'],
  ['b', -999, -999.0, '1900-01-01'],
  ['c', 'n/a', 2, ' n/a '],
] as const;

test('declared texts are absent in CSV and in JSON', async () => {
  const csv = ['id,n,share,day', ...ROWS.map((row) => row.join(','))].join('\n');
  expect(await valuesOf(`files: p.csv\n${DECLARED}`, { 'p.csv': csv })).toEqual(EXPECTED);
  const lines = ROWS.map(([id, n, share, day]) =>
    JSON.stringify({ id, n, share, day }).replace('"share":-999', '"share":-999.0'),
  );
  expect(await valuesOf(`files: p.ndjson\n${DECLARED}`, { 'p.ndjson': lines.join('\n') })).toEqual(
    EXPECTED,
  );
});

test('so they are in Parquet, also as numbers and days, and in steps', async () => {
  const file = await parquetOf(`SELECT * FROM (VALUES
    ('a', 1::INTEGER, 0.5::DOUBLE, DATE '2024-01-31'), ('b', -999, -999.0, DATE '1900-01-01'),
    ('c', NULL, 2, NULL)) AS rows(id, n, share, day)`);
  expect(await valuesOf(`files: p.parquet\n${DECLARED}`, { 'p.parquet': file })).toEqual(EXPECTED);
  const texts = await parquetOf(`SELECT * FROM (VALUES
    ('a', '1', 0.5::DECIMAL(9, 2), '2024-01-31'), ('b', ' -999', -999.00, 'n/a'),
    ('c', 'n/a ', 2, '')) AS rows(id, n, share, day)`);
  expect(await valuesOf(`files: p.parquet\n${DECLARED}`, { 'p.parquet': texts })).toEqual(EXPECTED);
  const stepped = DECLARED.replace('key:', "rows:\n  - where: coalesce(n, '0') <> '1'\nkey:");
  expect(await valuesOf(`files: p.parquet\n${stepped}`, { 'p.parquet': texts })).toEqual(
    EXPECTED.slice(1),
  );
});

test('a draft of Parquet declares a number that means nothing', async () => {
  const file = await parquetOf(`SELECT 's' || i AS station, DATE '2024-01-01' AS day,
    CASE WHEN i % 7 = 0 THEN -9999 ELSE i END AS visits FROM range(1, 40) AS rows(i)`);
  const { text, rows } = await drafted({ 'p.parquet': file });
  expect(text).toContain("nulls: ['-9999']");
  expect(rows.filter((row) => row['visits'] === null)).toHaveLength(5);
});

const POINT = `key: [id]
point: { latitude: lat, longitude: lng }
fields:
  id: { type: string }
  lat: { type: float, column: where, format: 'POINT (lng lat)' }
  lng: { type: float, column: where, format: 'POINT (lng lat)' }`;

test('an empty point of well-known text is absent, and its record is kept', async () => {
  const csv =
    'id,where\na,POINT (-122.6 45.5)\nb,POINT EMPTY\nc,\nd,point z  empty\ne,POINT(1 2)\n';
  expect(await valuesOf(`files: p.csv\n${POINT}`, { 'p.csv': csv })).toEqual([
    ['a', '45.5', '-122.6'],
    ['b', null, null],
    ['c', null, null],
    ['d', null, null],
    ['e', '2.0', '1.0'],
  ]);
  expect(
    await refusalByManifest(`files: p.csv\n${POINT}`, {
      'p.csv': 'id,where\na,POINT (1 2)\nb,LINESTRING EMPTY\n',
    }),
  ).toMatchInlineSnapshot(`
    "p.csv:3: lat: 'LINESTRING EMPTY' is not a point as in POINT (lng lat).
    p.csv:3: lng: 'LINESTRING EMPTY' is not a point as in POINT (lng lat)."
  `);
  const { text, rows } = await drafted({ 'p.csv': csv });
  expect(text).toContain('point: { latitude: latitude, longitude: longitude }');
  expect(rows.map((row) => row['latitude'])).toEqual(['45.5', null, null, null, '2.0']);
});

const FEATURE_POINT = `key: [id]
point: { latitude: lat, longitude: lng }
fields:
  id: { type: string }
  lat: { type: float, column: $latitude }
  lng: { type: float, column: $longitude }`;

const features = (geometries: readonly unknown[]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: geometries.map((geometry, index) => ({
      type: 'Feature',
      properties: { id: 'abcdefgh'[index] },
      ...(geometry === undefined ? {} : { geometry }),
    })),
  });

test('no geometry and an empty one of GeoJSON are absent points', async () => {
  const geojson = features([
    { type: 'Point', coordinates: [-122.6, 45.5] },
    null,
    undefined,
    { type: 'Point', coordinates: [] },
    { type: 'MultiPoint', coordinates: [] },
    { type: 'Polygon', coordinates: [] },
  ]);
  expect(await valuesOf(`files: p.geojson\n${FEATURE_POINT}`, { 'p.geojson': geojson })).toEqual([
    ['a', '45.5', '-122.6'],
    ...['b', 'c', 'd', 'e', 'f'].map((id) => [id, null, null]),
  ]);
  expect(
    await refusalByManifest(`files: p.geojson\n${FEATURE_POINT}`, {
      'p.geojson': features([{ type: 'Point', coordinates: [5] }]),
    }),
  ).toMatchInlineSnapshot(
    `"p.geojson, feature 1: lat: 'Point' is a geometry without this coordinate."`,
  );
});

test('so are the empty points of a GeoPackage, with or without its flag', async () => {
  await using folder = scopedFolder();
  const path = join(folder.path, 'p.gpkg');
  await copyFile(join(import.meta.dirname, '../fixtures/geo/places.gpkg'), path);
  const database = new DatabaseSync(path);
  // The triggers of its index need functions that only programs for maps have.
  const triggers = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%countries%'")
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`);
  const update = database.prepare('UPDATE countries SET geom = ? WHERE fid = ?');
  update.run(geoPackagePoint(EMPTY_FLAG, Number.NaN), 1);
  update.run(geoPackagePoint(0, Number.NaN), 2);
  update.run(null, 3);
  update.run(geoPackagePoint(0, 7.5), 4);
  database.close();
  const declaration = `files: p.gpkg
read: { member: countries }
key: [id]
point: { latitude: lat, longitude: lng }
fields:
  id: { type: integer, column: $id }
  lat: { type: float, column: $latitude }
  lng: { type: float, column: $longitude }`;
  const values = await valuesOf(declaration, { 'p.gpkg': await readFile(path) });
  expect(values.slice(0, 4)).toEqual([
    ['1', null, null],
    ['2', null, null],
    ['3', null, null],
    ['4', '7.5', '7.5'],
  ]);
});

const EMPTY_FLAG = 16;

/** A point in degrees with both coordinates the same, in the bytes of a GeoPackage. */
function geoPackagePoint(flags: number, coordinate: number): Buffer {
  const blob = Buffer.alloc(29);
  blob.write('GP', 'latin1');
  blob[3] = flags + 1;
  blob.writeInt32LE(4326, 4);
  blob[8] = 1;
  blob.writeUInt32LE(1, 9);
  blob.writeDoubleLE(coordinate, 13);
  blob.writeDoubleLE(coordinate, 21);
  return blob;
}
