import { expect, test } from 'vitest';
import { drafted } from '../draft/draft-under-test.ts';
import { refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const SEPARATOR = '\u001e';
const sequence = (values: readonly unknown[], space?: number) =>
  values.map((value) => `${SEPARATOR}${JSON.stringify(value, undefined, space)}\n`).join('');

const ROWS = [
  { id: 'a', n: 1, note: 'two\nlines' },
  { id: 'b', n: 2, note: 'x' },
];

const DECLARED = `key: [id]
fields:
  id: { type: string }
  n: { type: integer }
  note: { type: string }`;

test.each([
  ['one line each', sequence(ROWS)],
  ['several lines each', sequence(ROWS, 2)],
  ['Windows line breaks', sequence(ROWS, 2).replaceAll('\n', '\r\n')],
  ['separators alone', sequence(ROWS).replaceAll('\n', '')],
  ['a byte order mark', `\uFEFF${sequence(ROWS)}`],
  ['empty records', `${SEPARATOR}${SEPARATOR}\n${sequence(ROWS)}${SEPARATOR}`],
])('a JSON sequence is read: %s', async (_, text) => {
  expect(await valuesOf(`files: p.ndjson\n${DECLARED}`, { 'p.ndjson': text })).toEqual([
    ['a', '1', 'two\nlines'],
    ['b', '2', 'x'],
  ]);
});

const FEATURES = [1, 2].map((number) => ({
  type: 'Feature',
  id: number,
  geometry: { type: 'Point', coordinates: [number, 45] },
  properties: { id: `f${number}`, n: number, note: 'x' },
}));

test('so is a GeoJSON text sequence, by its name or its content', async () => {
  const declared = `point: { latitude: lat, longitude: lng }
${DECLARED}
  lat: { type: float, column: $latitude }
  lng: { type: float, column: $longitude }`;
  const expected = [
    ['f1', '1', 'x', '45.0', '1.0'],
    ['f2', '2', 'x', '45.0', '2.0'],
  ];
  for (const space of [undefined, 2]) {
    expect(
      await valuesOf(`files: p.geojsons\n${declared}`, { 'p.geojsons': sequence(FEATURES, space) }),
    ).toEqual(expected);
    const { rows, text } = await drafted({ 'stops.json': sequence(FEATURES, space) });
    expect(text).toContain('format: geojson');
    expect(rows.map((row) => [row['id'], row['latitude'], row['longitude']])).toEqual([
      ['f1', '45.0', '1.0'],
      ['f2', '45.0', '2.0'],
    ]);
  }
});

test('a record that is cut short, or has a wrong value, is named by its number', async () => {
  const cut = `${sequence(ROWS, 2)}${SEPARATOR}{"id": "c", "n":`;
  const wrong = sequence([...ROWS, { id: 'c', n: 'x' }], 2);
  const feature = { type: 'Feature', geometry: null, properties: { id: 'c', n: 'x' } };
  expect(
    [
      await refusalByManifest(`files: p.ndjson\n${DECLARED}`, { 'p.ndjson': cut }),
      await refusalByManifest(`files: p.ndjson\n${DECLARED}`, { 'p.ndjson': wrong }),
      await refusalByManifest(`files: p.geojsons\n${DECLARED}`, {
        'p.geojsons': sequence([...FEATURES, feature], 2),
      }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.ndjson, row 3: '{"id": "c", "n":' is not JSON. Write one JSON object on each line.
    p.ndjson, row 3: n: 'x' is not a whole number.
    p.geojsons, feature 3: n: 'x' is not a whole number."
  `);
});
