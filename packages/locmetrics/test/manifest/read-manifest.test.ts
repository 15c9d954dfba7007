import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLAIN_READING } from '@locmetrics/ingest/manifest/manifest';
import { manifestSchemaText } from '@locmetrics/ingest/manifest/manifest-schema';
import { PATTERN_WORDS } from '@locmetrics/ingest/manifest/manifest-schema-parts';
import { readManifest } from '@locmetrics/ingest/manifest/read-manifest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { replaceParts, useManifests } from './manifest-under-test.ts';

const { folder, read, problems } = useManifests();

const DATASET = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields:
      id: { type: string }
`;

/** A valid manifest. Its dataset has every role, one layer and one metric. */
const FULL = `format: 1
products:
  shop: { display_name: Shops, description: All of them. }
datasets:
  shop.stores:
    display_name: Stores
    description: A row is a store.
    files: [a.csv, b.csv.gz]
    csv: { delimiter: ';', quote: '' }
    key: [id]
    point: { latitude: lat, longitude: lng }
    existence: { start: opened, end: closed }
    fields:
      id: { type: string, column: store_id, example_value: '04609' }
      name: { type: string, source_column: feature.name.value }
      state: { type: string }
      lat: { type: float }
      lng: { type: float, example_value: 8.50 }
      opened: { type: date }
      closed: { type: date, included_by_default: false }
  shop.visits:
    files: visits.parquet
    key: [id, from]
    period: { start: from, end: to }
    fields:
      id: { type: string }
      from: { type: date }
      to: { type: date }
      visits: { type: integer, description: People. }
layers:
  stores:
    dataset: shop.stores
    feature_id: id
    name: name
    address_components:
      state: { value: state, kind: map }
metrics:
  shop/visits:
    dataset: shop.visits
    layer: stores
    feature_id: id
    cadence: monthly
    measure: { name: people, field: visits, kind: count }
`;

/** The full manifest with one part of it replaced. */
function changed(part: string, replacement: string): string {
  return replaceParts(FULL, [[part, replacement]]);
}

test('a merge key copies the keys of an alias', async () => {
  const merged = `format: 1
datasets:
  a.b:
    files: x.csv
    key: [id]
    fields:
      id: &code { type: string, description: A code. }
      other: { <<: *code, column: o }
`;
  const { datasets } = await read(merged);
  expect(datasets[0]?.dataset.fields.map(({ name, description }) => [name, description])).toEqual([
    ['id', 'A code.'],
    ['other', 'A code.'],
  ]);
});

test.each([
  ['brackets', `format: 1\ndatasets: ${'['.repeat(20_000)}`, 2],
  ['closed brackets', `format: 1\n\nx: ${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`, 3],
  ['lists in one line', `x:\n${'- '.repeat(20_000)}1\n`, 2],
  [
    'indented lines',
    Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
    1001,
  ],
])('a manifest that is nested too deep is refused at once, by %s', async (_, text, line) => {
  await writeFile(join(folder(), 'deep.yaml'), text);
  await expect(readManifest(join(folder(), 'deep.yaml'))).rejects.toThrow(
    `deep.yaml:${line}: This is nested too deeply for a manifest. Check that it is a complete manifest.`,
  );
});

test('aliases that grow exponentially, and a file that is no manifest by its size, are refused', async () => {
  const levels = Array.from({ length: 30 }, (_, level) =>
    level === 0 ? 'a0: &a0 [x, x]' : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`,
  );
  await writeFile(join(folder(), 'aliases.yaml'), levels.join('\n'));
  await expect(readManifest(join(folder(), 'aliases.yaml'))).rejects.toThrow(
    'The aliases in the manifest cannot be followed',
  );
  await writeFile(join(folder(), 'large.yaml'), Buffer.alloc(2 ** 24 + 1, 0x20));
  await expect(readManifest(join(folder(), 'large.yaml'))).rejects.toThrow(
    'The manifest cannot be read: it has 16 MiB, but a manifest can have at most 16 MiB.',
  );
});

test('a manifest that is not UTF-8 is refused with a message', async () => {
  await writeFile(join(folder(), 'utf16.yaml'), Buffer.from('\ufeffformat: 1\n', 'utf16le'));
  await expect(readManifest(join(folder(), 'utf16.yaml'))).rejects.toThrow(
    'The manifest is not UTF-8. Save the file as UTF-8.',
  );
});

test('a manifest with all parts is read, and the roles set their defaults', async () => {
  const { datasets, path } = await read(FULL);
  expect(path).toBe(join(folder(), 'locmetrics.yaml'));
  const [stores, visits] = datasets;
  expect(stores?.source).toEqual({
    files: [join(folder(), 'a.csv'), join(folder(), 'b.csv.gz')],
    format: 'csv',
    fields: new Map([
      ['id', { columns: ['store_id'] }],
      ['name', { columns: ['name'] }],
      ['state', { columns: ['state'] }],
      ['lat', { columns: ['lat'] }],
      ['lng', { columns: ['lng'] }],
      ['opened', { columns: ['opened'] }],
      ['closed', { columns: ['closed'] }],
    ]),
    reading: { ...PLAIN_READING, delimiter: ';', quote: '' },
    areas: [],
    steps: [],
    lookups: [],
  });
  const { fields, ...dataset } = stores?.dataset ?? { fields: [] };
  expect(dataset).toMatchInlineSnapshot(`
    {
      "description": "A row is a store.",
      "displayName": "Stores",
      "existence": {
        "end": "closed",
        "start": "opened",
      },
      "key": [
        "id",
      ],
      "name": "shop.stores",
      "point": {
        "latitude": "lat",
        "longitude": "lng",
      },
      "productDescription": "All of them.",
      "productDisplayName": "Shops",
      "searchRule": 2,
      "vectors": {
        "latitude": "lat",
        "longitude": "lng",
      },
    }
  `);
  expect(
    [...fields, ...(visits?.dataset.fields ?? [])].map((field) =>
      [field.name, field.sourceColumn, field.exampleValue, field.includedByDefault].join(' '),
    ),
  ).toMatchInlineSnapshot(`
    [
      "id feature.feature_id.value 04609 true",
      "name feature.name.value  true",
      "state feature.state.value  true",
      "lat feature.lat.value  true",
      "lng feature.lng.value 8.5 true",
      "opened feature.came_into_existence.value  true",
      "closed feature.ceased_to_exist.value  false",
      "id feature.feature_id.value  true",
      "from observation_period.start.value  true",
      "to observation_period.end.value  true",
      "visits metric_value.visits.value  true",
    ]
  `);
});

test('the manifest of the sample is read, with the files beside it', async () => {
  const sample = fileURLToPath(new URL('../../sample/locmetrics.yaml', import.meta.url));
  const { datasets } = await readManifest(sample);
  expect(datasets.map(({ dataset, source }) => [dataset.name, source.format])).toEqual([
    ['cafes.places', 'csv'],
    ['cafes.visits', 'csv'],
    ['ml_visitation.places', 'csv'],
    ['ml_visitation.foot_traffic_month', 'csv'],
    ['ml_visitation.neighborhoods', 'parquet'],
    ['mobility.state_day', 'csv'],
    ['mobility.states', 'csv'],
  ]);
});

test('without display names, the names are used', async () => {
  const { datasets } = await read(DATASET);
  expect(datasets[0]?.dataset).toMatchObject({
    displayName: 'shop.stores',
    productDisplayName: 'shop',
    description: '',
    productDescription: '',
  });
});

test('a missing file is reported with its name as it was given', async () => {
  await expect(readManifest('nothing/locmetrics.yaml')).rejects.toThrow(
    /^nothing\/locmetrics\.yaml: The manifest does not exist\. Give the path of your manifest, such as data\/locmetrics\.yaml\. `locmetrics init FILE…` writes a first one\.$/,
  );
});

test('a folder in place of the manifest is refused with the path that was probably meant', async () => {
  await expect(readManifest(folder())).rejects.toThrow(
    `${folder()}: This is a folder, not a manifest. Give the path of the manifest in it, such as ${folder()}/locmetrics.yaml.`,
  );
});

test('text that is not YAML is reported with its lines', async () => {
  expect(await problems('format: 1\ndatasets: {\n  a: [1\n')).toMatchInlineSnapshot(
    `"/locmetrics.yaml:4: This is not YAML: A [ above is not closed. Write the ] that closes it. Put a text that has such characters, or a #, into quotes."`,
  );
});

test('a repeated key is reported with its line', async () => {
  expect(await problems(`${DATASET}      id: { type: integer }\n`)).toMatchInlineSnapshot(
    `"/locmetrics.yaml:8: This is not YAML: The key id is written twice. Write each key once."`,
  );
});

test.each(['', '# only a comment\n', '5\n', '[]\n', 'null\n'])(
  'the manifest %j is refused',
  async (text) => {
    expect(await problems(text)).toMatch(
      /^\/locmetrics\.yaml(:1)?: Expected keys with values, found /,
    );
  },
);

test('unknown keys are reported at every depth with the nearest known key', async () => {
  expect(
    await problems(`format: 1
dataset: {}
datasets:
  shop.stores:
    file: stores.csv
    files: stores.csv
    key: [id]
    point: { lat: x, latitude: x, longitude: y }
    csv: { delimeter: ';' }
    fields:
      id: { typ: string, type: string }
layers:
  stores: { dataset: shop.stores, feature_id: id, name: id, adress_components: {} }
`),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:2: dataset: Unknown key 'dataset'. Did you mean 'datasets'?
    /locmetrics.yaml:5: datasets.shop.stores.file: Unknown key 'file'. Did you mean 'files'?
    /locmetrics.yaml:8: datasets.shop.stores.point.lat: Unknown key 'lat'. Known: latitude, longitude, region.
    /locmetrics.yaml:9: datasets.shop.stores.csv.delimeter: Unknown key 'delimeter'. Did you mean 'delimiter'?
    /locmetrics.yaml:11: datasets.shop.stores.fields.id.typ: Unknown key 'typ'. Did you mean 'type'?
    /locmetrics.yaml:13: layers.stores.adress_components: Unknown key 'adress_components'. Did you mean 'address_components'?"
  `);
});

test('a text without quotes that a comma ends is told', async () => {
  expect(
    await problems(`format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields:
      id: { type: string, expression: substr(id, 1, b) }
`),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:7: datasets.shop.stores.fields.id.1: Unknown key '1'. Put the text before it into quotes: within braces, a comma ends an unquoted text.
    /locmetrics.yaml:7: datasets.shop.stores.fields.id.b): Unknown key 'b)'. Put the text before it into quotes: within braces, a comma ends an unquoted text."
  `);
});

test('missing keys are reported with the line of the incomplete part', async () => {
  expect(
    await problems('format: 1\ndatasets:\n  shop.stores:\n    fields:\n      id: {}\n'),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:4: datasets.shop.stores: The key 'files' is missing.
    /locmetrics.yaml:4: datasets.shop.stores: The key 'key' is missing.
    /locmetrics.yaml:5: datasets.shop.stores.fields.id: The key 'type' is missing."
  `);
});

test('invalid names are reported', async () => {
  expect(
    await problems(`format: 1
datasets:
  stores:
    files: stores.csv
    key: [ID]
    fields:
      ID: { type: string }
`),
  ).toMatchInlineSnapshot(
    `"/locmetrics.yaml:4: datasets.stores: 'stores' is not a valid name. Write product.dataset: two names with a dot between them, each a name of lower-case letters, digits and _, which begins with a letter and has at most 63 characters."`,
  );
});

test.each(['__proto__', 'Id', '_id', '1d', 'a-b', 'a b', 'é', 'x'.repeat(64)])(
  'the field name %s is refused',
  async (name) => {
    expect(await problems(`${DATASET}      ${name}: { type: string }\n`)).toMatch(
      /is not a valid name|Unknown key|cannot/,
    );
  },
);

test('constructor is the name of a field like any other', async () => {
  const { datasets } = await read(`${DATASET}      constructor: { type: string }\n`);
  expect(datasets[0]?.dataset.fields[1]?.name).toBe('constructor');
  expect(await problems(DATASET.replace('[id]', '[constructor]'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:5: datasets.shop.stores.key.0: There is no field 'constructor'. Known: id."`,
  );
  expect(await problems(changed('    name: name', '    name: constructor'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:34: layers.stores.name: There is no field 'constructor' in shop.stores. Known: id, name, state, lat, lng, opened, closed."`,
  );
});

test('values of the wrong type and unknown values are reported', async () => {
  expect(
    await problems(`format: 2
datasets:
  shop.stores:
    files: stores.csv
    format: xml
    key: id
    fields:
      id: { type: text, included_by_default: 'yes' }
      a: { type: strin }
`),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:1: format: Expected 1, found 2.
    /locmetrics.yaml:5: datasets.shop.stores.format: Unknown value 'xml'. Known: csv, tsv, xlsx, parquet, ndjson, geojson, shapefile, geopackage.
    /locmetrics.yaml:6: datasets.shop.stores.key: Expected a list, found "id". Write it as a list: key: [id]
    /locmetrics.yaml:8: datasets.shop.stores.fields.id.type: Unknown value 'text'. Known: string, integer, float, boolean, date.
    /locmetrics.yaml:8: datasets.shop.stores.fields.id.included_by_default: Expected true or false, found "yes". Write true or false without quotes.
    /locmetrics.yaml:9: datasets.shop.stores.fields.a.type: Unknown value 'strin'. Did you mean 'string'?"
  `);
});

test('a mistake in one dataset hides none of another kind at the same place of another', async () => {
  const dataset = (name: string, files: string): string =>
    `  ${name}:\n    files: ${files}\n    key: [id]\n    fields:\n      id: { type: string }\n`;
  const text = `format: 1\ndatasets:\n${dataset('a.b', '5')}${dataset('a.c', '[]')}`;
  expect(await problems(text)).toMatchInlineSnapshot(
    `
    "/locmetrics.yaml:4: datasets.a.b.files: Expected a text or a list, found 5.
    /locmetrics.yaml:9: datasets.a.c.files: The list is empty. Write at least one entry."
  `,
  );
});

test.each([
  ['files: stores.csv', 'files: 5', 'files: Expected a text or a list, found 5.'],
  ['files: stores.csv', 'files: []', 'files: The list is empty. Write at least one entry.'],
  [
    '{ type: string }',
    '{ type: string, column: true }',
    'fields.id.column: Expected a text or a whole number or a list, found true.',
  ],
  [
    '{ type: string }',
    "{ type: string, column: '' }",
    'fields.id.column: The text is empty. Write at least one character, or remove the key.',
  ],
  [
    '{ type: string }',
    '{ type: string, source_column: City }',
    'fields.id.source_column: "City" is not valid here. Write two or more names with dots between them, such as feature.city.value: lower-case letters, digits and _, with a letter first.',
  ],
  [
    '{ type: string }',
    '{ type: string, description: [a] }',
    'fields.id.description: Expected a text, found ["a"]. Write one text, not a list.',
  ],
  [
    '{ type: string }',
    'string',
    'fields.id: Expected keys with values, found "string". Write its keys with their values below id:',
  ],
  [
    '      id: { type: string }',
    '      Store Id: { type: string }',
    "fields.Store Id: 'Store Id' is not a valid name. Write a name of lower-case letters, digits and _, which begins with a letter and has at most 63 characters. For example: store_id",
  ],
  ['    key: [id]', '    key:', 'key: Expected a list, found nothing. Write it as a list: [a, b]'],
  [
    'stores.csv',
    'http://anna:secret@example.org/stores.csv?key=secret',
    "files: 'http://example.org/stores.csv?…' is not encrypted, so anyone on the network path could change the data. Use https://. Plain http:// works only for this machine.",
  ],
  [
    'stores.csv',
    '[stores.csv, s3://bucket/more-*.csv]',
    "files: 's3://bucket/more-*.csv' has a *, but files at URLs cannot be listed. Write a list of the URLs.",
  ],
  [
    'stores.csv',
    'gs://bucket/stores',
    "files: 'gs://bucket/stores' uses gs, but only https:// and s3:// are supported. Download the file, and name the copy in the manifest.",
  ],
  ['stores.csv', 's3://bucket', "files: 's3://bucket' is not an S3 URL. Write s3://BUCKET/KEY."],
  [
    'stores.csv',
    'https://example.org:x/stores.csv',
    "files: 'https://example.org:x/stores.csv' is not a URL. Write one such as https://example.org/stores.csv.",
  ],
  [
    'stores.csv',
    'https://anna:secret@example.org/export?format=csv',
    "files: The name of 'https://example.org/export?…' does not show its format. Declare it, such as format: csv. Known formats: csv, tsv, xlsx, parquet, ndjson, geojson, shapefile, geopackage.",
  ],
] as const)(
  'the message describes the problem and the valid form: %s → %s',
  async (part, replacement, problem) => {
    const line = /^files|^stores/.test(part) ? 4 : part.includes('key') ? 5 : 7;
    expect(await problems(DATASET.replace(part, replacement))).toBe(
      `/locmetrics.yaml:${line}: datasets.shop.stores.${problem}`,
    );
  },
);

test('every pattern of the schema has an explanation', () => {
  const patterns = [
    ...manifestSchemaText().matchAll(/"(?:pattern": "([^"\n]*)"|(\^[^"\n]*\$)":)/g),
  ].map(([, value, key]) => JSON.parse(`"${value ?? key}"`));
  expect(new Set(patterns)).toEqual(new Set(PATTERN_WORDS.keys()));
});

test('the schema is valid JSON Schema 2020-12', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(ajv.validateSchema(JSON.parse(manifestSchemaText())), ajv.errorsText()).toBe(true);
});

test('an empty key and a repeated field in a key are reported', async () => {
  expect(await problems(changed('key: [id]', 'key: []'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:10: datasets.shop.stores.key: The list is empty. Write at least one entry."`,
  );
  expect(await problems(changed('key: [id]', 'key: [id, id]'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:10: datasets.shop.stores.key: The list has "id" twice. Write each entry once."`,
  );
});

test('for an unquoted code as the example of a string field, the hint is to quote it', async () => {
  expect(await problems(changed("'04609'", '04609'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:14: datasets.shop.stores.fields.id.example_value: The example 4609 of a string field is not a text. Put it in quotes."`,
  );
});

test.each([
  ['lat: { type: float }', 'lat: { type: float, example_value: north }'],
  ['opened: { type: date }', "opened: { type: date, example_value: '2023-02-29' }"],
  ['visits: { type: integer,', 'visits: { type: integer, example_value: 1.5,'],
])('an example that its field cannot have is reported: %s → %s', async (part, replacement) => {
  expect(await problems(changed(part, replacement))).toMatch(
    /^\/locmetrics\.yaml:\d+: datasets\.shop\.(stores|visits)\.fields\.[a-z]+\.example_value: The example '.+' is not .+ such as .+\.$/,
  );
});

test('small cells of measures are suppressed', async () => {
  const { datasets } = await read(
    changed('visits: { type: integer,', 'visits: { type: integer, suppress: { below: 5 },'),
  );
  expect(datasets[1]?.dataset.fields.find(({ name }) => name === 'visits')?.suppressBelow).toBe(5);
});

test('withheld values have marks where the manifest says so, and then no flag has their name', async () => {
  const marked = changed(
    'visits: { type: integer,',
    'visits: { type: integer, suppress: { below: 5, mark: true },',
  );
  const { datasets } = await read(marked);
  expect(
    datasets[1]?.dataset.fields
      .filter(({ marksWithheld }) => marksWithheld)
      .map(({ name }) => name),
  ).toEqual(['visits']);
});

test.each([
  [
    'state: { type: string }',
    'state: { type: string, suppress: { below: 5 } }',
    'has the type string. Suppress small values of numbers.',
  ],
  [
    'lat: { type: float }',
    'lat: { type: float, suppress: { below: 5 } }',
    'is a coordinate, which callers always see in full.',
  ],
  [
    'id: { type: string, column: store_id',
    'id: { type: integer, suppress: { below: 5 }, column: store_id',
    'is part of the key, which callers always see in full.',
  ],
  [
    'state: { type: string }',
    'state: { type: integer, suppress: { below: 5 } }',
    "is the address component 'state', which callers always see in full.",
  ],
])(
  'suppression of a field that is not a measure is reported: %s',
  async (part, replacement, reason) => {
    expect(await problems(changed(part, replacement))).toContain(reason);
  },
);

test.each([
  [
    'state: { type: string }',
    'state: { type: string, additive: all }',
    "The field 'state' has the type string, so its values are never added up. Leave additive out; it is for numbers.",
  ],
  [
    'lat: { type: float }',
    'lat: { type: float, additive: none }',
    "The field 'lat' is a coordinate, so its values are never added up. Leave additive out; it is for measures.",
  ],
  [
    'state: { type: string }',
    'state: { type: string }\n      staff: { type: integer, additive: places }',
    "The field 'staff' has additive: places, but the records have no period. Declare the period of the dataset, or write additive: all.",
  ],
  [
    'visits: { type: integer,',
    'visits: { type: integer, additive: place,',
    "additive: Unknown value 'place'. Did you mean 'places'?",
  ],
  [
    'period: { start: from, end: to }',
    'period: { start: from, end: to }\n    totals: { ide: all }',
    "totals.ide: There is no field 'ide'. Did you mean 'id'?",
  ],
  [
    'period: { start: from, end: to }',
    'period: { start: from, end: to }\n    totals: { id: 0 }',
    'totals.id: The total 0 of a string field is not a text. Put it in quotes.',
  ],
  [
    'period: { start: from, end: to }',
    'period: { start: from, end: to }\n    totals: { visits: all }',
    "totals.visits: The total 'all' is not a whole number",
  ],
  [
    'existence: { start: opened, end: closed }',
    'totals: { lat: 1 }',
    "totals.lat: The field 'lat' has the type float. It must be string or integer or boolean or date.",
  ],
])('what can be added up is checked: %s', async (part, replacement, reason) => {
  expect(await problems(changed(part, replacement))).toContain(reason);
});

test('the additivity of a field and the totals of a dataset are part of its definition', async () => {
  const { datasets } = await read(
    replaceParts(FULL, [
      ['visits: { type: integer,', 'visits: { type: integer, additive: places,'],
      [
        'period: { start: from, end: to }',
        'period: { start: from, end: to }\n    totals: { id: all }',
      ],
    ]),
  );
  const found = datasets[1]?.dataset.fields.map(({ name, additive, totalLabel }) => ({
    name,
    additive,
    totalLabel,
  }));
  expect(found).toEqual([
    { name: 'id', totalLabel: 'all' },
    { name: 'from' },
    { name: 'to' },
    { name: 'visits', additive: 'places' },
  ]);
});

test('the number of an example loses trailing zeros', async () => {
  const { datasets } = await read(FULL);
  expect(datasets[0]?.dataset.fields.find(({ name }) => name === 'lng')?.exampleValue).toBe('8.5');
});

test('roles that name an unknown field, or a field of a wrong type, are reported', async () => {
  expect(
    await problems(`format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [idd, rating]
    point: { latitude: city, longitude: city }
    period: { start: opened, end: clsoed }
    existence: { start: rating }
    fields:
      id: { type: string }
      city: { type: string }
      rating: { type: float }
      opened: { type: date }
      closed: { type: date }
`),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:5: datasets.shop.stores.key.0: There is no field 'idd'. Did you mean 'id'?
    /locmetrics.yaml:5: datasets.shop.stores.key.1: The field 'rating' has the type float. It must be string or integer or date or boolean.
    /locmetrics.yaml:6: datasets.shop.stores.point.latitude: The field 'city' has the type string. It must be float.
    /locmetrics.yaml:6: datasets.shop.stores.point.longitude: The field 'city' has the type string. It must be float.
    /locmetrics.yaml:6: datasets.shop.stores.point: The field 'city' is both latitude and longitude.
    /locmetrics.yaml:7: datasets.shop.stores.period.end: There is no field 'clsoed'. Did you mean 'closed'?
    /locmetrics.yaml:8: datasets.shop.stores.existence.start: The field 'rating' has the type float. It must be date."
  `);
});

test('one field for both latitude and longitude is reported', async () => {
  expect(await problems(changed('longitude: lng', 'longitude: lat'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:11: datasets.shop.stores.point: The field 'lat' is both latitude and longitude."`,
  );
});

test('files whose names do not show their format are reported', async () => {
  expect(await problems(DATASET.replace('stores.csv', 'stores.txt'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:4: datasets.shop.stores.files: The name of 'stores.txt' does not show its format. Declare it, such as format: csv. Known formats: csv, tsv, xlsx, parquet, ndjson, geojson, shapefile, geopackage."`,
  );
  expect(await problems(DATASET.replace('stores.csv', 'stores.json.gz'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:4: datasets.shop.stores.files: The name of 'stores.json.gz' does not show its format. Declare format: ndjson, for an object on each line or one array of objects, or format: geojson."`,
  );
  expect(await problems(DATASET.replace('stores.csv', '[a.csv, b.parquet]'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:4: datasets.shop.stores.files: The files have several formats: csv, parquet. Declare it, such as format: csv. Known formats: csv, tsv, xlsx, parquet, ndjson, geojson, shapefile, geopackage."`,
  );
  expect(
    await problems(DATASET.replace('stores.csv', "a.parquet\n    csv: { delimiter: ';' }")),
  ).toMatchInlineSnapshot(
    `"/locmetrics.yaml:5: datasets.shop.stores.csv: The files are parquet, not CSV."`,
  );
});

test.each([
  ['a.csv', 'csv'],
  ['A.CSV.GZ', 'csv'],
  ['a.csv.zip', 'csv'],
  ['visits-*.csv', 'csv'],
  ['a.tsv', 'tsv'],
  ['a.tab.gz', 'tsv'],
  ['a.pq', 'parquet'],
  ['a.jsonl', 'ndjson'],
  ['a.geojson.gz', 'geojson'],
  ['a.txt\n    format: csv', 'csv'],
])('the files %j are %s', async (files, format) => {
  const { datasets } = await read(DATASET.replace('stores.csv', files));
  expect(datasets[0]?.source).toMatchObject({ format });
});

test('the reading of the files is declared, and has defaults', async () => {
  const declared = await read(
    DATASET.replace(
      'key: [id]',
      "read: { encoding: iso-8859-1, delimiter: semicolon, quote: '', header: false, skip_lines: 2, footer: 'Source:', nulls: [NaN, '-'], member: a.csv }\n    key: [id]",
    ).replace('{ type: string }', '{ type: string, column: 3 }'),
  );
  expect(declared.datasets[0]?.source).toMatchObject({
    fields: new Map([['id', { columns: [3] }]]),
    reading: {
      encoding: 'iso-8859-1',
      delimiter: ';',
      quote: '',
      hasHeader: false,
      skipLines: 2,
      footer: 'Source:',
      nulls: ['NaN', '-'],
      member: 'a.csv',
    },
  });
  const plain = await read(DATASET);
  expect(plain.datasets[0]?.source.reading).toEqual(PLAIN_READING);
  const older = await read(DATASET.replace('key: [id]', "csv: { delimiter: '|' }\n    key: [id]"));
  expect(older.datasets[0]?.source.reading).toEqual({ ...PLAIN_READING, delimiter: '|' });
});

test.each([
  ['read: { encodng: utf-8 }', "read.encodng: Unknown key 'encodng'. Did you mean 'encoding'?"],
  [
    'read: { encoding: windows-125 }',
    "read.encoding: Unknown value 'windows-125'. Did you mean 'windows-1250'?",
  ],
  [
    'read: { delimiter: comma-ish }',
    "read.delimiter: 'comma-ish' is not a delimiter. Write comma, semicolon, tab, pipe, spaces, wide_spaces, or one character.",
  ],
  [
    "read: { quote: '' }\n    csv: { quote: '' }",
    'csv: The dataset has both csv and read. Write its keys under read.',
  ],
  [
    'read: { header: false }',
    "fields.id.column: The files have no header, so there is no column 'id'. Write the position of the column, from 1: column: 1.",
  ],
  ['read: { skip_lines: -1 }', 'read.skip_lines: -1 must be >= 0.'],
])('%s is refused', async (written, problem) => {
  const text = DATASET.replace('key: [id]', `${written}\n    key: [id]`);
  expect(await problems(text)).toContain(`datasets.shop.stores.${problem}`);
});

test('only CSV and TSV have lines, delimiters and positions of columns', async () => {
  const text = DATASET.replace('stores.csv', 'a.parquet').replace(
    'key: [id]',
    'read: { encoding: utf-8, skip_lines: 1 }\n    key: [id]',
  );
  expect(
    await problems(text.replace('{ type: string }', '{ type: string, column: 3 }')),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:5: datasets.shop.stores.read.encoding: The files are parquet, but this key applies only to csv, tsv, ndjson, geojson, shapefile. Leave this out.
    /locmetrics.yaml:5: datasets.shop.stores.read.skip_lines: The files are parquet, but this key applies only to csv, tsv, xlsx. Leave this out.
    /locmetrics.yaml:8: datasets.shop.stores.fields.id.column: The files are parquet, so a column has no position. Write the name of the column."
  `);
});

test('a delimiter is one character', async () => {
  expect(await problems(changed("delimiter: ';'", "delimiter: '||'"))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:9: datasets.shop.stores.csv.delimiter: "||" is too long. Write one character."`,
  );
});

test('unknown references of a layer are reported', async () => {
  expect(
    await problems(changed('feature_id: id\n    name: name', 'feature_id: name\n    name: nmae')),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:33: layers.stores.feature_id: 'name' does not identify a record of shop.stores, whose key is id. A feature is one record: its id must be the whole key of the dataset.
    /locmetrics.yaml:34: layers.stores.name: There is no field 'nmae' in shop.stores. Did you mean 'name'?"
  `);
  expect(await problems(changed('{ value: state,', '{ value: sate,'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:36: layers.stores.address_components.state.value: There is no field 'sate' in shop.stores. Did you mean 'state'?"`,
  );
  expect(
    await problems(
      changed('  stores:\n    dataset: shop.stores', '  stores:\n    dataset: shop.store'),
    ),
  ).toMatchInlineSnapshot(
    `"/locmetrics.yaml:32: layers.stores.dataset: The manifest declares no dataset 'shop.store'. Did you mean 'shop.stores'?"`,
  );
});

test('unknown references of a metric are reported', async () => {
  expect(
    await problems(
      FULL.replace('layer: stores', 'layer: store')
        .replace('field: visits', 'field: visit')
        .replace('    period: { start: from, end: to }\n', ''),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:38: metrics.shop/visits.dataset: The dataset shop.visits declares no period. Declare one there, or a period with start and end in the metric.
    /locmetrics.yaml:39: metrics.shop/visits.layer: The manifest declares no layer 'store'. Did you mean 'stores'?
    /locmetrics.yaml:42: metrics.shop/visits.measure.field: There is no field 'visit' in shop.visits. Did you mean 'visits'?"
  `);
  expect(await problems(changed('cadence: monthly', 'cadence: month'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:42: metrics.shop/visits.cadence: Unknown value 'month'. Did you mean 'monthly'?"`,
  );
});

test('an error has its file and its problems in separate fields', async () => {
  const error = await read(changed('key: [id]', 'key: [idd]')).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'ManifestError',
    file: join(folder(), 'locmetrics.yaml'),
    problems: [
      {
        line: 10,
        path: 'datasets.shop.stores.key.0',
        reason: "There is no field 'idd'.",
        hint: "Did you mean 'id'?",
      },
      {
        line: 33,
        path: 'layers.stores.feature_id',
        reason: "'id' does not identify a record of shop.stores, whose key is idd.",
        hint: 'A feature is one record: its id must be the whole key of the dataset.',
      },
    ],
  });
});

test('aliases that would grow without bound are refused', async () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'].map((pair) => [
    ...pair,
  ])) {
    bomb.push(`${name}: &${name} [${new Array(10).fill(`*${before}`).join(', ')}]`);
  }
  expect(await problems(`${bomb.join('\n')}\n`)).toMatchInlineSnapshot(
    `"/locmetrics.yaml: The aliases in the manifest cannot be followed: Excessive alias count indicates a resource exhaustion attack. Write the values in place of the aliases."`,
  );
});

test('an alias without an anchor is refused', async () => {
  expect(await problems(DATASET.replace('[id]', '*key'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml: The aliases in the manifest cannot be followed: Unresolved alias (the anchor must be set before the alias): key. Write the values in place of the aliases."`,
  );
});

test('a licence is read with its links', async () => {
  const licence = `{ name: CC-BY-4.0, url: https://a.example/by, attribution: 'Data: City', terms_url: 'http://[::1]/t?a=1#b' }`;
  const { datasets } = await read(DATASET.replace('    key:', `    licence: ${licence}\n    key:`));
  expect(datasets[0]?.dataset.licence).toEqual({
    name: 'CC-BY-4.0',
    url: 'https://a.example/by',
    attribution: 'Data: City',
    termsUrl: 'http://[::1]/t?a=1#b',
  });
});

test.each([
  ['{ url: https://a.example/ }', 'name'],
  ["{ name: ' ' }", 'name'],
  ['{ name: MIT, url: a.example }', 'url'],
  ['{ name: MIT, url: "https://a.example/>; rel=x" }', 'url'],
  ['{ name: MIT, terms_url: https://a.example/é }', 'terms_url'],
  ['{ name: MIT, attribution: "" }', 'attribution'],
  ['{ name: MIT, licence_url: https://a.example/ }', 'licence_url'],
])('a licence %s is refused', async (licence, key) => {
  const manifest = DATASET.replace('    key:', `    licence: ${licence}\n    key:`);
  expect(await problems(manifest)).toContain(key);
});
