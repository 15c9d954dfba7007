import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WrongGeometry } from '@locmetrics/ingest/formats/features/outline';
import { pointOnOutline } from '@locmetrics/ingest/formats/features/point-on-outline';
import { readGeoPackageGeometry } from '@locmetrics/ingest/formats/features/read-wkb';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../support/random-numbers.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';
import { unzip } from './unzip.ts';
import { zipArchive } from './zip-archive.ts';

/** Files that GDAL and pyshp wrote; a page beside them tells how. */
const FILES = fileURLToPath(new URL('../../fixtures/geo/', import.meta.url));
const readFixture = (name: string) => readFile(join(FILES, name));

const POINT = `point: { latitude: lat, longitude: lng }`;
const POINT_FIELDS = `  lat: { type: float, column: $latitude }
  lng: { type: float, column: $longitude }`;

const COUNTRIES = `key: [name]
${POINT}
fields:
  name: { type: string }
  population: { type: integer, column: pop_est }
  gdp: { type: integer, column: GDP }
${POINT_FIELDS}`;

test('countries of a shapefile, which GDAL wrote, have a point inside them', async () => {
  const files = { 'c.shp.zip': await readFixture('countries.shp.zip') };
  const declaration = `files: c.shp.zip\n${COUNTRIES.replace('GDP', 'gdp_md_est')}`;
  expect(await valuesOf(declaration, files)).toMatchInlineSnapshot(`
    [
      [
        "Antarctica",
        "4050",
        "810",
        "-76.65407969172705",
        "67.43385564628866",
      ],
      [
        "Côte d'Ivoire",
        "24184810",
        "87120",
        "7.343595994491572",
        "-5.662297596463728",
      ],
      [
        "Fiji",
        "920938",
        "8374",
        "-17.937620000000003",
        "177.9759493013698",
      ],
      [
        "Italy",
        "62137802",
        "2221000",
        "42.55821655941108",
        "12.631183369107305",
      ],
      [
        "South Africa",
        "54841552",
        "739100",
        "-28.271633192662623",
        "26.124034030650037",
      ],
      [
        "Switzerland",
        "8236303",
        "496300",
        "46.80966248227965",
        "8.267866671620817",
      ],
    ]
  `);
});

test('the same countries of a GeoPackage are equal, with its types', async () => {
  const files = { 'p.gpkg': await readFixture('places.gpkg') };
  const declaration = `files: p.gpkg
read: { member: countries }
${COUNTRIES.replace('GDP', 'gdp_md_est')}`;
  const shapefile = { 'c.shp.zip': await readFixture('countries.shp.zip') };
  expect(await valuesOf(declaration, files)).toEqual(
    await valuesOf(`files: c.shp.zip\n${COUNTRIES.replace('GDP', 'gdp_md_est')}`, shapefile),
  );
});

test('the types of a GeoPackage are kept: booleans, moments and absent values', async () => {
  const declaration = `files: p.gpkg
read: { member: countries }
key: [id]
fields:
  id: { type: integer, column: $id }
  fid: { type: integer }
  checked: { type: boolean }
  seen: { type: date, format: YYYY-MM-DDTHH:mm:ss }`;
  const files = { 'p.gpkg': await readFixture('places.gpkg') };
  expect((await valuesOf(declaration, files)).slice(-2)).toEqual([
    ['5', '5', 'false', '2024-01-31'],
    ['6', '6', 'true', null],
  ]);
});

const STATIONS = `key: [id]
${POINT}
fields:
  id: { type: integer, column: ID }
  name: { type: string, column: NAME }
  height: { type: float, column: HEIGHT }
  opened: { type: date, column: OPENED }
  staffed: { type: boolean, column: STAFFED }
  ratio: { type: float, column: RATIO }
${POINT_FIELDS}`;

test('points of a national grid become degrees, and every type of a .dbf is read', async () => {
  const files = { 's.zip': await readFixture('stations.zip') };
  const declaration = `files: s.zip
format: shapefile
read: { encoding: windows-1252 }
${STATIONS}`;
  expect(await valuesOf(declaration, files)).toMatchInlineSnapshot(`
    [
      [
        "2",
        "Genève",
        null,
        null,
        null,
        null,
        "47.376339362069785",
        "8.539532169723643",
      ],
      [
        "3",
        "Ohne Ort",
        "1000.0",
        "2000-02-29",
        "false",
        "-12.5",
        null,
        null,
      ],
      [
        "900719925474099312",
        "Zürich Tor",
        "540.5",
        "1848-09-12",
        "true",
        "0.1",
        "46.95108277187812",
        "7.4386332738922105",
      ],
    ]
  `);
});

test('so do those of a layer of a GeoPackage, also in a zip archive', async () => {
  const files = { 'p.gpkg.zip': zipArchive({ 'p.gpkg': await readFixture('places.gpkg') }) };
  const declaration = `files: p.gpkg.zip
read: { member: stations }
key: [id]
${POINT}
fields:
  id: { type: integer }
  name: { type: string }
${POINT_FIELDS}`;
  expect(await valuesOf(declaration, files)).toMatchInlineSnapshot(`
    [
      [
        "2",
        "Nirgends",
        null,
        null,
      ],
      [
        "3",
        "Zürich",
        "47.376339362069785",
        "8.539532169723643",
      ],
      [
        "9007199254740993",
        "Bern",
        "46.95108277187812",
        "7.4386332738922105",
      ],
    ]
  `);
});

test('one of several shapefiles in an archive is read, with steps over its features', async () => {
  const files = { 'n.zip': await readFixture('network.zip') };
  const declaration = `files: n.zip
format: shapefile
read: { member: data/routes.shp }
rows:
  - where: CAST("$latitude" AS DOUBLE) < 3
key: [route]
fields:
  route: { type: string }
  lat: { type: float, column: $latitude }`;
  const { rows, notices } = await importByManifest(declaration, files);
  expect([rows, notices]).toMatchInlineSnapshot(`
    [
      [
        [
          "0",
          "a",
          "2.0",
          "a",
          null,
        ],
      ],
      [
        "The steps made 1 row from the 2 rows of the files.",
      ],
    ]
  `);
});

const ROUTES = `key: [route]
fields:
  route: { type: string }
${POINT_FIELDS}`;

test.each([
  ['s.zip', 'stations.zip', `format: shapefile\n${STATIONS}`],
  ['s.zip', 'stations.zip', `format: shapefile\nread: { encoding: utf-8 }\n${STATIONS}`],
  ['n.zip', 'network.zip', `format: shapefile\n${ROUTES}`],
  ['n.zip', 'network.zip', `format: shapefile\nread: { member: data/route }\n${ROUTES}`],
  [
    'n.zip',
    'network.zip',
    `format: shapefile\nread: { member: data/stops }\n${ROUTES.replaceAll('route', 'stop')}`,
  ],
  ['n.zip', 'network.zip', `format: csv\n${ROUTES}`],
  ['p.gpkg', 'places.gpkg', ROUTES],
  ['p.gpkg', 'places.gpkg', `read: { member: countires }\n${ROUTES}`],
  ['p.gpkg', 'places.gpkg', `read: { member: old }\n${ROUTES.replaceAll('route', 'name')}`],
  ['p.csv', 'places.gpkg', ROUTES],
  ['p.gpkg', 'stations.zip', ROUTES],
  ['p.shp', 'places.gpkg', ROUTES],
])('a file is refused: %s of %s, %s', async (name, fixture, declaration) => {
  const files = { [name]: await readFixture(fixture) };
  expect(await refusalByManifest(`files: ${name}\n${declaration}`, files)).toMatchSnapshot();
});

test('a layer whose coordinate system is not converted is read without its points', async () => {
  const declaration = `files: p.gpkg
read: { member: old }
key: [name]
fields:
  name: { type: string }`;
  expect(await valuesOf(declaration, { 'p.gpkg': await readFixture('places.gpkg') })).toEqual([
    ['x'],
  ]);
});

test('a shapefile that is not whole is refused', async () => {
  const {
    'stations.shp': shp = Buffer.alloc(0),
    'stations.dbf': dbf = Buffer.alloc(0),
    'stations.prj': prj = Buffer.alloc(0),
  } = await unzip(join(FILES, 'stations.zip'));
  const whole = { 's.shp': shp, 's.dbf': dbf, 's.prj': prj };
  const grads = String(prj).replace('"Degree",0.0174532925199433', '"Grad",0.01570796');
  const archives = {
    'no .prj': { 's.shp': shp, 's.dbf': dbf },
    'no .dbf': { 's.shp': shp, 's.prj': prj },
    'no .shp': { 's.dbf': dbf },
    'a cut .shp': { ...whole, 's.shp': shp.subarray(0, 170) },
    'an .shp of other bytes': { ...whole, 's.shp': Buffer.alloc(200) },
    'a cut .dbf': { ...whole, 's.dbf': dbf.subarray(0, -30) },
    'a .dbf of other bytes': { ...whole, 's.dbf': Buffer.from('id\n1\n') },
    'too many features': { ...whole, 's.dbf': withRowCount(dbf, 2) },
    'too few features': { ...whole, 's.shp': shp.subarray(0, 188) },
    'an unknown encoding': { ...whole, 's.cpg': 'OEM 437' },
    'an unknown datum': { ...whole, 's.prj': String(prj).replace('D_CH1903+', 'D_NTF') },
    'an unknown projection': { ...whole, 's.prj': grads.replace('Hotine', 'Bonne') },
  };
  const refusals: Record<string, string> = {};
  for (const [name, files] of Object.entries(archives)) {
    refusals[name] = await refusalByManifest(
      `files: s.zip\nformat: shapefile${name.includes('encoding') ? '' : '\nread: { encoding: windows-1252 }'}\n${STATIONS}`,
      { 's.zip': zipArchive(files) },
    );
  }
  expect(refusals).toMatchInlineSnapshot(`
    {
      "a .dbf of other bytes": "s.zip: is not a complete shapefile: its .dbf has no valid header. It was cut short or damaged: download or write it again.",
      "a cut .dbf": "s.zip, feature 3: is not a complete shapefile: its .dbf ends in the middle of a row. It was cut short or damaged: download or write it again.",
      "a cut .shp": "s.zip, feature 2: is not a complete shapefile: its .shp ends in the middle of a record. It was cut short or damaged: download or write it again.",
      "an .shp of other bytes": "s.zip: is not a complete shapefile: its .shp has no valid header. It was cut short or damaged: download or write it again.",
      "an unknown datum": "s.zip: 'CH1903+_LV95' is its coordinate system, whose points cannot be converted. Convert it to WGS 84, for example with ogr2ogr -t_srs EPSG:4326, or leave out the fields of $longitude, $latitude and $outline.",
      "an unknown encoding": "s.zip: 'OEM 437' is the encoding in its .cpg, but no such encoding is known. Declare it: read: { encoding: utf-8 } or windows-1252.",
      "an unknown projection": "s.zip: 'CH1903+_LV95' is its coordinate system, whose points cannot be converted. Convert it to WGS 84, for example with ogr2ogr -t_srs EPSG:4326, or leave out the fields of $longitude, $latitude and $outline.",
      "no .dbf": "s.zip: has s.shp, but no .dbf beside it. Its columns are in the .dbf: put it into the archive.",
      "no .prj": "s.zip: has no .prj, so the coordinate system of its points is unknown. If they are longitudes and latitudes, declare read: { coordinates: degrees }; else put the .prj into the archive, or leave out the fields of $longitude, $latitude and $outline.",
      "no .shp": "s.zip: is a zip archive with no shapefile. A shapefile is a .shp with its .dbf, .prj and .cpg. Correct the file or its format.",
      "too few features": "s.zip: has fewer features in s.shp than rows in the .dbf. One of them was cut short or belongs to another shapefile: download or write it again.",
      "too many features": "s.zip: has more features in s.shp than rows in the .dbf. One of them was cut short or belongs to another shapefile: download or write it again.",
    }
  `);
});

function withRowCount(dbf: Buffer, count: number): Buffer {
  const changed = Buffer.from(dbf);
  changed.writeUInt32LE(count, 4);
  return changed;
}

test('a deleted row is left out, and messages keep the numbers of features', async () => {
  const files = await unzip(join(FILES, 'stations.zip'));
  const dbf = Buffer.from(files['stations.dbf'] ?? []);
  dbf[dbf.readUInt16LE(8)] = 0x2a;
  const archive = zipArchive({ ...files, 'stations.dbf': dbf });
  const declaration = `files: s.zip
format: shapefile
read: { encoding: windows-1252 }
key: [id]
fields:
  id: { type: integer, column: ID }
  height: { type: integer, column: HEIGHT }
  name: { type: integer, column: NAME }`;
  expect(await refusalByManifest(declaration, { 's.zip': archive })).toMatchInlineSnapshot(`
    "s.zip, feature 2: name: 'Genève' is not a whole number.
    s.zip, feature 3: name: 'Ohne Ort' is not a whole number."
  `);
});

test('a geometry of a GeoPackage that is not whole is no other error', () => {
  const seed = announceSeed('cut geometries');
  const numbers = randomNumbers(seed);
  const random = (limit: number) => Math.floor(numbers() * limit);
  const reasons = new Set<string>();
  for (let round = 0; round < 20_000; round += 1) {
    const blob = Buffer.from([0x47, 0x50, 0, 0, 0, 0, 0, 0, 1, random(20), random(5), 0, 0]);
    const rest = Buffer.from(Array.from({ length: random(80) }, () => random(4) % 3));
    const geometry = readGeoPackageGeometry(Buffer.concat([blob, rest]));
    try {
      const outline = geometry?.outline();
      if (outline !== undefined) pointOnOutline(outline, { isDegrees: true });
    } catch (error) {
      if (!(error instanceof WrongGeometry)) throw new Error(`seed ${seed}`, { cause: error });
      reasons.add(error.message);
    }
  }
  expect(reasons, `seed ${seed}`).toContain('is an incomplete geometry');
});

test('a shapefile without a .prj has the declared coordinates', async () => {
  const { 'stations.prj': prj, ...files } = await unzip(join(FILES, 'stations.zip'));
  const archive = { 's.zip': zipArchive(files) };
  const declaration = (coordinates: string) => `files: s.zip
format: shapefile
read: { encoding: windows-1252, coordinates: '${coordinates}' }
${STATIONS}`;
  const values = await valuesOf(declaration(String(prj)), archive);
  expect(values.at(-1)?.slice(-2)).toEqual(['46.95108277187812', '7.4386332738922105']);
  const refusals = [
    await refusalByManifest(declaration('degrees'), archive),
    await refusalByManifest(declaration('degrees'), { 's.zip': await readFixture('stations.zip') }),
    await refusalByManifest(declaration('EPSG:2056'), archive),
    await refusalByManifest(declaration('GEOGCS["x"]'), archive),
    await refusalByManifest(
      'files: a.csv\nread: { coordinates: degrees }\nkey: [id]\nfields: { id: { type: string } }',
      { 'a.csv': 'id\n1\n' },
    ),
  ];
  expect(refusals).toMatchInlineSnapshot(`
    [
      "s.zip, feature 1: lat: '1200000' is not between -90 and 90.
    s.zip, feature 1: lng: '2600000' is not between -180 and 180.
    s.zip, feature 2: lat: '1247861' is not between -90 and 90.
    s.zip, feature 2: lng: '2683141' is not between -180 and 180.",
      "s.zip: 'CH1903+_LV95' is the coordinate system in its .prj, but read: { coordinates } declares another. Leave out read: { coordinates }.",
      "locmetrics.yaml:6: datasets.us.places.read.coordinates: 'EPSG:2056' is not a coordinate system. Write degrees for longitudes and latitudes, or the text that the .prj would have: PROJCS[…].",
      "s.zip: 'x' is its coordinate system, whose points cannot be converted. Convert it to WGS 84, for example with ogr2ogr -t_srs EPSG:4326, or leave out the fields of $longitude, $latitude and $outline.",
      "locmetrics.yaml:5: datasets.us.places.read.coordinates: The files are csv, but this key applies only to shapefile. Leave this out.",
    ]
  `);
});
