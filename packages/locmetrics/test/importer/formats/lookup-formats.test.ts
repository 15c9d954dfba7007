import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { serveLocally } from '../../support/listen-locally.ts';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const readFixture = (name: string) =>
  readFile(fileURLToPath(new URL(`../../fixtures/geo/${name}`, import.meta.url)));

const point = (code: string, name: string) =>
  `{"type":"Feature","id":"${code}","properties":{"code":"${code}","name":"${name}"},"geometry":{"type":"Point","coordinates":[1,2]}}`;
const feature = (code: string) =>
  `{"type":"Feature","id":"${code}","properties":{"code":"${code}"},"geometry":{"type":"Point","coordinates":[8.5,47.5]}}`;

test('a join names features: of GeoJSON their properties come over, and what belongs to the feature if it is named', async () => {
  const files = {
    'a.geojson': feature('1'),
    'b.geojson': `{"type":"FeatureCollection","features":[${point('1', 'one')},${point('2', 'two')}]}`,
  };
  const declaration = `files: a.geojson
rows:
  - join: { file: b.geojson, on: [code] }
  - join: { file: b.geojson, on: [code], columns: { their_latitude: $latitude } }
key: [code]
fields:
  code: { type: string }
  name: { type: string }
  own: { type: float, column: $latitude }
  theirs: { type: float, column: their_latitude }`;
  expect(await valuesOf(declaration, files)).toEqual([['1', 'one', '47.5', '2.0']]);
});

test('a join names a layer of a GeoPackage, a shapefile and lines of JSON', async () => {
  const files = {
    'a.csv': 'id,stop\n3,b\n',
    'p.gpkg': await readFixture('places.gpkg'),
    's.zip': await readFixture('stations.zip'),
    'n.ndjson': '{"id":3,"rank":7}\n{"id":4}\n',
  };
  const declaration = `files: a.csv
rows:
  - join: { file: p.gpkg, read: { member: stations }, on: [id], columns: { city: name } }
  - join: { file: s.zip, format: shapefile, read: { encoding: windows-1252 }, on: { id: ID }, columns: { height: HEIGHT, lng: $longitude } }
  - join: { file: n.ndjson, on: [id] }
key: [id]
fields:
  id: { type: integer }
  city: { type: string }
  height: { type: float }
  lng: { type: float }
  rank: { type: integer }`;
  expect(await valuesOf(declaration, files)).toEqual([['3', 'Zürich', '1000.0', null, '7']]);
});

test('an sql step has the features of another file as a table', async () => {
  const files = {
    'a.csv': 'code\n1\n2\n',
    'b.geojson': `${point('1', 'one')}\n${point('3', 'x')}\n`,
  };
  const declaration = `files: a.csv
rows:
  - sql:
      select: SELECT rows.code, b.name, b."$latitude" AS lat FROM rows JOIN b USING (code)
      tables: { b: { file: b.geojson } }
key: [code]
fields:
  code: { type: string }
  name: { type: string }
  lat: { type: float }`;
  expect(await valuesOf(declaration, files)).toEqual([['1', 'one', '2.0']]);
});

test('a join names an address, and a message leaves its secrets out', async () => {
  const server = await serveLocally((request, response) => {
    if (request.url?.startsWith('/b.csv') === true) response.end('code,name\n1,one\n');
    else response.writeHead(404).end();
  });
  const declaration = (path: string) => `files: a.csv
rows:
  - join: { file: '${server.url}${path}', on: [code] }
key: [code]
fields:
  code: { type: string }
  name: { type: string }`;
  const files = { 'a.csv': 'code\n1\n2\n' };
  const { notices } = await importByManifest(declaration('/b.csv?key=secret'), files);
  expect(notices.join('\n').replaceAll(server.url, 'http://HOST')).toMatchInlineSnapshot(
    `"1 of 2 rows have no matching row in http://HOST/b.csv?… (rows[0].join), for example '2'."`,
  );
  const refusal = await refusalByManifest(declaration('/c.csv?key=secret'), files);
  expect(refusal.replaceAll(server.url, 'http://HOST')).toMatchInlineSnapshot(
    `"http://HOST/c.csv?…: was not found (the server answered 404 Not Found). Correct the URL in the manifest."`,
  );
});
