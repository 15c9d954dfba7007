import { expect, test } from 'vitest';
import { parquetOf } from '../formats/parquet-of.ts';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const STEPS = `rows:
  - where: kind = 'county'
  - unpivot: { name: year, values: { population: POP#### } }
  - where: TRY_CAST(population AS BIGINT) > 10
key: [area, year]
fields:
  area: { type: string, expression: upper(area) }
  code: { type: string, column: [state, county], pad: [2, 3] }
  year: { type: integer }
  population: { type: integer }`;

const ROWS = [
  { area: 'a', kind: 'county', state: 1, county: '7', POP2019: 10, POP2020: 11.0 },
  { area: 'b', kind: 'state', state: 2, county: null, POP2019: 100 },
  { area: 'c', kind: 'county', state: 3, county: '21', POP2019: 20, POP2020: 1e3 },
];

const STEPPED = [
  ['A', '01007', '2020', '11'],
  ['C', '03021', '2019', '20'],
  ['C', '03021', '2020', '1000'],
];

test('steps, expressions and joined columns work in lines of JSON', async () => {
  const text = ROWS.map((row) =>
    JSON.stringify(row).replace(':1000', ':1e3').replace(':11', ':11.0'),
  );
  const files = { 'p.ndjson': `\n${text.join('\n')}\n` };
  expect(await valuesOf(`files: p.ndjson\n${STEPS}`, files)).toEqual(STEPPED);
});

test('so they do in the properties of GeoJSON, with the id and the point', async () => {
  const features = ROWS.map((properties, index) => ({
    type: 'Feature',
    id: index,
    geometry: { type: 'Point', coordinates: [index, 1.5] },
    properties,
  }));
  const files = { 'p.geojson': JSON.stringify({ type: 'FeatureCollection', features }) };
  const declaration = `files: p.geojson
point: { latitude: lat, longitude: lng }
${STEPS}
  id: { type: string, expression: '"$id" || year' }
  lat: { type: float, column: $latitude }
  lng: { type: float, column: $longitude }`;
  expect(await valuesOf(declaration, files)).toEqual(
    STEPPED.map((row) => {
      const number = row[0] === 'A' ? 0 : 2;
      return [...row, `${number}${row[2]}`, '1.5', `${number}.0`];
    }),
  );
});

test('so they do in Parquet', async () => {
  const file = await parquetOf(
    `SELECT * FROM (VALUES ('a', 'county', 1::TINYINT, '7', 10::DOUBLE, 11::DECIMAL(10,2)),
      ('b', 'state', 2, NULL, 100, NULL), ('c', 'county', 3, '21', 20, 1000))
      AS rows(area, kind, state, county, "POP2019", "POP2020")`,
  );
  expect(await valuesOf(`files: p.parquet\n${STEPS}`, { 'p.parquet': file })).toEqual(STEPPED);
});

test('values of every type of Parquet are texts in steps, numbers in their shortest exact form', async () => {
  const file = await parquetOf(`SELECT 1 AS id, 12::DOUBLE AS whole, 0.1::FLOAT AS float,
    12.50::DECIMAL(10, 2) AS decimal, 9007199254740993::BIGINT AS large, true AS boolean,
    DATE '2024-01-31' AS date, TIMESTAMP '2024-01-31 00:00:00' AS timestamp,
    '\\x00'::BLOB AS bytes, ['a', 'b'] AS list, {'x': 1.5} AS struct, '' AS blank,
    make_timestamptz(1706659200000000) AS moment`);
  const names = 'whole float decimal large boolean date timestamp bytes list struct blank moment';
  const fields = names.split(' ').map((name) => `  ${name}: { type: string }`);
  const declaration = `files: p.parquet
rows:
  - where: id = '1'
key: [id]
fields:
  id: { type: integer }
${fields.join('\n')}`;
  expect(await valuesOf(declaration, { 'p.parquet': file })).toMatchInlineSnapshot(`
    [
      [
        "1",
        "12",
        "0.1",
        "12.5",
        "9007199254740993",
        "true",
        "2024-01-31",
        "2024-01-31 00:00:00",
        "(bytes)",
        "["a","b"]",
        "{"x":1.5}",
        null,
        "2024-01-31 00:00:00Z",
      ],
    ]
  `);
});

test('columns are joined without steps too, and every value is told with its place', async () => {
  const declaration = `files: [p.ndjson, q.ndjson]
key: [code]
fields:
  code: { type: string, column: [state, county], pad: [2, 3] }
  note: { type: integer }`;
  const files = {
    'p.ndjson': '{"state": 1, "county": 7}\n\n{"state": 1}\n[1]\n{"state": 2, "county": "x"}\n',
    'q.ndjson': '{"county": 7, "state": 9, "note": 1.5}\n',
  };
  expect(await refusalByManifest(declaration, files)).toMatchInlineSnapshot(`
    "p.ndjson:3: code: '1, ' lacks a part of the code.
    p.ndjson:4: '[1]' is not a JSON object.
    p.ndjson:5: code: '2, x' is not a code of at most 3 digits. Leave pad out, or cut the codes first with an expression, such as split_part(ZipCode, '-', 1).
    q.ndjson:1: note: '1.5' is not a whole number. Write it without a fraction, or declare the field as float."
  `);
});

test('rows that are no object are left out and counted, if so many are accepted', async () => {
  const declaration = `files: p.ndjson
rows:
  - where: a <> 'y'
accept: { rejected_rows: 1 }
key: [a]
fields:
  a: { type: string }`;
  const { counts, rejected } = await importByManifest(declaration, {
    'p.ndjson': '{"a": "x"}\n7\n{"a": "y"}\n',
  });
  expect([counts, rejected]).toMatchInlineSnapshot(`
    [
      {
        "carriedOver": 0,
        "kept": 1,
        "read": 2,
        "rejected": 1,
        "replaced": 0,
        "total": 1,
      },
      [
        {
          "count": 1,
          "examples": [
            "p.ndjson:2: '7' is not a JSON object.",
          ],
          "field": null,
          "reason": "is not a JSON object",
        },
      ],
    ]
  `);
});

test('a step that fails, and a column that no row has, are told', async () => {
  const declaration = (where: string) => `files: p.geojson
rows:
  - where: ${where}
key: [a]
fields:
  a: { type: string }`;
  const features = ['1', 'x'].map((a) => ({ type: 'Feature', geometry: null, properties: { a } }));
  const files = { 'p.geojson': JSON.stringify({ type: 'FeatureCollection', features }) };
  const refusals = [
    await refusalByManifest(declaration('a::INTEGER > 0'), files),
    await refusalByManifest(declaration('b IS NULL'), files),
  ];
  expect(refusals).toMatchInlineSnapshot(`
    [
      "p.geojson, feature 2: rows[0].where: cannot be computed (Could not convert string 'x' to INT32 when casting from source column a). TRY_CAST returns an absent value for a text that cannot be cast; TRY(…) does so for any expression.",
      "/locmetrics.yaml:6: datasets.us.places.rows[0].where: there is no column 'b'. Did you mean 'a'? Put a name into double quotes, and a text into single ones.",
    ]
  `);
});
