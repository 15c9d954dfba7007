import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const declare = (file: string, more = '') => `files: ${file}
${more}key: [id]
fields:
  id: { type: string }
  n: { type: integer }`;

const LINES = [
  '{"id":"a","n":1}',
  '',
  '{"id":"b","n":1,"\\u006e":2}',
  '{"id":"c","n":3}',
  '{"id":"d","id":"D","n":4}',
];

test('a line of JSON with a member twice is refused with its line and the member, however it is escaped', async () => {
  const text = LINES.join('\n');
  const expected = await refusalByManifest(declare('p.ndjson'), { 'p.ndjson': text });
  expect(expected).toMatchInlineSnapshot(`
    "p.ndjson:3: '{"id":"b","n":1,"\\u006e":2}' has the member 'n' twice.
    p.ndjson:5: '{"id":"d","id":"D","n":4}' has the member 'id' twice."
  `);
  expect(
    (await refusalByManifest(declare('p.ndjson.gz'), { 'p.ndjson.gz': gzipSync(text) })).replaceAll(
      'ndjson.gz',
      'ndjson',
    ),
  ).toBe(expected);
  expect(
    await refusalByManifest(declare('p.ndjson', 'rows:\n  - where: TRY_CAST(n AS INT) > 0\n'), {
      'p.ndjson': text,
    }),
  ).toBe(expected);
});

test('such a row may be left out like other wrong rows', async () => {
  const { rows, counts } = await importByManifest(
    declare('p.ndjson', 'accept: { rejected_rows: 60% }\n'),
    { 'p.ndjson': LINES.join('\n') },
  );
  expect(rows.map(([, id]) => id)).toEqual(['a', 'c']);
  expect(counts).toMatchObject({ read: 4, kept: 2, rejected: 2 });
});

test('the same name in another object, or within a text, is not the same member', async () => {
  const lines = [
    '{"id":"a","n":1,"x":{"id":1,"n":{"n":2}},"y":[{"id":1},{"id":2}]}',
    String.raw`{"id":"b","n":2,"x":"{\"id\":1,\"id\":2}","\u0049d":1,"ID":2}`,
  ];
  expect(await valuesOf(declare('p.ndjson'), { 'p.ndjson': lines.join('\n') })).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]);
});

test('members of nested objects and of elements of arrays count too', async () => {
  const text = `[
    {"id":"a","n":1,"x":{"y":{"k":1,"l":{},"k":2}}},
    {"id":"b","n":2,"x":[{"k":1},{"k":1,"\\u006b":1}]},
    {"id":"c","n":3,"x":{"k":1}}
  ]`;
  expect(
    await refusalByManifest(declare('p.json', 'format: ndjson\n'), { 'p.json': text }),
  ).toMatchInlineSnapshot(`
    "p.json, row 1: '{"id":"a","n":1,"x":{"y":{"k":1,"l":{},"k":2}}}' has the member 'x.y.k' twice.
    p.json, row 2: '{"id":"b","n":2,"x":[{"k":1},{"k":1,"\\u006b":1}]}' has the member 'x.1.k' twice."
  `);
});

test('the object that has the array of rows must have each name of its path once', async () => {
  const refusal = (text: string) =>
    refusalByManifest(declare('p.json', 'format: ndjson\nread: { member: a.rows }\n'), {
      'p.json': text,
    });
  const rows = '[{"id":"a","n":1}]';
  expect(
    [
      await refusal(`{"a":{"rows":${rows},"x":1,"\\u0072ows":[]}}`),
      await refusal(`{"a":{"rows":5,"rows":${rows}}}`),
      await refusal(`{"a":{"rows":${rows}},"b":{"a":1},"a":1}`),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.json: has the member 'a.rows' twice. Write it once, so that it is clear which one has the rows.
    p.json: has the member 'a.rows' twice. Write it once, so that it is clear which one has the rows.
    p.json: has the member 'a' twice. Write it once, so that it is clear which one has the rows."
  `);
  const right = `{"x":{"a":{"rows":1}},"a":{"y":[{"rows":1}],"rows":${rows},"z":{"rows":[]}},"b":{"a":1}}`;
  expect(
    await valuesOf(declare('p.json', 'format: ndjson\nread: { member: a.rows }\n'), {
      'p.json': right,
    }),
  ).toEqual([['a', '1']]);
});

const feature = (properties: string, more = '') =>
  `{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":${properties}${more}}`;

test('a GeoJSON feature with a member twice is refused, and so is a collection', async () => {
  const lines = [
    feature('{"id":"a","n":1}'),
    feature('{"id":"b","n":1,"n":2}'),
    feature('{"id":"c","n":1,"x":{"k":1,"k":2}}'),
    feature('{"id":"d","n":1}', ',"type":"Feature"'),
    feature('{"id":"e","n":1}').replace('[1,2]', '[1,2],"coordinates":[3,4]'),
    feature('{}', ',"type":"Feature"'),
  ];
  const refusal = (text: string) => refusalByManifest(declare('p.geojson'), { 'p.geojson': text });
  const collection = (more = '') =>
    `{"type":"FeatureCollection","features":[${lines.join(',')}]${more}}`;
  expect(await refusal(lines.join('\n'))).toMatchInlineSnapshot(`
    "p.geojson:2: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (102 characters) has the member 'properties.n' twice.
    p.geojson:3: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (114 characters) has the member 'properties.x.k' twice.
    p.geojson:4: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (113 characters) has the member 'type' twice.
    p.geojson:5: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (116 characters) has the member 'geometry.coordinates' twice.
    p.geojson:6: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (99 characters) has the member 'type' twice."
  `);
  expect(await refusal(collection())).toMatchInlineSnapshot(`
    "p.geojson, feature 2: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (102 characters) has the member 'properties.n' twice.
    p.geojson, feature 3: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (114 characters) has the member 'properties.x.k' twice.
    p.geojson, feature 4: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (113 characters) has the member 'type' twice.
    p.geojson, feature 5: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (116 characters) has the member 'geometry.coordinates' twice.
    p.geojson, feature 6: '{"type":"Feature","geometry":{"type":"Point","coordinates":[…' (99 characters) has the member 'type' twice."
  `);
  expect(await refusal(collection(',"\\u0066eatures":[]'))).toMatchInlineSnapshot(
    `"p.geojson: has the member 'features' twice. Write it once."`,
  );
});

test('texts and numbers that mean absent are declared for JSON too', async () => {
  const lines = [
    '{"id":"a","n":"NaN","name":" - ","list":["-"]}',
    '{"id":"b","n":-999,"name":"-999 "}',
    '{"id":"c","n":1,"name":null}',
    '{"id":"d","name":"NaN or -"}',
  ];
  const declaration = (file: string, more = '') =>
    `files: ${file}\nread: { nulls: [NaN, '-', '-999'] }\n${more}key: [id]
fields:
  id: { type: string }
  n: { type: integer }
  name: { type: string }`;
  const expected = [
    ['a', null, null],
    ['b', null, null],
    ['c', '1', null],
    ['d', null, 'NaN or -'],
  ];
  const files = {
    'p.ndjson': lines.join('\n'),
    'p.json': `[${lines.join(',\n')}]`,
    'p.geojson': `{"type":"FeatureCollection","features":[${lines.map((line) => feature(line)).join(',')}]}`,
  };
  for (const steps of ['', 'rows:\n  - where: "true"\n']) {
    expect(await valuesOf(declaration('p.ndjson', steps), files)).toEqual(expected);
    expect(await valuesOf(declaration('p.json', `format: ndjson\n${steps}`), files)).toEqual(
      expected,
    );
    expect(await valuesOf(declaration('p.geojson', steps), files)).toEqual(expected);
  }
});
