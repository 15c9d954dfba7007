import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serveLocally } from '../../support/listen-locally.ts';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { unzip } from '../formats/unzip.ts';
import { zipArchive } from '../formats/zip-archive.ts';
import { checks } from './draft-of-files.ts';
import { draftFor, publishDraft } from './draft-under-test.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../fixtures/geo/${name}`, import.meta.url));
const readFixture = (name: string) => readFile(fixture(name));

/** Drafts and publishes a file, and returns the declaration of its dataset and the records. */
async function drafted(name: string, content: string | Uint8Array) {
  await using folder = scopedFolder();
  const path = join(folder.path, name);
  await writeFile(path, content);
  const draft = await draftFor(folder.path, [path]);
  const { records } = await publishDraft(folder.path, draft);
  const [rows = []] = records.values();
  const [, declaration = ''] = draft.text.split(/^ {2}locmetrics_\w+\.\w+:\n/m);
  return { text: declaration.split(/^layers:/m)[0] ?? '', rows };
}

async function refusal(name: string, content: string | Uint8Array): Promise<string> {
  await using folder = scopedFolder();
  const path = join(folder.path, name);
  await writeFile(path, content);
  const error: unknown = await draftFor(folder.path, [path]).catch((one: unknown) => one);
  if (!(error instanceof Error)) throw new Error('It was drafted.');
  const hint = 'hint' in error ? String(error.hint) : '';
  return `${error.message} ${hint}`.replaceAll(folder.path, 'FOLDER');
}

test('one of several layers of a GeoPackage is drafted with its point', async () => {
  const { text, rows } = await drafted('p.gpkg', await readFixture('places.gpkg'));
  expect(text).toMatchInlineSnapshot(`
    "    files: p.gpkg
        read:
          # CHECK: The file also has 'stations', 'old'.
          member: countries
        # 6 rows, each with a different key.
        key: [iso_a3]
        point: { latitude: latitude, longitude: longitude }
        outline: outline
        # Describe each field, with its unit, in its description. If callers search as they type, add
        #   searchable: true, for example to name. If callers sort by a field, add sorted: true, for
        #   example to gdp_md_est. additive: whether callers may add up values over periods and places
        #   (all), over one of them, or over neither (none).
        fields:
          checked: { type: boolean }
          continent: { type: string }
          fid: { type: string }
          gdp_md_est: { type: integer, additive: all }
          iso_a3: { type: string }
          name: { type: string }
          pop_est: { type: integer, additive: all }
          seen: { type: date, format: 'YYYY-MM-DDTHH:mm:ss' }
          longitude: { type: float, column: '$longitude' }
          latitude: { type: float, column: '$latitude' }
          outline: { type: string, column: '$outline' }
    "
  `);
  expect(rows.length).toBe(6);
});

test('a database without the ending of a GeoPackage, also in a zip archive with other files', {
  tags: 'slow',
}, async () => {
  const gpkg = await readFixture('places.gpkg');
  expect((await drafted('p.sqlite', gpkg)).text).toContain('format: geopackage');
  const archive = zipArchive({ 'read me.txt': 'x', 'p.gpkg': gpkg });
  const { text, rows } = await drafted('export.zip', archive);
  expect(text).toContain('format: geopackage\n    read:');
  expect(rows).toHaveLength(6);
});

test('a shapefile without a .cpg gets the encoding in which all its texts can be read', async () => {
  const { text, rows } = await drafted('s.zip', await readFixture('stations.zip'));
  expect(text).toMatchInlineSnapshot(`
    "    files: s.zip
        format: shapefile
        read:
          # CHECK: 'Zürich Tor' is in the column 'NAME', and there is no .cpg with the encoding of the
          #   texts. Check that names with accents are correct.
          encoding: windows-1252
        # 3 rows, each with a different key.
        key: [id]
        point: { latitude: latitude, longitude: longitude }
        # Describe each field, with its unit, in its description. If callers search as they type, add
        #   searchable: true, for example to name. If callers sort by a field, add sorted: true, for
        #   example to height. additive: whether callers may add up values over periods and places
        #   (all), over one of them, or over neither (none).
        fields:
          # Its name suggests a value that has a mean, but no sum.
          height: { type: float, column: HEIGHT, additive: none }
          id: { type: string, column: ID }
          name: { type: string, column: NAME }
          opened: { type: date, column: OPENED }
          # Its name suggests a value that has a mean, but no sum.
          ratio: { type: float, column: RATIO, additive: none }
          staffed: { type: boolean, column: STAFFED }
          longitude: { type: float, column: '$longitude' }
          latitude: { type: float, column: '$latitude' }
    "
  `);
  expect(rows.map(({ name, latitude }) => [name, latitude])).toMatchInlineSnapshot(`
    [
      [
        "Genève",
        "47.376339362069785",
      ],
      [
        "Ohne Ort",
        null,
      ],
      [
        "Zürich Tor",
        "46.95108277187812",
      ],
    ]
  `);
});

test('one of several shapefiles', async () => {
  const { text, rows } = await drafted('n.zip', await readFixture('network.zip'));
  expect(text).toMatchInlineSnapshot(`
    "    files: n.zip
        format: shapefile
        read:
          # CHECK: The file also has 'data/stops.shp'.
          member: data/routes.shp
        # 2 rows, each with a different key.
        key: [route]
        point: { latitude: latitude, longitude: longitude }
        # Describe each field, with its unit, in its description. If callers search as they type, add
        #   searchable: true, for example to route.
        fields:
          route: { type: string }
          longitude: { type: float, column: '$longitude' }
          latitude: { type: float, column: '$latitude' }
    "
  `);
  expect(rows.length).toBeGreaterThan(0);
});

const polygon = (id: string, x: number, size = 1) =>
  `{"type":"Feature","id":"${id}","properties":{"name":"N${id}"},"geometry":{"type":"Polygon","coordinates":[[[${x},2],[${x + size},2],[${x + size},3],[${x},3],[${x},2]]]}}`;
const collection = (features: readonly string[]) =>
  `{"type":"FeatureCollection","features":[${features.join(',')}]}`;

test('GeoJSON on one line of more than a megabyte, whose name shows no format', {
  tags: 'slow',
}, async () => {
  const features = Array.from({ length: 300 }, (_, index) =>
    polygon(`${index}-${'x'.repeat(4000)}`, index / 3),
  );
  const { text, rows } = await drafted('areas.json', collection(features));
  expect(text).toContain('format: geojson');
  expect(text).toContain('point: { latitude: latitude, longitude: longitude }');
  expect(rows).toHaveLength(300);
  expect(rows[0]).toMatchObject({ latitude: '2.5' });
});

test('areas get their outlines, beside features without a geometry', async () => {
  const empty = '{"type":"Feature","id":"c","properties":{"name":"Nc"},"geometry":null}';
  const { text, rows } = await drafted(
    'a.geojson',
    collection([polygon('a', 1), polygon('b', 2), empty]),
  );
  expect(text).toContain('    outline: outline\n');
  expect(text).toContain("      outline: { type: string, column: '$outline' }\n");
  const shapes = rows.map(({ outline }) => outline ?? null);
  expect(shapes.map((shape) => shape && JSON.parse(shape).type)).toEqual([
    'Polygon',
    'Polygon',
    null,
  ]);
});

test('without an outline for all, a doubt says how the others are published', async () => {
  const point =
    '{"type":"Feature","id":"p","properties":{"name":"Np"},"geometry":{"type":"Point","coordinates":[1,2]}}';
  const { text, rows } = await drafted('a.geojson', collection([polygon('a', 1), point]));
  expect(text).not.toContain("column: '$outline'");
  expect(text.replaceAll(/\n *#/g, '').replaceAll(/ +/g, ' ')).toContain(
    'CHECK: Without the outlines, because 1 feature has no outline that can be served: one is a Point, not a Polygon or MultiPolygon. To publish the others, add outline: outline, the field outline: { type: string, column: $outline }, and accept: { rejected_rows: 1 }.',
  );
  expect(rows).toHaveLength(2);
});

test('one area of size zero costs no other its point and its outline', async () => {
  const areas = Array.from({ length: 40 }, (_, index) => polygon(`a${index}`, index));
  const flat = polygon('flat', 50).replace(
    /"coordinates":.*$/,
    '"coordinates":[[[1,2],[2,2],[1,2],[1,2]]]}}',
  );
  const { text, rows } = await drafted('a.geojson', collection([...areas, flat]));
  expect(checks(text)).toEqual([
    "1 of 41 features has no point that can be served: 'Polygon of Nflat' is an area of size zero. It is left out. To keep all, correct the geometry in the file, or remove point, outline and the fields with $latitude, $longitude and $outline. => accept: { rejected_rows: 1 }",
  ]);
  expect(text).toContain('    # 40 rows, each with a different key.\n');
  expect(text).toContain('    outline: outline\n');
  expect(rows).toHaveLength(40);
  expect(rows[0]).toMatchObject({ latitude: '2.5' });
});

test('points that cannot be served are left out with the reason', async () => {
  const { text, rows } = await drafted(
    'a.geojson',
    collection([polygon('a', 1), polygon('b', 200000)]),
  );
  expect(text).toMatchInlineSnapshot(`
    "    files: a.geojson
        # 2 rows, each with a different key.
        key: [id]
        # CHECK: Without the points, because 1 feature has no point that can be served: '200000.5' is
        #   not between -180 and 180. GeoJSON uses degrees in WGS 84. If the file has another
        #   coordinate system, convert it with ogr2ogr -t_srs EPSG:4326.
        # CHECK: Without the outlines, because 1 feature has no outline that can be served: one has the
        #   position 200000, 2, which is not a longitude and a latitude. To publish the others, add
        #   outline: outline, the field outline: { type: string, column: $outline }, and accept: {
        #   rejected_rows: 1 }.
        # Describe each field, with its unit, in its description.
        fields:
          name: { type: string }
          id: { type: string, column: '$id' }
    "
  `);
  expect(rows).toHaveLength(2);
  const unknown = await drafted(
    's.zip',
    zipArchive({ 's.shp': Buffer.alloc(0), 's.dbf': Buffer.alloc(0) }),
  ).catch((error: unknown) => String(error));
  expect(unknown).toContain('is not a complete shapefile');
});

test('JSON of shapes is refused with what to do', async () => {
  const refusals = [
    await refusal('a.json', '{"type":"Topology","objects":{},"arcs":[]}'),
    await refusal('a.geojson', '{"type":"Topology","objects":{},"arcs":[]}'),
  ];
  expect(refusals).toMatchInlineSnapshot(`
    [
      "FOLDER/a.json is TopoJSON, which is read as boundaries of areas, not as rows. To compute fields from the area that contains a point, declare areas: { NAME: { file: FILE } }. To read rows, convert the file to GeoJSON, for example with mapshaper.",
      "FOLDER/a.geojson is TopoJSON, which is read as boundaries of areas, not as rows. To compute fields from the area that contains a point, declare areas: { NAME: { file: FILE } }. To read rows, convert the file to GeoJSON, for example with mapshaper.",
    ]
  `);
});

test.each([
  ['two columns with letters', "id,a,b\nx,47°38'51.7\"N,8°32'E\ny,47 38 S,8 30.5 E\n"],
  ['two columns with signs', 'id,lat,lon\nx,47:38:51,-8:32:00\ny,-47:38:00,8:30:30\n'],
  ['both in one', 'id,where\nx,"47°38\'51.7""N, 8°32\'E"\ny,"47°38\'S, 8°30\'W"\n'],
  ['both in one, apart by a space', "id,where\nx,47°38'51.7\"N 8°32'E\ny,47°38'S 8°30'W\n"],
])('degrees and minutes become a point: %s', async (_, content) => {
  const { text, rows } = await drafted('a.csv', content);
  const lines = text.split('\n').filter((line) => /DMS|point:|CHECK/.test(line));
  expect([lines, rows.map((row) => Object.values(row).slice(1))]).toMatchSnapshot();
});

test('dates, times and numbers are no degrees and minutes', async () => {
  const { text } = await drafted(
    'a.csv',
    'id,day,time,n\nx,31-01-2024,12:30,1 234\ny,28-02-2024,13:30,5 678\n',
  );
  expect(text).not.toContain('DMS');
  expect(text).toContain('day: { type: date, format: DD-MM-YYYY }');
});

test('a file at an address is fetched, and named by its address', async () => {
  const server = await serveLocally((request, response) => {
    if (request.url?.startsWith('/data/areas.geojson') === true) {
      response.end(collection([polygon('a', 1), polygon('b', 2)]));
    } else response.writeHead(404).end();
  });
  await using folder = scopedFolder();
  const draft = await draftFor(folder.path, [`${server.url}/data/areas.geojson?key=secret`]);
  expect(draft.text.replaceAll(server.url, 'http://HOST')).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=locmetrics.schema.json
    # Written by locmetrics init. Comments with CHECK mark what it could not determine.
    format: 1
    datasets:
      data_127_0_0_1.areas:
        # CHECK: If the URL contains a secret, keep this file secret too.
        files: 'http://HOST/data/areas.geojson?key=secret'
        # 2 rows, each with a different key.
        key: [id]
        point: { latitude: latitude, longitude: longitude }
        outline: outline
        # Describe each field, with its unit, in its description. If callers search as they type, add
        #   searchable: true, for example to name.
        fields:
          name: { type: string }
          id: { type: string, column: '$id' }
          longitude: { type: float, column: '$longitude' }
          latitude: { type: float, column: '$latitude' }
          outline: { type: string, column: '$outline' }
    layers:
      areas:
        # Add feature_display_name, the name for one feature, such as National park.
        dataset: data_127_0_0_1.areas
        feature_id: id
        name: name
    "
  `);
  const { records } = await publishDraft(folder.path, draft);
  expect([...records.values()].map((rows) => rows.length)).toEqual([2]);
  const missing = draftFor(folder.path, [`${server.url}/none.csv?key=secret`]);
  await expect(missing).rejects.toThrow('/none.csv?… was not found');
  await expect(draftFor(folder.path, ['ftp://example.org/a.csv'])).rejects.toThrow(
    'only https:// and s3:// are supported',
  );
});

test('a shapefile without a .prj is read as degrees if all positions could be', async () => {
  const files = await unzip(fixture('countries.shp.zip'));
  const withoutSystem = Object.entries(files).filter(([name]) => !name.endsWith('.prj'));
  const { text, rows } = await drafted('c.zip', zipArchive(Object.fromEntries(withoutSystem)));
  expect(text).toContain('coordinates: degrees\n');
  expect(text).toContain('point: { latitude: latitude, longitude: longitude }');
  expect(rows).toHaveLength(6);
  const stations = await unzip(fixture('stations.zip'));
  const projected = Object.entries(stations).filter(([name]) => !name.endsWith('.prj'));
  const other = await drafted('s.zip', zipArchive(Object.fromEntries(projected)));
  expect(other.text).toContain('# CHECK: Without the points: The file has no .prj');
  expect(other.rows).toHaveLength(3);
});

test('the part of the world with all points is a comment, and so are the state and county of a layer', async () => {
  const states = await drafted(
    'parks.csv',
    'code,name,lat,lng\nACAD,Acadia,44.4,-68.2\nYELL,Yellowstone,44.6,-110.5\nDENA,Denali,63.3,-151.2\n',
  );
  expect(states.text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    '    # All points are within the USA. To report points outside it, add to point: region: us_states\n    point:',
  );
  expect(states.text).toContain(`      # These fields can be computed from the point:
      # state: { type: string, from: { area: us_states, value: name } }
      # county: { type: string, from: { area: us_counties, value: name } }`);
  const box = await drafted(
    'shops.csv',
    'code,name,lat,lng\nA,Alpha,43.66,-79.38\nB,Beta,43.7,-79.4\nC,Gamma,43.75,-79.2\n',
  );
  expect(box.text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    'All points are within a box. To report points outside it, add to point: region: { south: 43.6, west: -79.4, north: 43.8, east: -79.2 }',
  );
  expect(box.text).not.toContain('from:');
  const world = await drafted(
    'places.csv',
    'code,name,lat,lng\nA,Alpha,43,-79\nB,Beta,47,8\nC,Gamma,-33,151\n',
  );
  expect(world.text).not.toContain('region');
});

test.each([
  [
    '{\n  "lat": [47.5, 47.6],\n  "lon": [8.5, 8.6]\n}',
    "has one JSON object with an array for each column ('lat', 'lon'). Write an array of objects, in pandas with to_json(orient='records').",
  ],
  [
    '{"lat": {"0": 47.5, "1": 47.6}, "lon": {"0": 8.5, "1": 8.6}}',
    "has one JSON object with an object for each column or row ('lat', 'lon'). Write an array of objects, in pandas with to_json(orient='records'), or with jq '[.[]]' p.json if these are the rows.",
  ],
  [
    '[["city", "n"], ["A", 1]]',
    "has rows that are arrays. Write objects, or CSV, for example with jq -r '.[] | @csv' p.json.",
  ],
])('JSON whose rows are not objects is refused with what to do: %s', async (text, problem) => {
  expect(await refusal('p.json', text)).toBe(`FOLDER/p.json ${problem}`);
});

test('rows within an object of JSON are found, also behind a shorter array and in more than a megabyte', {
  tags: 'slow',
}, async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    id: `A${index}`,
    note: 'a "b" [c] {d}',
    fields: [{ n: index }],
  }));
  const answer = { success: true, result: { fields: [{ id: 'id' }], records: rows, total: 3 } };
  const small = await drafted('p.json', JSON.stringify({ data: rows.slice(0, 3), count: 3 }));
  expect(small.text).toContain('member: data');
  expect(small.rows).toHaveLength(3);
  const large = await drafted('p.json.gz', gzipSync(JSON.stringify(answer, null, 1)));
  expect(large.text).toContain('member: result.records');
  expect(large.rows).toHaveLength(20_000);
});
