import { describe, expect, test } from 'vitest';
import { createCaller } from '../../support/test-caller.ts';
import { toPolygon } from '../areas/test-polygon.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { ENGINES } from '../engines/engines.ts';
import { openService, useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { PARK_TABLES } from '../parks.ts';
import { refusalOf } from '../refusal.ts';
import { defineTable } from '../table.ts';
import { askMetrics, type MetricOperations, type MetricQuestion } from './ask-metrics.ts';
import { defineLayer } from './define-layer.ts';
import { defineMetric } from './define-metric.ts';

const ANOTHER_REQUEST = 'The page token belongs to another request.';
const CIRCLE = { longitude: 0, latitude: 0, radiusMetres: 1 };
const TRIANGLE = toPolygon([
  [0, 0],
  [1, 0],
  [0, 1],
  [0, 0],
]);
const NOT_OURS = 'The page token was not made by this service.';

describeOn(ENGINES)('page tokens of metrics, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  const first = async (question: MetricQuestion = {}) =>
    (await service.searchMetricValues({ pageSize: 1, ...question })).nextPageToken;
  const next = (pageToken: string, question: MetricQuestion = {}) =>
    service.searchMetricValues({ pageSize: 1, ...question, pageToken });

  test('only the page size may change between pages', async () => {
    expect((await next(await first(), { pageSize: 5 })).values).toHaveLength(5);
    expect((await next(await first(), { pageSize: 0 })).values).toHaveLength(7);
  });

  test.each<[string, MetricQuestion]>([
    ['another metric', { metricId: 'young_visits' }],
    ['a feature filter', { featureFilter: ['ACAD'] }],
    ['a period', { observationPeriodFilter: { start: '2024-01-01' } }],
    ['a component filter', { addressComponentFilter: [{ component: 'state', values: ['23'] }] }],
    ['a dimension filter', { dimensionFilter: [{ dimensionId: 'age', values: ['old'] }] }],
    [
      'a value filter',
      {
        valueFilter: [
          { valueName: 'visits', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 0 },
        ],
      },
    ],
    ['the other order', { invertSortOrder: true }],
    ['another trackTotalHits', { trackTotalHits: 8 }],
    ['bestEffortQueryWhenNotAllowed', { bestEffortQueryWhenNotAllowed: true }],
    ['asOf', { asOf: '2024-06-30' }],
    ['countOnly', { countOnly: true }],
  ])('a request with %s is another request', async (_, question) => {
    expect(await refusalOf(next(await first(), question))).toContain(ANOTHER_REQUEST);
  });

  test.each<[string, MetricQuestion, MetricQuestion]>([
    ['feature', { featureFilter: ['ACAD'] }, { featureFilter: ['YELL'] }],
    [
      'side of the period',
      { observationPeriodFilter: { start: '2024-01-01' } },
      { observationPeriodFilter: { end: '2024-01-01' } },
    ],
    [
      'component',
      { addressComponentFilter: [{ component: 'state', values: ['23'] }] },
      { addressComponentFilter: [{ component: 'gates', values: ['23'] }] },
    ],
    [
      'cut between filters and values',
      { addressComponentFilter: [{ component: 'state', values: ['23', 'state', '56'] }] },
      {
        addressComponentFilter: [
          { component: 'state', values: ['23'] },
          { component: 'state', values: ['56'] },
        ],
      },
    ],
  ])('a request with another %s is another request', async (_, began, goesOn) => {
    expect(await refusalOf(next(await first(began), goesOn))).toContain(ANOTHER_REQUEST);
  });

  test('a token for related filters is refused for the same filters on the feature', async () => {
    const metricId = 'trips_to_parks';
    const state = [{ component: 'state', values: ['23', '7'] }];
    const token = await first({ metricId, addressComponentFilter: state });
    expect(
      await refusalOf(next(token, { metricId, relatedAddressComponentFilter: state })),
    ).toContain(ANOTHER_REQUEST);
  });

  test('a token of one operation is refused by another', async () => {
    const operations: readonly ((pageToken: string) => Promise<{ nextPageToken: string }>)[] = [
      (pageToken) => service.searchMetricValues({ pageSize: 1, pageToken }),
      (pageToken) => service.searchLayerFeatures({ pageSize: 1, pageToken }),
      (pageToken) =>
        service.searchAddressComponentValues({ component: 'state', pageSize: 1, pageToken }),
      (pageToken) => service.searchDimensionValues({ dimensionId: 'age', pageSize: 1, pageToken }),
      (pageToken) => service.listMetrics({ pageSize: 1, pageToken }),
      (pageToken) => service.listRecords({ pageSize: 1, pageToken }),
    ];
    for (const ask of operations) {
      const { nextPageToken } = await ask('');
      await ask(nextPageToken);
      for (const other of operations.filter((operation) => operation !== ask)) {
        expect(await refusalOf(other(nextPageToken))).toContain(ANOTHER_REQUEST);
      }
    }
  });

  test('the tokens of the other searches are bound to their requests', async () => {
    const features = (await service.searchLayerFeatures({ pageSize: 1 })).nextPageToken;
    const component = { component: 'state', pageSize: 1 };
    const components = (await service.searchAddressComponentValues(component)).nextPageToken;
    const dimension = { dimensionId: 'age', pageSize: 1 };
    const dimensions = (await service.searchDimensionValues(dimension)).nextPageToken;
    const metrics = (await service.listMetrics({ pageSize: 1 })).nextPageToken;
    const refusals = [
      service.searchLayerFeatures({ pageToken: features, query: 'a' }),
      service.searchLayerFeatures({ pageToken: features, layerId: 'states' }),
      service.searchLayerFeatures({ pageToken: features, featureFilter: ['ACAD'] }),
      service.searchLayerFeatures({ pageToken: features, addressComponentWhitelist: ['state'] }),
      service.searchLayerFeatures({
        pageToken: features,
        existedInDateRange: { end: '2024-01-01' },
      }),
      service.searchLayerFeatures({
        pageToken: features,
        boundingBoxFilter: { minLng: 0, minLat: 0, maxLng: 1, maxLat: 1 },
      }),
      service.searchLayerFeatures({ pageToken: features, polygonFilter: TRIANGLE }),
      service.searchLayerFeatures({ pageToken: features, circleFilter: CIRCLE }),
      service.searchAddressComponentValues({ ...component, pageToken: components, query: 'a' }),
      service.searchAddressComponentValues({ pageToken: components, component: 'gates' }),
      service.searchAddressComponentValues({
        ...component,
        pageToken: components,
        valueIds: ['7'],
      }),
      service.searchDimensionValues({ ...dimension, pageToken: dimensions, query: '*' }),
      service.searchDimensionValues({ pageToken: dimensions, dimensionId: 'floor' }),
      service.listMetrics({ pageToken: metrics, layerFilter: ['parks'] }),
      service.listMetrics({ pageToken: metrics, availabilityFilter: ['ALL'] }),
    ].map(refusalOf);
    expect(await Promise.all(refusals)).toEqual(
      refusals.map(() => expect.stringContaining(ANOTHER_REQUEST)),
    );
  });

  test('a forged token is refused by every operation', async () => {
    const token = await first();
    const other = askMetrics(
      { ...service.context(), pageTokenKey: () => new Uint8Array(32).fill(8) },
      { metricId: 'visits', layerId: 'parks' },
    );
    const foreign = (await other.searchMetricValues({ pageSize: 1 })).nextPageToken;
    const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const pageToken of ['AAAA', foreign, changed, `${token}A`, 'ü']) {
      const refusals = [
        service.searchMetricValues({ pageToken }),
        service.searchLayerFeatures({ pageToken }),
        service.searchAddressComponentValues({ component: 'state', pageToken }),
        service.searchDimensionValues({ dimensionId: 'age', pageToken }),
        service.listMetrics({ pageToken }),
      ].map(refusalOf);
      expect(await Promise.all(refusals)).toEqual(
        refusals.map(() => expect.stringContaining(NOT_OURS)),
      );
    }
  });

  test('a token does not show the value that its page ended on', async () => {
    const token = Buffer.from(await first(), 'base64url').toString('latin1');
    expect(token).not.toContain('ACAD');
    expect(token).not.toContain('2024-01');
  });

  test('a token works with the same rights, but not with other rights', async () => {
    const successor = createCaller({ organisationId: 'organisation', tokenId: 'successor' });
    expect((await next(await first(), { caller: successor })).values).toHaveLength(1);
    const caller = createCaller({ organisationId: 'other', tokenId: 'token' });
    expect(await refusalOf(next(await first(), { caller }))).toMatchInlineSnapshot(`
      "PAGE_TOKEN_EXPIRED
      The page token has expired: the rights of the caller changed.
      Send the request without a page token to start again on the current data."
    `);
    const { nextPageToken: pageToken } = await service.searchLayerFeatures({ pageSize: 1 });
    expect(await refusalOf(service.searchLayerFeatures({ pageToken, caller }))).toContain(
      'PAGE_TOKEN_EXPIRED',
    );
  });
});

const LAYER = [
  defineLayer({ id: 'places', components: { kind: 'taxonomy' }, existence: { end: 'closed' } }),
];
const METRICS = [
  defineMetric({
    metricId: 'visits',
    layerId: 'places',
    dimensions: { age: {} },
    defaultFilters: [{ component: 'kind', values: ['old', 'new'] }],
  }),
];

/** Places whose names and kinds contain the version. */
function places(publishedTime: string, kind: string, ids: readonly string[] = ['a', 'b', 'c']) {
  return defineTable({
    name: 'conformance.places',
    fields: { id: 'string', name: 'string', kind: 'string', closed: 'date' },
    rows: ids.map((id) => ({ id, name: `${kind} ${id}`, kind })),
    layers: LAYER,
    publishedTime,
  });
}

/** Visits whose counts show the version. */
function visits(publishedTime: string, count: bigint, metrics = METRICS) {
  return defineTable({
    name: 'conformance.visits',
    fields: { place: 'string', day: 'date', age: 'string', visits: 'integer' },
    key: ['place', 'day'],
    rows: ['a', 'b', 'c'].map((place) => ({
      place,
      day: '2024-01-01',
      age: `${count} ${place}`,
      visits: count,
    })),
    metrics,
    publishedTime,
  });
}

const OLD_PLACES = places('2024-01-01T00:00:00.000Z', 'old');
const OLD_VISITS = visits('2024-01-02T00:00:00.000Z', 1n);
const NEW_VISITS = visits('2024-02-01T00:00:00.000Z', 2n);
const NEW_PLACES = places('2024-02-02T00:00:00.000Z', 'new', ['a', 'c', 'd']);

describeOn(ENGINES)('pages of metrics and versions, $name engine', (engine) => {
  const seen = ({ values }: Awaited<ReturnType<MetricOperations['searchMetricValues']>>) =>
    values.map(({ feature, measures }) => `${feature.name}: ${measures[0]}`);

  test('all pages use the versions of values and layer of the first page', async () => {
    await using service = await openDisposable(engine);
    const began = await service.searchMetricValues({ pageSize: 1 });
    const rest = async () => {
      const { nextPageToken: pageToken } = began;
      const answer = await service.searchMetricValues({ pageToken });
      expect([answer.version, answer.totalSize]).toEqual([began.version, 3]);
      return seen(answer);
    };
    expect(seen(began)).toEqual(['old a: 1']);
    await service.publish(NEW_VISITS);
    expect(await rest()).toEqual(['old b: 1', 'old c: 1']);
    const between = await service.searchMetricValues({ pageSize: 1 });
    expect(seen(between)).toEqual(['old a: 2']);
    await service.publish(NEW_PLACES);
    expect(await rest()).toEqual(['old b: 1', 'old c: 1']);
    expect(seen(await service.searchMetricValues({ pageToken: between.nextPageToken }))).toEqual([
      'old b: 2',
      'old c: 2',
    ]);
    const now = await service.searchMetricValues();
    expect([seen(now), now.totalSize]).toEqual([['new a: 2', 'new c: 2'], 2]);
    expect(new Set([began.version, between.version, now.version]).size).toBe(3);
  });

  test.each([
    ['the values', NEW_VISITS, OLD_VISITS],
    ['the layer', NEW_PLACES, OLD_PLACES],
  ])('a token has expired if the version of %s is removed', async (_, published, gone) => {
    await using service = await openDisposable(engine);
    const { nextPageToken: pageToken } = await service.searchMetricValues({ pageSize: 1 });
    await service.publish(published);
    service.forget(gone.version);
    expect(await refusalOf(service.searchMetricValues({ pageToken }))).toBe(
      [
        'PAGE_TOKEN_EXPIRED',
        'The page token has expired: the data version on which its pages began is gone.',
        'Send the request without a page token to start again on the current data.',
      ].join('\n'),
    );
  });

  test.each([
    ['the values', NEW_VISITS, OLD_VISITS],
    ['the layer', NEW_PLACES, OLD_PLACES],
  ])('a token has expired if the data of %s vanish', async (_, published, gone) => {
    await using service = await openDisposable(engine);
    const { nextPageToken: pageToken } = await service.searchMetricValues({ pageSize: 1 });
    const { version: asOf } = await service.searchMetricValues();
    await service.publish(published);
    // An engine keeps a file that it has opened. This engine has not opened it.
    await using reader = await openDisposable(engine);
    await reader.publish(published);
    await reader.removeData(gone.version);
    expect(await refusalOf(reader.searchMetricValues({ pageToken }))).toContain(
      'PAGE_TOKEN_EXPIRED',
    );
    expect(await refusalOf(reader.searchMetricValues({ asOf }))).toContain('VERSION_NOT_FOUND');
  });

  test('an engine can be closed as soon as a request was refused', { tags: 'slow' }, async () => {
    for (let times = 0; times < 20; times += 1) {
      const service = await openDisposable(engine);
      await service.removeData(OLD_PLACES.version);
      // The file of the values is still being attached when the file of the layer is found missing.
      expect(await refusalOf(service.searchMetricValues())).toContain('VERSION_NOT_FOUND');
      await service.close();
    }
  });

  test('pages of features, components, dimensions and metrics stay on their versions', async () => {
    await using service = await openDisposable(engine);
    const component = { component: 'kind', valueIds: [] };
    const dimension = { dimensionId: 'age' };
    await service.publish(places('2024-01-03T00:00:00.000Z', 'old'));
    const features = await service.searchLayerFeatures({ pageSize: 2 });
    const dimensions = await service.searchDimensionValues({ ...dimension, pageSize: 2 });
    await service.publish(NEW_VISITS);
    await service.publish(NEW_PLACES);
    const { features: goesOn, totalSize } = await service.searchLayerFeatures({
      pageToken: features.nextPageToken,
    });
    expect([goesOn.map(({ name }) => name), totalSize]).toEqual([['old c'], 3]);
    const { values } = await service.searchDimensionValues({
      ...dimension,
      pageToken: dimensions.nextPageToken,
    });
    expect(values.map(({ value }) => value)).toEqual(['1 c']);
    expect((await service.searchAddressComponentValues(component)).values).toMatchObject([
      { value: 'new' },
    ]);
    service.forget(OLD_VISITS.version);
    expect(
      await refusalOf(
        service.searchDimensionValues({ ...dimension, pageToken: dimensions.nextPageToken }),
      ),
    ).toContain('PAGE_TOKEN_EXPIRED');
  });

  test('the tokens of an ended metric expire', async () => {
    await using service = await openDisposable(engine);
    const { nextPageToken: pageToken } = await service.searchMetricValues({ pageSize: 1 });
    const others = METRICS.map((metric) => ({ ...metric, metricId: 'other' }));
    await service.publish(visits('2024-02-01T00:00:00.000Z', 2n, others));
    expect(await refusalOf(service.searchMetricValues({ pageToken }))).toContain(
      'METRIC_NOT_FOUND',
    );
    expect(await refusalOf(service.searchMetricValues({ asOf: '2024-01-31' }))).toContain(
      'METRIC_NOT_FOUND',
    );
  });

  describe('asOf', () => {
    test('a date selects the values and the layer that were current at its end', async () => {
      await using service = await openDisposable(engine);
      await service.publish(NEW_VISITS);
      await service.publish(NEW_PLACES);
      const on = async (asOf: string) => seen(await service.searchMetricValues({ asOf }));
      expect(await on('2024-01-02')).toEqual(['old a: 1', 'old b: 1', 'old c: 1']);
      expect(await on('2024-01-31')).toEqual(['old a: 1', 'old b: 1', 'old c: 1']);
      expect(await on('2024-02-01')).toEqual(['old a: 2', 'old b: 2', 'old c: 2']);
      expect(await on('2024-02-02')).toEqual(['new a: 2', 'new c: 2']);
      expect(await on('9999-12-31')).toEqual(['new a: 2', 'new c: 2']);
      expect(await refusalOf(on('2024-01-01'))).toMatchInlineSnapshot(`
        "VERSION_NOT_FOUND at /asOf
        No version is kept for '2024-01-01'.
        Leave asOf out to read the current version."
      `);
    });

    test('the version of an earlier answer gives the same pages again', async () => {
      await using service = await openDisposable(engine);
      const before = await service.searchMetricValues();
      await service.publish(NEW_PLACES);
      await service.publish(NEW_VISITS);
      const { version: asOf } = before;
      const again = await service.searchMetricValues({ asOf });
      expect([again.values, again.version]).toEqual([before.values, asOf]);
      const pages = await service.metricValuePages({ asOf, pageSize: 1 });
      expect(pages.flatMap(({ values }) => values)).toEqual(before.values);
      const counted = await service.searchMetricValues({ asOf, countOnly: true });
      expect([counted.totalSize, counted.version]).toEqual([3, asOf]);
      expect((await service.searchMetricValues({ countOnly: true })).totalSize).toBe(2);
    });

    test('an unknown or invalid version is refused', async () => {
      await using service = await openDisposable(engine);
      const on = (asOf: string) => refusalOf(service.searchMetricValues({ asOf }));
      expect(await on('20240102T000000000Z-ffffffffffff')).toMatchInlineSnapshot(`
        "VERSION_NOT_FOUND at /asOf
        No version is kept for '20240102T000000000Z-ffffffffffff'.
        Leave asOf out to read the current version."
      `);
      expect(await on('latest')).toMatchInlineSnapshot(`
        "INVALID_AS_OF at /asOf
        'latest' is neither a date nor the name of a version.
        Send a date YYYY-MM-DD, or the version of an earlier answer."
      `);
      expect(await on('2023-02-29')).toContain('INVALID_AS_OF');
    });

    test('the version of a dataset of the metric is the metric as it was with it', async () => {
      await using service = await openDisposable(engine);
      const current = await service.searchMetricValues();
      for (const { version } of [OLD_VISITS, OLD_PLACES]) {
        const asOf = version.version;
        expect(await service.searchMetricValues({ asOf })).toEqual(current);
      }
      expect(current.version).not.toBe(OLD_VISITS.version.version);
    });
  });
});

async function openDisposable(engine: EngineUnderTest) {
  const service = await openService(engine, [OLD_PLACES, OLD_VISITS]);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
