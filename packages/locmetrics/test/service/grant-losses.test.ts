import { type Grant, WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { findGrantLosses } from '@locmetrics/server/service/rights/find-grant-losses';
import { fitGrant } from '@locmetrics/server/service/rights/fit-grant';
import { expect, test } from 'vitest';
import { openPlainCatalog } from '../conformance/engines/plain-catalog.ts';
import { where, whereIn } from '../conformance/filter-clause.ts';
import { defineLayer } from '../conformance/metrics/define-layer.ts';
import { CATALOG_ID, defineMetric } from '../conformance/metrics/define-metric.ts';
import { defineTable } from '../conformance/table.ts';

const METRIC = `${CATALOG_ID}/visits`;
const NOW = Date.parse('2026-01-01T00:00:00.000Z');

/** The published data, with the given fields, components and dimensions. */
function publishedWith({
  fields = ['city', 'zip'],
  components = ['city', 'zip'],
  zones = ['zone'],
  dimensions = ['age'],
  hasMetric = true,
  isNormalised = false,
}: {
  readonly fields?: readonly string[];
  readonly components?: readonly string[];
  readonly zones?: readonly string[];
  readonly dimensions?: readonly string[];
  readonly hasMetric?: boolean;
  readonly isNormalised?: boolean;
} = {}) {
  const named = <Value>(names: readonly string[], value: Value) =>
    Object.fromEntries(names.map((name) => [name, value]));
  const catalog = openPlainCatalog();
  const layer = (id: string, names: readonly string[]) =>
    defineLayer({ id, components: named(names, { fields: { value: 'name' } }) });
  const tables = [
    defineTable({
      name: 'shop.places',
      fields: { id: 'string', name: 'string', ...named(fields, 'string' as const) },
      layers: [layer('places', components), layer('zones', zones)],
      rows: [],
    }),
    defineTable({
      name: 'shop.visits',
      fields: { place: 'string', other: 'string', day: 'date', visits: 'integer', age: 'string' },
      rows: [],
      metrics: hasMetric
        ? [
            defineMetric({
              metricId: 'visits',
              layerId: 'places',
              related: { layerId: 'zones', featureId: 'other', relationType: 'trip' },
              dimensions: named(dimensions, {}),
            }),
          ]
        : [],
    }),
  ];
  for (const { version } of tables) {
    const { dataset } = version;
    catalog.publish(
      isNormalised ? { ...version, dataset: { ...dataset, normalise: 'nfc' } } : version,
    );
  }
  return catalog.snapshot();
}

const grant = (pattern: string, members: Partial<Grant> = {}): Grant => ({
  ...wholeGrant(`of ${pattern}`, pattern),
  ...members,
});

/** The losses of one organisation, in short form. */
function lossesOf(
  grants: readonly Grant[],
  after: Parameters<typeof publishedWith>[0] | 'nothing',
  before: Parameters<typeof publishedWith>[0] = {},
) {
  const nothing = { datasets: new Map(), metrics: new Map() };
  const losses = findGrantLosses(
    grants.map((one) => ({ grant: one, organisationId: 'acme', created: 0 })),
    {
      before: publishedWith(before),
      after: after === 'nothing' ? nothing : publishedWith(after),
      now: NOW,
    },
  );
  return losses.map(({ pattern, name, isSeen, problems }) => [pattern, name, isSeen, ...problems]);
}

test('a grant that loses the field of its filter loses the whole dataset', () => {
  const filters = [where('city', '==', 'A'), whereIn('zip', 'in', ['1', '2, 3'])];
  expect(lossesOf([grant('shop.places', { filters })], { fields: [] })).toEqual([
    [
      'shop.places',
      'shop.places',
      false,
      "Filter city == A: Unknown field 'city' in shop.places.",
      'Filter zip in 1,"2, 3": Unknown field \'zip\' in shop.places.',
    ],
  ]);
});

test('a grant loses the texts that a publish in NFC changes', () => {
  const other = 'Zu\u0308rich';
  const lens = {
    ...WHOLE_LENS,
    addressComponents: [{ component: 'zip', values: ['1', other] }],
    dimensions: [{ dimensionId: 'age', values: [other] }],
  };
  const grants = [
    grant('shop.places', { filters: [whereIn('city', 'in', ['A', other])] }),
    grant(METRIC, { lens }),
  ];
  const problem = (dataset: string) =>
    `'Zu\\u{308}rich' is not in NFC, the composed form of Unicode, in which '${dataset}' publishes all texts.`;
  expect(lossesOf(grants, { isNormalised: true })).toEqual([
    ['shop.places', 'shop.places', true, `Filter city in A,${other}: ${problem('shop.places')}`],
    [
      METRIC,
      METRIC,
      true,
      `Dimension age:${other}: ${problem('shop.visits')}`,
      `Component zip:1,${other}: ${problem('shop.places')}`,
    ],
  ]);
  const inNfc = grant('shop.places', { filters: [where('city', '==', 'Z\u00FCrich')] });
  expect(lossesOf([inNfc], { isNormalised: true })).toEqual([]);
});

test('a grant that loses one of its fields still shows the others', () => {
  const grants = [grant('shop.places', { fields: ['id', 'city', 'zip'] })];
  expect(lossesOf(grants, { fields: ['city'] })).toEqual([
    ['shop.places', 'shop.places', true, "Field zip: Unknown field 'zip' in shop.places."],
  ]);
});

test('a grant can lose components of both layers, dimensions and the metric itself', () => {
  const grants = [
    grant(METRIC, {
      fields: ['visits', 'city', 'zone'],
      lens: {
        ...WHOLE_LENS,
        addressComponents: [{ component: 'zip', values: ['1'] }],
        dimensions: [{ dimensionId: 'age', values: ['20'] }],
      },
    }),
  ];
  const metric = `The metric 'visits' has no`;
  expect(lossesOf(grants, { components: [], zones: [], dimensions: [] })).toEqual([
    [
      METRIC,
      METRIC,
      false,
      `Dimension age:20: ${metric} dimension 'age'.`,
      "Component zip:1: The layer 'places' has no component 'zip'.",
      `Field city: The metric '${METRIC}' has no value, dimension, flag or component 'city'.`,
      `Field zone: The metric '${METRIC}' has no value, dimension, flag or component 'zone'.`,
    ],
  ]);
  expect(lossesOf(grants, { hasMetric: false })).toEqual([
    [METRIC, METRIC, false, 'The metric is gone.'],
  ]);
});

test('a pattern loses each removed dataset and metric', () => {
  expect(lossesOf([grant('*')], 'nothing')).toEqual([
    ['*', 'shop.places', false, 'The dataset is gone.'],
    ['*', 'shop.visits', false, 'The dataset is gone.'],
    ['*', METRIC, false, 'The metric is gone.'],
  ]);
});

test('a grant loses only names that it contains and had not lost before', () => {
  const filters = [where('city', '==', 'A')];
  const less = { fields: [], components: [] };
  expect(lossesOf([grant('*'), grant('shop.places')], less)).toEqual([]);
  expect(lossesOf([grant('shop.places', { filters })], less, less)).toEqual([]);
  expect(lossesOf([grant('shop.places', { filters })], {}, less)).toEqual([]);
});

test('an ended grant loses nothing, a future grant does', () => {
  const filters = [where('city', '==', 'A')];
  const less = { fields: ['zip'] };
  expect(lossesOf([grant('shop.places', { filters, ends: NOW })], less)).toEqual([]);
  expect(lossesOf([grant('shop.places', { filters, starts: NOW + 1 })], less)).toHaveLength(1);
});

test('a grant that a more specific one overrides for its whole time loses nothing', () => {
  const wide = grant('shop.*', { filters: [where('city', '==', 'A')] });
  const less = { fields: ['zip'] };
  const narrow = grant('shop.places');
  expect(lossesOf([wide, narrow], less, {})).toEqual([]);
  expect(lossesOf([wide, { ...narrow, ends: NOW + 1 }], less)).toHaveLength(1);
});

test('a grant must fit each dataset and metric that its pattern matches', () => {
  expect(fitGrant(grant('*'), publishedWith())).toEqual(
    ['shop.places', 'shop.visits', METRIC].map((name) => ({ name, isSeen: true, problems: [] })),
  );
  expect(fitGrant(grant('other.*'), publishedWith())).toEqual([]);
});

test('a grant of a metric without its main value shows nothing of it', () => {
  expect(fitGrant(grant(METRIC, { fields: ['city'] }), publishedWith())).toEqual([
    {
      name: METRIC,
      isSeen: false,
      problems: [
        `Fields: The grant of '${METRIC}' leaves out 'visits', the main value of '${METRIC}'.`,
      ],
    },
  ]);
});
