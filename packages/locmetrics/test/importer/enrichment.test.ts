import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { expect, test } from 'vitest';
import { scopedFolder, withoutFolders } from '../support/temporary-folder.ts';
import { importByManifest, refusalByManifest, valuesOf } from './import-by-manifest.ts';
import { readRows } from './import-files.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

/** The parks of the sample, with the cells and areas that were computed for them before a publish could do it. */
const PARKS = await readFile(
  fileURLToPath(new URL('../fixtures/areas-of-parks.csv', import.meta.url)),
);

test('the parks of the sample have the Placekey, cell, state and county that were computed before', async () => {
  const { columns, rows, notices } = await importByManifest(
    `files: places.csv
key: [location_id]
point: { latitude: latitude, longitude: longitude }
fields:
  location_id: { type: string }
  latitude: { type: float }
  longitude: { type: float }
  placekey: { type: string }
  h3: { type: string }
  us_state_2020: { type: string }
  us_state: { type: string }
  us_county_2020: { type: string }
  us_county: { type: string }
  computed_placekey: { type: string, from: placekey }
  computed_h3: { type: string, from: { h3: 10 } }
  computed_us_state_2020: { type: string, from: { area: us_states } }
  computed_us_state: { type: string, from: { area: us_states, value: name } }
  computed_us_county_2020: { type: string, from: { area: us_counties, value: id } }
  computed_us_county: { type: string, from: { area: us_counties, value: name } }`,
    { 'places.csv': PARKS },
  );
  const computed = columns.filter((name) => name.startsWith('computed_'));
  expect(rows).toHaveLength(63);
  for (const row of rows) {
    const textOf = (name: string) => row[columns.indexOf(name)];
    expect(computed.map(textOf)).toEqual(
      computed.map((name) => textOf(name.replace('computed_', ''))),
    );
  }
  expect(notices.filter((notice) => !notice.startsWith('These columns'))).toMatchInlineSnapshot(`
    [
      "3 of 63 points lie in no area of us_states: places.csv:6 (25.490587, -80.21023851), places.csv:12 (33.98680093, -119.9112735) and places.csv:47 (-14.22865935, -169.8503777).",
      "3 of 63 points lie in no area of us_counties: places.csv:6 (25.490587, -80.21023851), places.csv:12 (33.98680093, -119.9112735) and places.csv:47 (-14.22865935, -169.8503777).",
    ]
  `);
});

/** The message and the hint of a refused import. */
async function refuseImport(
  ...given: Parameters<typeof importByManifest>
): Promise<string | undefined> {
  const error = await importByManifest(...given).catch((thrown: unknown) => thrown);
  if (!(error instanceof PublishError)) throw new Error('Nothing was refused.');
  return withoutFolders(`${error.message} ${error.hint}`);
}

/** Fields of points, with what is computed from them. */
const declare = (computed: string, point = '{ latitude: lat, longitude: lng }') => `files: p.csv
key: [id]
point: ${point}
fields:
  id: { type: string }
  lat: { type: float }
  lng: { type: float }
${computed === '' ? '' : `  value: { type: string, from: ${computed} }`}`;

function toCsv(points: readonly (readonly [number, number] | undefined)[]): string {
  const lines = points.map((point, index) => `${index + 1},${point?.join(',') ?? ','}`);
  return ['id,lat,lng', ...lines, ''].join('\n');
}

type Shape = { readonly [key: string]: unknown };

function toGeoJson(features: readonly Shape[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** A polygon of rings of longitudes and latitudes. */
function area(properties: Shape, ...rings: readonly (readonly (readonly number[])[])[]): Shape {
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: rings } };
}

function box(west: number, south: number, east: number, north: number) {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

const WARDS = 'areas: { wards: { file: wards.geojson, id: code } }\n';

/** The areas of points in wards. */
async function findWards(
  features: readonly Shape[],
  points: readonly (readonly [number, number])[],
): Promise<{
  readonly found: readonly (string | null | undefined)[];
  readonly notices: readonly string[];
}> {
  const { rows, columns, notices } = await importByManifest(
    declare('{ area: wards }'),
    { 'p.csv': toCsv(points), 'wards.geojson': toGeoJson(features) },
    { others: WARDS },
  );
  const value = columns.indexOf('value');
  const id = columns.indexOf('id');
  const sorted = rows.toSorted((left, right) => Number(left[id]) - Number(right[id]));
  return { found: sorted.map((row) => row[value]), notices };
}

test('a point in a hole lies in no area, or in that which fills the hole', async () => {
  const ring = area({ code: 'ring' }, box(0, 0, 9, 9), box(3, 3, 6, 6));
  const core = area({ code: 'core' }, box(4, 4, 5, 5));
  const { found, notices } = await findWards(
    [ring, core],
    [
      [1, 1],
      [3.5, 3.5],
      [4.5, 4.5],
      [20, 20],
    ],
  );
  expect(found).toEqual(['ring', null, 'core', null]);
  expect(notices).toEqual([
    '2 of 4 points lie in no area of wards: p.csv:3 (3.5, 3.5) and p.csv:5 (20, 20).',
  ]);
});

test('a point on a border or in several areas belongs to that whose id comes first, and overlaps are told', async () => {
  const b = area({ code: 'B' }, box(0, 0, 2, 2));
  const a = area({ code: 'A' }, box(2, 0, 4, 2));
  const c = area({ code: 'C' }, box(3, 1, 5, 3));
  const { found, notices } = await findWards(
    [c, b, a],
    [
      [1, 2],
      [0, 1],
      [1.5, 3.5],
      [3, 5],
    ],
  );
  expect(found).toEqual(['A', 'B', 'A', 'C']);
  expect(notices).toEqual([
    '1 of 4 points lies in several areas of wards; the first one by id is used: p.csv:4 (1.5, 3.5).',
  ]);
});

test.each([
  ['cut at 180 degrees', [box(170, 50, 180, 60), box(-180, 50, -170, 60)]],
  ['beyond 180 degrees', [box(170, 50, 190, 60)]],
  ['with longitudes that jump', [box(170, 50, -170, 60)]],
] as const)(
  'an area across the antimeridian, %s, has the points of both sides',
  async (_, rings) => {
    const fiji = {
      type: 'Feature',
      properties: { code: 'F' },
      geometry: { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) },
    };
    const { found } = await findWards(
      [fiji],
      [
        [55, 179],
        [55, -179],
        [55, 180],
        [55, -180],
        [55, 169],
        [55, -169],
        [55, 0],
      ],
    );
    expect(found).toEqual(['F', 'F', 'F', 'F', null, null, null]);
  },
);

test('a hole beyond the antimeridian is a hole of an area whose longitudes jump', async () => {
  const { found } = await findWards(
    [area({ code: 'F' }, box(170, 50, -170, 60), box(-178, 54, -176, 56))],
    [
      [55, -177],
      [55, -179],
    ],
  );
  expect(found).toEqual([null, 'F']);
});

test('the Aleutian Islands are on both sides of the antimeridian', async () => {
  // Adak is at 176.6 degrees west, Attu at 172.9 east.
  const values = await valuesOf(declare('{ area: us_counties, value: name }'), {
    'p.csv': toCsv([
      [51.88, -176.65],
      [52.9, 172.9],
    ]),
  });
  expect(values.map((row) => row[3])).toEqual(['Aleutians West', 'Aleutians West']);
});

test('a value is a property of the area, as a text', async () => {
  const feature = area({ code: 7, label: 'North', people: 12_000, note: null }, box(0, 0, 2, 2));
  const read = (value: string, others = WARDS) =>
    valuesOf(
      declare(`{ area: wards, value: ${value} }`),
      { 'p.csv': toCsv([[1, 1]]), 'wards.geojson': toGeoJson([{ ...feature, id: 'w7' }]) },
      others,
    );
  expect((await read('id'))[0]?.[3]).toBe('7');
  expect((await read('people'))[0]?.[3]).toBe('12000');
  const named = 'areas: { wards: { file: wards.geojson, name: label } }\n';
  expect((await read('name', named))[0]?.[3]).toBe('North');
  expect((await read('id', named))[0]?.[3]).toBe('w7');
});

test('boundaries are read from TopoJSON', async () => {
  const topology = {
    type: 'Topology',
    transform: { scale: [1, 1], translate: [0, 0] },
    arcs: [
      [
        [0, 0],
        [2, 0],
        [0, 2],
        [-2, 0],
        [0, -2],
      ],
    ],
    objects: {
      wards: {
        type: 'GeometryCollection',
        geometries: [{ type: 'Polygon', id: 'T', arcs: [[0]] }],
      },
      lines: { type: 'GeometryCollection', geometries: [] },
    },
  };
  const files = { 'p.csv': toCsv([[1, 1]]), 'w.json': JSON.stringify(topology) };
  const declared = declare('{ area: wards }');
  expect(
    (
      await valuesOf(declared, files, 'areas: { wards: { file: w.json, object: wards } }\n')
    )[0]?.[3],
  ).toBe('T');
  const refused = [
    await refuseImport(declared, files, { others: 'areas: { wards: { file: w.json } }\n' }),
    await refuseImport(declared, files, {
      others: 'areas: { wards: { file: w.json, object: ward } }\n',
    }),
  ];
  expect(refused.join('\n')).toMatchInlineSnapshot(`
    "The boundaries of 'wards' in w.json: it has 2 objects. Choose one: object: wards or lines.
    The boundaries of 'wards' in w.json: it has no object 'ward'. Did you mean 'wards'?"
  `);
});

test('boundaries that cannot be used are refused with their file and feature', async () => {
  const refuse = (content: string, others = WARDS, value = 'id') =>
    refuseImport(
      declare(`{ area: wards, value: ${value} }`),
      { 'p.csv': toCsv([[1, 1]]), 'wards.geojson': content },
      { others },
    );
  const good = area({ code: 'A' }, box(0, 0, 2, 2));
  expect(
    [
      await refuse('{'),
      await refuse('[]'),
      await refuse('{ "type": "FeatureCollection" }'),
      await refuse(toGeoJson([good, area({ Code: 'B' }, box(2, 0, 4, 2))])),
      await refuse(toGeoJson([good]), 'areas: { wards: { file: wards.geojson } }\n'),
      await refuse(toGeoJson([good]), WARDS, 'colour'),
      await refuse(toGeoJson([area({ code: 'A' }, box(600_000, 200_000, 610_000, 210_000))])),
      await refuse(
        toGeoJson([
          { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [1, 2] } },
        ]),
      ),
      await refuse(toGeoJson([area({ code: 'A' }, [[0, 0]])])),
      await refuse(
        toGeoJson([
          area({ code: 'A' }, [
            [0, 80],
            [120, 80],
            [-120, 80],
            [0, 80],
          ]),
        ]),
      ),
      await refuse(toGeoJson([good]), 'areas: { wards: { file: lost.geojson, id: code } }\n'),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "The boundaries of 'wards' in wards.geojson: it is not JSON in UTF-8: Expected property name or '}' in JSON at position 1 (line 1 column 2). Boundaries are GeoJSON or TopoJSON. Convert a shapefile, for example with mapshaper.
    The boundaries of 'wards' in wards.geojson: it is not GeoJSON. Write a FeatureCollection of GeoJSON, or a Topology of TopoJSON.
    The boundaries of 'wards' in wards.geojson: it has no features. Write a FeatureCollection of GeoJSON, or a Topology of TopoJSON.
    The boundaries of 'wards' in wards.geojson: feature 2 has no 'code'. Did you mean 'Code'?
    The boundaries of 'wards' in wards.geojson: feature 1 has no id. Name the property that has it: areas: { wards: { id: … } }. Known: code.
    The boundaries of 'wards' in wards.geojson: no area has 'colour'. Known: code.
    The boundaries of 'wards' in wards.geojson: feature 1 has the position 600000, 200000, which is not a longitude and a latitude. Convert the file to WGS 84 (EPSG:4326), for example with ogr2ogr -t_srs EPSG:4326.
    The boundaries of 'wards' in wards.geojson: feature 1 is a Point, not a Polygon or MultiPolygon. Remove the features that are not areas.
    The boundaries of 'wards' in wards.geojson: feature 1 has coordinates that are not polygons. Write a FeatureCollection of GeoJSON, or a Topology of TopoJSON.
    The boundaries of 'wards' in wards.geojson: feature 1 encloses a pole. Cut it at 180 degrees, as GeoJSON demands (RFC 7946, 3.1.9).
    The boundaries of 'wards' in lost.geojson: the file /lost.geojson cannot be read: ENOENT: no such file or directory, stat '/lost.geojson'. Correct the path; it is relative to the manifest, or to the folder of --files."
  `);
});

test('a field that cannot be computed is refused with its line', async () => {
  const refuse = (computed: string, point?: string) =>
    refusalByManifest(declare(computed, point), { 'p.csv': toCsv([[1, 1]]) });
  expect(
    [
      await refuse('{ area: us_county }'),
      await refuse('{ area: us_counties, value: names }'),
      await refuse('{ h3: 16 }'),
      await refuse('{ h3: 9, area: us_states }'),
      await refuse('{ h3: 9, value: name }'),
      await refuse('{}'),
      await refuse('plus_code'),
      await refuse('placekey, column: other, pad: 5'),
      await refusalByManifest(
        `files: p.csv
key: [id]
fields:
  id: { type: integer, from: placekey }`,
        {},
      ),
      await refusalByManifest(
        declare('{ area: wards }'),
        {},
        'areas: { wards: { file: https://example.org/wards.geojson }, us_states: { file: x.json } }\n',
      ),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "locmetrics.yaml:11: datasets.us.places.fields.value.from.area: There are no boundaries 'us_county'. Did you mean 'us_counties'?
    locmetrics.yaml:11: datasets.us.places.fields.value.from.value: us_counties has no 'names'. Did you mean 'name'?
    locmetrics.yaml:11: datasets.us.places.fields.value.from.h3: 16 must be <= 15.
    locmetrics.yaml:11: datasets.us.places.fields.value.from: Both an H3 cell and an area are declared. Write one of placekey, { h3: 9 } and { area: us_counties, value: name }.
    locmetrics.yaml:11: datasets.us.places.fields.value.from.value: Only an area has several values. Leave this out.
    locmetrics.yaml:11: datasets.us.places.fields.value.from: It is not declared what to compute. Write one of placekey, { h3: 9 } and { area: us_counties, value: name }.
    locmetrics.yaml:11: datasets.us.places.fields.value.from: "plus_code" is not valid here. Write placekey, { h3: 9 } or { area: us_counties, value: name }.
    locmetrics.yaml:11: datasets.us.places.fields.value.column: The field is computed from the point, so it has no column. Leave this out.
    locmetrics.yaml:11: datasets.us.places.fields.value.pad: The field is computed from the point, so it has no pad. Leave this out.
    locmetrics.yaml:7: datasets.us.places.fields.id.from: The value is a text, and the field has the type integer. Declare it as string.
    locmetrics.yaml:7: datasets.us.places.fields.id.from: The dataset has no point. Declare it: point: { latitude, longitude }.
    locmetrics.yaml:7: datasets.us.places.fields.id.from: A field of the key cannot be computed from the point. A point can lie outside all areas, and two points can lie in the same area. Choose another key.
    locmetrics.yaml:12: areas.wards.file: 'https://example.org/wards.geojson' is a URL, but boundaries are read only from this machine. Download the file, and name the copy in the manifest.
    locmetrics.yaml:12: areas.us_states: 'us_states' is the name of built-in boundaries. Choose another name."
  `);
});

test('rows through steps, and files of other formats, have the computed fields too', async () => {
  const stepped = await importByManifest(
    `files: p.csv
key: [id]
rows: [{ where: id <> '2' }]
point: { latitude: lat, longitude: lng }
fields:
  county: { type: string, from: { area: us_counties } }
  id: { type: string, expression: "'x' || id" }
  lat: { type: float }
  lng: { type: float }`,
    { 'p.csv': toCsv([[44.4, -68.2], undefined, [0.5, 0.5]]) },
  );
  expect(stepped.rows.map((row) => row.slice(0, 4))).toMatchInlineSnapshot(`
    [
      [
        "0",
        "23009",
        "x1",
        "44.4",
      ],
      [
        "1",
        null,
        "x3",
        "0.5",
      ],
    ]
  `);
  expect(stepped.notices).toMatchInlineSnapshot(`
    [
      "The steps made 2 rows from the 3 rows of the files.",
      "1 of 2 points lies in no area of us_counties: p.csv:4 (0.5, 0.5).",
    ]
  `);
  const lines = [
    { id: '1', lat: 44.4, lng: -68.2 },
    { id: '2', lat: null, lng: null },
  ];
  const json = await importByManifest(declare('{ area: us_states }').replace('p.csv', 'p.ndjson'), {
    'p.ndjson': lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
  expect(json.rows.map((row) => row[json.columns.indexOf('value')])).toEqual(['23', null]);
});

test('a version that extends another has the same computed values, and refuses other boundaries', async () => {
  await using folder = scopedFolder();
  const manifestPath = join(folder.path, 'locmetrics.yaml');
  const directory = dataDirectory(join(folder.path, 'data'));
  await writeFile(
    manifestPath,
    `format: 1
datasets:
  us.places:
${declare('{ area: wards }').replaceAll(/^/gm, '    ')}
${WARDS}`,
  );
  const run = async (points: string, wards: string, kind: 'replace' | 'append') => {
    await writeFile(join(folder.path, 'p.csv'), points);
    await writeFile(join(folder.path, 'wards.geojson'), wards);
    const { datasets } = await publish({
      ...WHOLE_PUBLISH,
      mode: { kind },
      manifestPath,
      datasetNames: [],
      directory,
      clock: Date.now,
    });
    const version = datasets[0]?.version.version ?? '';
    return readRows(join(directory.version('us.places', version), COLUMN_FILE));
  };
  const wards = toGeoJson([
    area({ code: 'A' }, box(0, 0, 2, 2)),
    area({ code: 'B' }, box(2, 0, 4, 2)),
  ]);
  await run('id,lat,lng\n1,1,1\n3,1,3\n', wards, 'replace');
  const extended = await run('id,lat,lng\n2,1,2.5\n4,9,9\n', wards, 'append');
  const others = toGeoJson([area({ code: 'C' }, box(0, 0, 2, 2))]);
  const refused = await run('id,lat,lng\n5,1,1\n', others, 'append').catch(
    (error: unknown) => error,
  );
  expect(String(refused).replaceAll(/\/\S*\/|Version \S+/g, '…')).toMatchInlineSnapshot(
    `"PublishError: … of us.places was published with boundaries of 'wards' that differ from those in wards.geojson, but the new version would extend it."`,
  );
  const whole = await run('id,lat,lng\n1,1,1\n2,1,2.5\n3,1,3\n4,9,9\n', wards, 'replace');
  expect(extended).toEqual(whole);
});
