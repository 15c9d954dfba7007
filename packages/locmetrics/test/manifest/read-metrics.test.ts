import { readFile } from 'node:fs/promises';
import type { Metric } from '@locmetrics/core/domain/metric';
import { expect, test } from 'vitest';
import { replaceParts, useManifests } from './manifest-under-test.ts';

const { read, problems } = useManifests();

const BASE = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string }
      open: { type: boolean }
      level: { type: integer }
  shop.trips:
    files: trips.csv
    key: [store, home, month]
    period: { start: month, end: month_end }
    fields:
      store: { type: string }
      home: { type: string }
      month: { type: date }
      month_end: { type: date }
      age: { type: string }
      age_name: { type: string }
      trips: { type: integer }
      minutes: { type: float }
      mode: { type: string }
      is_estimate: { type: boolean }
layers:
  stores:
    dataset: shop.stores
    feature_id: id
    name: name
    address_components:
      city: { value: name }
      state: { value: name, kind: map }
      open: { value: open, kind: taxonomy }
      level: { value: level, kind: count }
metrics:
`;

const PLAIN = `${BASE}  shop/trips:
    dataset: shop.trips
    layer: stores
    feature_id: store
    cadence: monthly
    measure: { name: trips, field: trips, kind: count }
`;

const FULL = `${BASE}  shop/trips:
    display_name: Trips
    description: Trips to a store.
    dataset: shop.trips
    layer: stores
    feature_id: store
    related: { layer: stores, feature_id: home, relation_type: origin }
    cadence: trimonthly
    period: { start: 2020-04-01, end: month_end }
    measure: { name: trips, field: trips, kind: count, unit: Trips, nullable: false, display_name: Number of trips, description: Their number. }
    supporting_values:
      - { name: minutes, field: minutes, kind: number, unit: Minutes }
      - { name: mode, field: mode, kind: category }
    dimensions:
      age: { value: age, display_name: age_name, title: Age, description: Age group., default: all, completeness: relaxed }
      sure: { value: is_estimate, default: false }
    default_filters: { open: true, state: ['06', '53'], level: 3 }
    flags: { estimate: is_estimate }
    lifecycle_stage: release_candidate
    release_notes: The first.
`;

const changed = (text: string, ...parts: Parameters<typeof replaceParts>[1]): string =>
  replaceParts(text, parts);

async function metricOf(text: string): Promise<Metric | undefined> {
  return (await read(text)).datasets.flatMap(({ metrics }) => metrics)[0];
}

test('a metric with all parts is read', async () => {
  expect(await metricOf(FULL)).toMatchInlineSnapshot(`
    {
      "cadence": "trimonthly",
      "catalogId": "shop",
      "defaultFilters": [
        {
          "component": "open",
          "values": [
            "true",
          ],
        },
        {
          "component": "state",
          "values": [
            "06",
            "53",
          ],
        },
        {
          "component": "level",
          "values": [
            "3",
          ],
        },
      ],
      "description": "Trips to a store.",
      "dimensions": [
        {
          "completeness": "relaxed",
          "defaultValue": "all",
          "description": "Age group.",
          "dimensionId": "age",
          "displayName": "Age",
          "fields": {
            "displayName": "age_name",
            "value": "age",
          },
        },
        {
          "completeness": "strict",
          "defaultValue": "false",
          "description": "",
          "dimensionId": "sure",
          "displayName": "sure",
          "fields": {
            "value": "is_estimate",
          },
        },
      ],
      "displayName": "Trips",
      "featureId": "store",
      "flags": [
        {
          "field": "is_estimate",
          "flag": "estimate",
        },
      ],
      "layerId": "stores",
      "lifecycleStage": "release_candidate",
      "measures": [
        {
          "description": "Their number.",
          "displayName": "Number of trips",
          "field": "trips",
          "isNullable": false,
          "kind": "count",
          "name": "trips",
          "unit": "Trips",
        },
        {
          "description": "",
          "displayName": "minutes",
          "field": "minutes",
          "isNullable": true,
          "kind": "number",
          "name": "minutes",
          "unit": "Minutes",
        },
        {
          "description": "",
          "displayName": "mode",
          "field": "mode",
          "isNullable": true,
          "kind": "category",
          "name": "mode",
          "unit": "",
        },
      ],
      "metricId": "trips",
      "period": {
        "end": {
          "field": "month_end",
        },
        "start": {
          "day": "2020-04-01",
        },
      },
      "related": {
        "featureId": "home",
        "layerId": "stores",
        "relationType": "origin",
      },
      "releaseNotes": "The first.",
    }
  `);
});

test('omitted parts follow from the dataset and from the names', async () => {
  expect(await metricOf(PLAIN)).toMatchInlineSnapshot(`
    {
      "cadence": "monthly",
      "catalogId": "shop",
      "defaultFilters": [],
      "description": "",
      "dimensions": [],
      "displayName": "trips",
      "featureId": "store",
      "flags": [],
      "layerId": "stores",
      "lifecycleStage": "stable",
      "measures": [
        {
          "description": "",
          "displayName": "trips",
          "field": "trips",
          "isNullable": true,
          "kind": "count",
          "name": "trips",
          "unit": "",
        },
      ],
      "metricId": "trips",
      "period": {
        "end": {
          "field": "month_end",
        },
        "start": {
          "field": "month",
        },
      },
      "releaseNotes": "",
    }
  `);
});

test('a metric belongs to the dataset of its values', async () => {
  const { datasets } = await read(PLAIN);
  expect(datasets.map(({ dataset, metrics }) => [dataset.name, metrics.length])).toEqual([
    ['shop.stores', 0],
    ['shop.trips', 1],
  ]);
});

test('the default of a relation is from an origin to a destination', async () => {
  const metric = await metricOf(changed(FULL, [', relation_type: origin', '']));
  expect(metric?.related?.relationType).toBe('origin-destination');
});

test('unknown names are reported with the nearest name', async () => {
  expect(
    await problems(
      changed(
        FULL,
        ['    layer: stores\n', '    layer: store\n'],
        ['related: { layer: stores, feature_id: home', 'related: { layer: stors, feature_id: hom'],
        ['feature_id: store\n', 'feature_id: stor\n'],
        ['end: month_end }\n    measure', 'end: mont_end }\n    measure'],
        ['field: minutes', 'field: minute'],
        ['value: age', 'value: ages'],
        ['display_name: age_name', 'display_name: age_names'],
        ['estimate: is_estimate', 'estimate: estimate'],
      ),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:41: metrics.shop/trips.layer: The manifest declares no layer 'store'. Did you mean 'stores'?
    /locmetrics.yaml:42: metrics.shop/trips.feature_id: There is no field 'stor' in shop.trips. Did you mean 'store'?
    /locmetrics.yaml:43: metrics.shop/trips.related.layer: The manifest declares no layer 'stors'. Did you mean 'stores'?
    /locmetrics.yaml:43: metrics.shop/trips.related.feature_id: There is no field 'hom' in shop.trips. Did you mean 'home'?
    /locmetrics.yaml:45: metrics.shop/trips.period.end: There is no field 'mont_end' in shop.trips. Did you mean 'month_end'?
    /locmetrics.yaml:48: metrics.shop/trips.supporting_values.0.field: There is no field 'minute' in shop.trips. Did you mean 'minutes'?
    /locmetrics.yaml:51: metrics.shop/trips.dimensions.age.value: There is no field 'ages' in shop.trips. Did you mean 'age'?
    /locmetrics.yaml:51: metrics.shop/trips.dimensions.age.display_name: There is no field 'age_names' in shop.trips. Did you mean 'age_name'?
    /locmetrics.yaml:54: metrics.shop/trips.flags.estimate: There is no field 'estimate' in shop.trips. Did you mean 'is_estimate'?"
  `);
  expect(
    await problems(changed(PLAIN, ['dataset: shop.trips', 'dataset: shop.trip'])),
  ).toMatchInlineSnapshot(
    `"/locmetrics.yaml:38: metrics.shop/trips.dataset: The manifest declares no dataset 'shop.trip'. Did you mean 'shop.trips'?"`,
  );
});

test('a layer and a dataset of another manifest have to be declared too', async () => {
  expect(
    await problems(
      changed(
        PLAIN,
        ['    layer: stores\n', '    layer: towns\n'],
        ['dataset: shop.trips', 'dataset: mobility.days'],
      ),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:38: metrics.shop/trips.dataset: The manifest declares no dataset 'mobility.days'. Known: shop.stores, shop.trips. Declare it in this manifest, under datasets.
    /locmetrics.yaml:39: metrics.shop/trips.layer: The manifest declares no layer 'towns'. Known: stores. Declare it in this manifest, under layers."
  `);
});

test('unknown values of a closed set are reported', async () => {
  expect(
    await problems(
      changed(
        FULL,
        ['cadence: trimonthly', 'cadence: month'],
        ['kind: count', 'kind: counts'],
        ['completeness: relaxed', 'completeness: lax'],
        ['lifecycle_stage: release_candidate', 'lifecycle_stage: beta'],
      ),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:35: layers.stores.address_components.level.kind: Unknown value 'counts'. Did you mean 'count'?
    /locmetrics.yaml:44: metrics.shop/trips.cadence: Unknown value 'month'. Did you mean 'monthly'?
    /locmetrics.yaml:51: metrics.shop/trips.dimensions.age.completeness: Unknown value 'lax'. Known: strict, relaxed.
    /locmetrics.yaml:55: metrics.shop/trips.lifecycle_stage: Unknown value 'beta'. Known: prototype, release_candidate, stable, deprecated, archived, deleted."
  `);
});

test('fields of a wrong type are reported', async () => {
  expect(
    await problems(
      changed(
        FULL,
        ['feature_id: store\n', 'feature_id: trips\n'],
        ['feature_id: home', 'feature_id: trips'],
        ['end: month_end }\n    measure', 'end: mode }\n    measure'],
        ['display_name: age_name', 'display_name: trips'],
        ['estimate: is_estimate', 'estimate: trips'],
      ),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:42: metrics.shop/trips.feature_id: The field 'trips' in shop.trips has the type integer. It must be string.
    /locmetrics.yaml:43: metrics.shop/trips.related.feature_id: The field 'trips' in shop.trips has the type integer. It must be string.
    /locmetrics.yaml:45: metrics.shop/trips.period.end: The field 'mode' in shop.trips has the type string. It must be date.
    /locmetrics.yaml:51: metrics.shop/trips.dimensions.age.display_name: The field 'trips' in shop.trips has the type integer. It must be string.
    /locmetrics.yaml:54: metrics.shop/trips.flags.estimate: The field 'trips' in shop.trips has the type integer. It must be boolean."
  `);
});

test('a flag with the name of the mark of withheld values is reported, if a measure has that mark', async () => {
  const named = changed(FULL, ['estimate: is_estimate', 'withheld: is_estimate']);
  expect((await metricOf(named))?.flags).toEqual([{ flag: 'withheld', field: 'is_estimate' }]);
  const marked = changed(named, [
    'minutes: { type: float }',
    'minutes: { type: float, suppress: { below: 5, mark: true } }',
  ]);
  expect(await problems(marked)).toMatchInlineSnapshot(
    `"/locmetrics.yaml:54: metrics.shop/trips.flags.withheld: The flag 'withheld' would say that a small value is withheld, because the field 'minutes' has suppress.mark. Give this flag another name."`,
  );
});

const ofKind = (kind: string, field: string): string =>
  changed(PLAIN, ['field: trips, kind: count', `field: ${field}, kind: ${kind}`]);

test.each([
  ['count', 'trips'],
  ['number', 'trips'],
  ['number', 'minutes'],
  ['category', 'mode'],
])('a measure of the kind %s may use the field %s', async (kind, field) => {
  expect((await metricOf(ofKind(kind, field)))?.measures[0]).toMatchObject({ kind, field });
});

test.each([
  ['count', 'minutes', 'float', 'integer'],
  ['count', 'mode', 'string', 'integer'],
  ['number', 'is_estimate', 'boolean', 'float or integer'],
  ['category', 'trips', 'integer', 'string'],
])('a measure of the kind %s cannot use the field %s', async (kind, field, type, expected) => {
  expect(await problems(ofKind(kind, field))).toBe(
    `/locmetrics.yaml:42: metrics.shop/trips.measure.field: The field '${field}' in shop.trips has the type ${type}. It must be ${expected}, because the kind is ${kind}.`,
  );
});

test('two measures with one name are reported', async () => {
  expect(await problems(changed(FULL, ['name: mode', 'name: trips']))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:49: metrics.shop/trips.supporting_values.1.name: Another measure of the metric has the name 'trips'. Callers distinguish measures by their names."`,
  );
});

test.each([
  ['feature_id', 'the feature_id of each value'],
  ['geo', 'the geo of each value'],
  ['age', "the dimension 'age'"],
  ['state_name', "the name of the component 'state'"],
  ['related_state_short_name', "the short_name of the related component 'state'"],
])('a measure %s is refused: clients would give it the column of another', async (name, other) => {
  expect(await problems(changed(FULL, ['name: mode', `name: ${name}`]))).toBe(
    `/locmetrics.yaml:49: metrics.shop/trips.supporting_values.1.name: In the tables that clients make from the values, the column '${name}' would hold ${other} and the measure '${name}'. Choose another name.`,
  );
});

test('a component whose column already exists in clients is reported', async () => {
  const component = changed(FULL, [
    '      city: { value: name }',
    '      feature: { value: name }',
  ]);
  expect(await problems(component)).toMatchInlineSnapshot(
    `"/locmetrics.yaml:41: metrics.shop/trips.layer: In the tables that clients make from the values, the column 'feature_id' would hold the feature_id of each value and the id of the component 'feature'. Choose another name."`,
  );
});

test('a metric of a dataset without a period needs one of its own', async () => {
  const without = changed(PLAIN, ['    period: { start: month, end: month_end }\n', '']);
  expect(await problems(without)).toMatchInlineSnapshot(
    `"/locmetrics.yaml:37: metrics.shop/trips.dataset: The dataset shop.trips declares no period. Declare one there, or a period with start and end in the metric."`,
  );
  const metric = await metricOf(`${without}    period: { start: 2020-04-01, end: '2020-04-01' }\n`);
  expect(metric?.period).toEqual({ start: { day: '2020-04-01' }, end: { day: '2020-04-01' } });
});

test.each([
  ['2020-02-30', '2020-03-01', /period\.start: '2020-02-30' is not a calendar date/],
  ['2020-04', '2020-05-01', /period\.start: '2020-04' is not a calendar date YYYY-MM-DD such as/],
  ['2020-04-02', '2020-04-01', /period: The start 2020-04-02 is after the end 2020-04-01\.$/],
  ['2020', '2020-04-01', /period\.start: Expected a text, found 2020\./],
])('the period %s to %s is refused', async (start, end, problem) => {
  const text = `${PLAIN}    period: { start: ${start}, end: ${end} }\n`;
  expect(await problems(text)).toMatch(problem);
});

test('invalid default filters are reported', async () => {
  const filtered = (filters: string): string => `${PLAIN}    default_filters: { ${filters} }\n`;
  expect(
    await problems(
      filtered("stat: '06', city: Rome, open: maybe, state: [6, '07'], level: ['3', x]"),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:43: metrics.shop/trips.default_filters.stat: The layer 'stores' has no component 'stat'. Did you mean 'state'?
    /locmetrics.yaml:43: metrics.shop/trips.default_filters.city: The component 'city' of the layer 'stores' is free_form, so it cannot be filtered on. Give it another kind there.
    /locmetrics.yaml:43: metrics.shop/trips.default_filters.open: The value 'maybe' is not true or false.
    /locmetrics.yaml:43: metrics.shop/trips.default_filters.state.0: The value 6 of a string field is not a text. Put it in quotes.
    /locmetrics.yaml:43: metrics.shop/trips.default_filters.level.1: The value 'x' is not a whole number such as 1200."
  `);
  expect(await problems(filtered("state: ' '"))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:43: metrics.shop/trips.default_filters.state: The value is blank. Blank text is an absent value."`,
  );
  expect(await problems(filtered('state: []'))).toBe(
    '/locmetrics.yaml:43: metrics.shop/trips.default_filters.state: The list is empty. Write at least one entry.',
  );
});

test('a default that its dimension cannot have is reported', async () => {
  expect(
    await problems(
      changed(FULL, ['default: all', 'default: 5'], ['default: false', 'default: no']),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:51: metrics.shop/trips.dimensions.age.default: The default 5 of a string field is not a text. Put it in quotes.
    /locmetrics.yaml:52: metrics.shop/trips.dimensions.sure.default: The default 'no' is not true or false."
  `);
});

const TWO = (catalog: string, dimension: string): string => `${PLAIN}    dimensions:
      age: { value: age }
  ${catalog}/others:
    dataset: shop.trips
    layer: stores
    feature_id: store
    cadence: monthly
    measure: { name: trips, field: trips, kind: count }
    dimensions:
      age: { ${dimension} }
`;

test('metrics of one catalog with different definitions of one dimension are reported', async () => {
  expect(
    await problems(TWO('shop', 'value: age_name, title: Age, description: An age.')),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:52: metrics.shop/others.dimensions.age.title: The title of 'age' is 'Age' here, but 'age' in the metric 'shop/trips'. A catalog shows each dimension once: write the same text in both.
    /locmetrics.yaml:52: metrics.shop/others.dimensions.age.description: The description of 'age' is 'An age.' here, but '' in the metric 'shop/trips'. A catalog shows each dimension once: write the same text in both."
  `);
});

test('a dimension may use other fields, and may differ in another catalog', async () => {
  for (const text of [
    TWO('shop', 'value: age_name, default: x, completeness: relaxed'),
    TWO('others', 'value: age, title: Age'),
  ]) {
    expect((await read(text)).datasets[1]?.metrics).toHaveLength(2);
  }
});

test('the example of the reference is valid', async () => {
  const page = new URL('../../../../docs/reference/manifest/examples.md', import.meta.url);
  const example =
    /^```yaml\n(format: 1[\s\S]+?)^```$/m.exec(await readFile(page, 'utf8'))?.[1] ?? '';
  const { datasets } = await read(example);
  expect(datasets.map(({ layers, metrics }) => [layers.length, metrics.length])).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
  ]);
});
