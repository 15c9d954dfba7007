import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { valuesOf } from '../import-by-manifest.ts';
import { unzip } from './unzip.ts';
import { text, workbook } from './workbook.ts';
import { zipArchive } from './zip-archive.ts';

const MARK = '\ufeff';
const VALUES = ['a', `${MARK}a`, `${MARK}${MARK}b`, `${MARK}longer than twelve bytes`];
const FIELDS = 'key: [id]\nfields:\n  id: { type: string, column: 1 }';
const BY_NAME = 'key: [id]\nfields:\n  id: { type: string }';
const SORTED = VALUES.toSorted((first, second) =>
  Buffer.compare(Buffer.from(first), Buffer.from(second)),
).map((value) => [value]);

const GEOJSON = JSON.stringify({
  type: 'FeatureCollection',
  features: VALUES.map((id) => ({ type: 'Feature', geometry: null, properties: { id } })),
});

const lines = (...more: readonly string[]) => [...more, ...VALUES.toReversed()].join('\n');
const cells = (values: readonly string[], first: number) =>
  Object.fromEntries(values.map((value, index) => [index + first, { A: text(value) }]));

test.each<[string, string, string, string | Uint8Array]>([
  ['CSV', 'p.csv', BY_NAME, lines('id')],
  ['CSV with a byte order mark', 'p.csv', BY_NAME, `${MARK}${lines('id')}`],
  ['CSV without a header', 'p.csv', `read: { header: false }\n${FIELDS}`, `${MARK}${lines()}`],
  [
    'CSV in UTF-16',
    'p.csv',
    `read: { header: false }\n${FIELDS}`,
    Buffer.from(`${MARK}${lines()}`, 'utf16le'),
  ],
  [
    'CSV below a title',
    'p.csv',
    `read: { header: false, skip_lines: 1 }\n${FIELDS}`,
    lines('A title'),
  ],
  [
    'Excel',
    'p.xlsx',
    `read: { header: false }\n${FIELDS}`,
    workbook({ sheets: { S: cells(VALUES.toReversed(), 1) } }),
  ],
  ['lines of JSON', 'p.ndjson', BY_NAME, VALUES.map((id) => JSON.stringify({ id })).join('\n')],
  [
    'lines of JSON with a byte order mark',
    'p.ndjson',
    BY_NAME,
    `${MARK}${VALUES.map((id) => JSON.stringify({ id })).join('\n')}`,
  ],
  [
    'compressed lines of JSON with a byte order mark',
    'p.ndjson.gz',
    BY_NAME,
    gzipSync(`${MARK}${VALUES.map((id) => JSON.stringify({ id })).join('\n')}`),
  ],
  [
    'JSON with a byte order mark',
    'p.json',
    `format: ndjson\n${BY_NAME}`,
    `${MARK}${JSON.stringify(VALUES.map((id) => ({ id })))}`,
  ],
  ['GeoJSON', 'p.geojson', BY_NAME, GEOJSON],
  ['GeoJSON with a byte order mark', 'p.geojson', BY_NAME, `${MARK}${GEOJSON}`],
])('U+FEFF at the start of a value is read from %s', async (_, name, declaration, content) => {
  expect(await valuesOf(`files: ${name}\n${declaration}`, { [name]: content })).toEqual(SORTED);
  expect(
    await valuesOf(`files: ${name}\nrows:\n  - where: "true"\n${declaration}`, { [name]: content }),
  ).toEqual(SORTED);
});

test('U+FEFF at the start of a value is read from Parquet', async () => {
  await using folder = scopedFolder();
  const path = join(folder.path, 'p.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = VALUES.map((value) => `('${value}')`);
  await connection.run(`COPY (SELECT * FROM (VALUES ${rows.join(', ')}) AS rows(id)) TO '${path}'`);
  connection.closeSync();
  instance.closeSync();
  const content = await readFile(path);
  expect(await valuesOf(`files: p.parquet\n${BY_NAME}`, { 'p.parquet': content })).toEqual(SORTED);
});

test('U+FEFF at the start of a value is read from the .dbf of a shapefile', async () => {
  const stations = await unzip(
    fileURLToPath(new URL('../../fixtures/geo/stations.zip', import.meta.url)),
  );
  const dbf = Buffer.from(stations['stations.dbf'] ?? []);
  for (const name of ['Z\u00fcrich Tor', 'Gen\u00e8ve', 'Ohne Ort']) {
    const at = dbf.indexOf(Buffer.from(name, 'latin1'));
    dbf.fill(' ', at, at + name.length);
    dbf.write(name === 'Ohne Ort' ? 'same' : `${MARK}same`, at, 'utf8');
  }
  const archive = zipArchive({ ...stations, 'stations.dbf': dbf });
  const declaration = `files: s.zip
format: shapefile
read: { encoding: utf-8 }
key: [id]
fields:
  id: { type: string, column: ID }
  name: { type: string, column: NAME }`;
  expect((await valuesOf(declaration, { 's.zip': archive })).map(([, name]) => name)).toEqual([
    `${MARK}same`,
    'same',
    `${MARK}same`,
  ]);
});
