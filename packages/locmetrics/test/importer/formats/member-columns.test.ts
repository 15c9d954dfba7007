import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';
import { parquetOf } from './parquet-of.ts';

const DECLARED = `key: [id]
fields:
  id: { type: string }
  city: { type: string, column: address.city }
  zip: { type: string, column: address.codes.zip, pad: 5 }
  visits: { type: integer, column: stats.visits }
  share: { type: float, column: stats.share }
  day: { type: date, column: stats.day, format: MM/DD/YYYY }`;

const ROWS = [
  {
    id: 'a',
    address: { city: 'Bern', codes: { zip: 1234 } },
    stats: { visits: 12, share: 0.5, day: '01/31/2024' },
  },
  { id: 'b', address: { city: 'Genf' }, stats: { visits: null, share: 2.0 } },
  { id: 'c', address: null },
];

const EXPECTED = [
  ['a', 'Bern', '01234', '12', '0.5', '2024-01-31'],
  ['b', 'Genf', null, null, '2.0', null],
  ['c', null, null, null, null, null],
];

test('members of objects are columns by their path, in JSON and in the properties of features', async () => {
  const lines = ROWS.map((row) => JSON.stringify(row)).join('\n');
  expect(await valuesOf(`files: p.ndjson\n${DECLARED}`, { 'p.ndjson': lines })).toEqual(EXPECTED);
  const features = ROWS.map((properties) => ({ type: 'Feature', geometry: null, properties }));
  const geojson = JSON.stringify({ type: 'FeatureCollection', features });
  expect(await valuesOf(`files: p.geojson\n${DECLARED}`, { 'p.geojson': geojson })).toEqual(
    EXPECTED,
  );
});

test('so are those of structs in Parquet, and of JSON text in CSV', async () => {
  const parquet = await parquetOf(`SELECT * FROM (VALUES
    ('a', {'city': 'Bern', 'codes': {'zip': 1234}}, {'visits': 12, 'share': 0.5::DOUBLE, 'day': '01/31/2024'}),
    ('b', {'city': 'Genf', 'codes': NULL}, {'visits': NULL, 'share': 2, 'day': ''}),
    ('c', NULL, NULL)) AS rows(id, address, stats)`);
  expect(await valuesOf(`files: p.parquet\n${DECLARED}`, { 'p.parquet': parquet })).toEqual(
    EXPECTED,
  );
  const quote = (value: unknown) =>
    value === undefined || value === null ? '' : `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const csv = ROWS.map(({ id, address, stats }) => `${id},${quote(address)},${quote(stats)}`);
  const files = { 'p.csv': `id,address,stats\n${csv.join('\n')}\n` };
  expect(await valuesOf(`files: p.csv\n${DECLARED}`, files)).toEqual(EXPECTED);
  const { notices } = await importByManifest(`files: p.csv\n${DECLARED}`, files);
  expect(notices).toEqual([]);
});

test('a column with a dot in its name comes first, and steps are before members', async () => {
  const declared = `files: p.ndjson
read: { nulls: [n/a] }
rows:
  - where: id <> 'b'
key: [id]
fields:
  id: { type: string }
  own: { type: string, column: a.b }
  member: { type: integer, column: a.c }
  both: { type: string, column: [a.c, a.d.e], pad: [2, 3] }`;
  const lines = [
    '{"id": "x", "a.b": "own", "a": {"b": "member", "c": 7, "d": {"e": "9"}}}',
    '{"id": "y", "a": {"c": "n/a", "d": {"e": null}}}',
    '{"id": "b", "a": {"c": "wrong"}}',
  ];
  expect(await valuesOf(declared, { 'p.ndjson': lines.join('\n') })).toEqual([
    ['x', 'own', '7', '07009'],
    ['y', null, null, null],
  ]);
});

test('steps and expressions reach members by SQL', async () => {
  const declared = `files: p.ndjson
rows:
  - where: address->>'city' = 'Bern'
key: [id]
fields:
  id: { type: string }
  zip: { type: string, expression: "address->'codes'->>'zip'" }`;
  const lines = ROWS.map((row) => JSON.stringify(row)).join('\n');
  expect(await valuesOf(declared, { 'p.ndjson': lines })).toEqual([['a', '1234']]);
});

test('a wrong member is refused with its line, and so is a value that has no members', async () => {
  const lines = [
    '{"id": "a", "stats": {"visits": 1.5}}',
    '{"id": "b", "stats": 7}',
    '{"id": "c", "stats": [1]}',
    '{"id": "d", "stats": {"visits": {"x": 1}}}',
  ];
  const declared = `files: p.ndjson
key: [id]
fields:
  id: { type: string }
  visits: { type: integer, column: stats.visits }`;
  expect(
    await refusalByManifest(declared, { 'p.ndjson': lines.join('\n') }),
  ).toMatchInlineSnapshot(`
    "p.ndjson:1: visits: '1.5' is not a whole number. Write it without a fraction, or declare the field as float.
    p.ndjson:2: visits: '7' is not a JSON object.
    p.ndjson:3: visits: '[1]' is not a JSON object.
    p.ndjson:4: visits: '{"x":1}' is not a whole number."
  `);
  expect(
    await refusalByManifest(declared.replace('stats.visits', 'status.visits'), {
      'p.ndjson': lines.join('\n'),
    }),
  ).toMatchInlineSnapshot(
    `"p.ndjson: visits: the column 'status.visits' is missing. Known: id, stats."`,
  );
  const csv = 'id,stats\na,"{""visits"": 3}"\nb,broken {\n';
  expect(
    await refusalByManifest(declared.replace('p.ndjson', 'p.csv'), { 'p.csv': csv }),
  ).toMatchInlineSnapshot(`"p.csv:3: visits: 'broken {' is not a JSON object."`);
});
