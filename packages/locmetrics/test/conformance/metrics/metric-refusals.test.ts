import { expect, test } from 'vitest';
import { createCaller } from '../../support/test-caller.ts';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { PARK_TABLES } from '../parks.ts';
import { refusalOf } from '../refusal.ts';
import type { MetricQuestion } from './ask-metrics.ts';

const component = (id: string, ...values: readonly string[]) => ({ component: id, values });
const dimension = (dimensionId: string, ...values: readonly string[]) => ({ dimensionId, values });
const atLeast = (valueName: string, numericValue: number) =>
  ({ valueName, operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue }) as const;
const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

describeOn(ENGINES)('refusals of metric requests, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  const refusal = (question: MetricQuestion) => refusalOf(service.searchMetricValues(question));

  test('a request without a billing context is refused before anything else', async () => {
    expect(await refusal({ billingContext: '', metricId: 'nothing' })).toMatchInlineSnapshot(`
      "BILLING_CONTEXT_MISSING at /billingContext
      The billingContext is missing.
      Send the id of the organisation that the token was issued to."
    `);
  });

  test('every operation with a billing context refuses that of another organisation', async () => {
    const billingContext = 'other';
    expect(await refusal({ billingContext, metricId: 'nothing' })).toMatchInlineSnapshot(`
      "BILLING_CONTEXT_DENIED
      The billing context 'other' is not the organisation of the token.
      Send the id of the organisation that the token was issued to."
    `);
    const others = [
      service.searchLayerFeatures({ billingContext }),
      service.listMetrics({ billingContext }),
      service.getMetric({ billingContext }),
      service.getMetricReport({ billingContext }),
    ];
    expect(await Promise.all(others.map(refusalOf))).toEqual(
      others.map(() => expect.stringContaining('BILLING_CONTEXT_DENIED')),
    );
    const caller = createCaller({ organisationId: billingContext, tokenId: 'token' });
    expect((await service.searchMetricValues({ billingContext, caller })).totalSize).toBe(8);
    expect((await service.searchLayerFeatures({ billingContext, caller })).totalSize).toBe(6);
  });

  test('without a billing context the other operations use that of the token', async () => {
    expect((await service.searchLayerFeatures({ billingContext: '' })).totalSize).toBe(6);
    expect((await service.getMetric({ billingContext: '' })).extent.count).toBe(8);
  });

  test.each(['a\0', '\ud800'])('a text that no value can contain is refused: %j', async (text) => {
    const refused = [
      await refusal({ featureFilter: ['ACAD', text] }),
      await refusal({ addressComponentFilter: [component('state', '23', text)] }),
      await refusal({ dimensionFilter: [dimension('age', text)] }),
      await refusalOf(service.searchLayerFeatures({ featureFilter: [text] })),
      await refusalOf(
        service.searchAddressComponentValues({ component: 'state', valueIds: [text] }),
      ),
    ];
    expect(refused.map((said) => said.split('\n')[0])).toEqual([
      'INVALID_FILTER_VALUE at /featureFilter/1',
      'INVALID_FILTER_VALUE at /addressComponentFilter/0/values/1',
      'INVALID_FILTER_VALUE at /dimensionFilter/0/values/0',
      'INVALID_FILTER_VALUE at /featureFilter/0',
      'INVALID_FILTER_VALUE at /valueIds/0',
    ]);
  });

  test('an unknown catalog is refused with the nearest one', async () => {
    expect(await refusal({ catalogId: 'conformence' })).toMatchInlineSnapshot(`
      "CATALOG_NOT_FOUND at /catalogId
      There is no catalog 'conformence'.
      Did you mean 'conformance'?"
    `);
    expect(await refusal({ catalogId: '' })).toMatchInlineSnapshot(`
      "CATALOG_NOT_FOUND at /catalogId
      No catalog is named.
      Known: conformance."
    `);
  });

  test('an unknown metric is refused with the nearest one', async () => {
    expect(await refusal({ metricId: 'visit' })).toMatchInlineSnapshot(`
      "METRIC_NOT_FOUND at /metricId
      The catalog 'conformance' has no metric 'visit'.
      Did you mean 'visits'?"
    `);
    expect(await refusal({ metricId: 'precipitation' })).toMatchInlineSnapshot(`
      "METRIC_NOT_FOUND at /metricId
      The catalog 'conformance' has no metric 'precipitation'.
      Known: area, trips_to_parks, trips_to_states, visits, young_visits."
    `);
    expect(await refusal({ metricId: '' })).toMatchInlineSnapshot(`
      "METRIC_NOT_FOUND at /metricId
      No metric of the catalog 'conformance' is named.
      Known: area, trips_to_parks, trips_to_states, visits, young_visits."
    `);
    expect(await refusalOf(service.getMetric({ metricId: 'visit' }))).toBe(
      await refusal({ metricId: 'visit' }),
    );
    expect(await refusalOf(service.getMetricReport({ metricId: 'visit' }))).toBe(
      await refusal({ metricId: 'visit' }),
    );
  });

  test('an unknown metric is refused with asOf too', async () => {
    const unknown = await refusal({ metricId: 'visit' });
    expect(await refusal({ metricId: 'visit', asOf: '2024-01-31' })).toBe(unknown);
  });

  test('an unknown component is refused with the nearest one', async () => {
    expect(
      await refusal({ addressComponentFilter: [component('sate', '23')] }),
    ).toMatchInlineSnapshot(`
      "UNKNOWN_COMPONENT at /addressComponentFilter/0/component
      The layer 'parks' has no component 'sate'.
      Did you mean 'state'?"
    `);
    expect(
      await refusal({
        addressComponentFilter: [component('state', '23'), component('', '23')],
      }),
    ).toMatchInlineSnapshot(`
      "UNKNOWN_COMPONENT at /addressComponentFilter/1/component
      No component of the layer 'parks' is named.
      Known: state, is_obfuscated, gates, since, ratio, note."
    `);
    expect(
      await refusal({
        metricId: 'trips_to_states',
        relatedAddressComponentFilter: [component('gates', '7')],
      }),
    ).toMatchInlineSnapshot(`
      "UNKNOWN_COMPONENT at /relatedAddressComponentFilter/0/component
      The layer 'states' has no component 'gates'.
      Known: capital, state."
    `);
  });

  test('a filter on a free-form component is refused', async () => {
    expect(
      await refusal({ addressComponentFilter: [component('note', 'free')] }),
    ).toMatchInlineSnapshot(`
      "UNSUPPORTED_FILTER at /addressComponentFilter/0/component
      The component 'note' has the kind free form, which does not support filters.
      Filter on a component of another kind; GetLayer returns the kind of each."
    `);
    expect(
      await refusal({
        metricId: 'trips_to_parks',
        relatedAddressComponentFilter: [component('note', 'free')],
      }),
    ).toContain('UNSUPPORTED_FILTER at /relatedAddressComponentFilter/0/component');
  });

  test('a filter without values is refused', async () => {
    expect(await refusal({ addressComponentFilter: [component('state')] })).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /addressComponentFilter/0/values
      The filter on 'state' has no values.
      Send at least one value, or leave the filter out."
    `);
    expect(await refusal({ dimensionFilter: [dimension('age')] })).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /dimensionFilter/0/values
      The filter on 'age' has no values.
      Send at least one value, or leave the filter out."
    `);
  });

  test('more than ten thousand values for one component are refused, in one filter or in several', async () => {
    const filter = component('state', ...texts(10_001));
    expect(await refusal({ addressComponentFilter: [filter] })).toMatchInlineSnapshot(`
      "INVALID_REQUEST at /addressComponentFilter/0/values
      The request has 10001 values here.
      Send at most 10000 in one request."
    `);
    const apart = [component('state', ...texts(10_000)), component('state', 'one more')];
    expect(await refusal({ addressComponentFilter: apart })).toMatchInlineSnapshot(`
      "INVALID_REQUEST at /addressComponentFilter
      The request has 10001 values here.
      Send at most 10000 in one request."
    `);
    const ofDimension = [dimension('age', ...texts(10_000)), dimension('age', 'one more')];
    expect(await refusal({ dimensionFilter: ofDimension })).toMatchInlineSnapshot(`
      "INVALID_REQUEST at /dimensionFilter
      The request has 10001 values here.
      Send at most 10000 in one request."
    `);
  });

  test('a blank feature id and more than ten thousand ids are refused', async () => {
    expect(await refusal({ featureFilter: ['ACAD', ''] })).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /featureFilter/1
      A feature id is blank.
      Send the id of a feature, or leave the filter out for all features."
    `);
    expect(await refusal({ featureFilter: [' '] })).toContain('A feature id is blank.');
    expect(await refusal({ featureFilter: texts(10_001) })).toMatchInlineSnapshot(`
      "INVALID_REQUEST at /featureFilter
      The request has 10001 feature ids here.
      Send at most 10000 in one request."
    `);
    const related = { metricId: 'trips_to_parks', relatedFeatureFilter: ['\t'] };
    expect(await refusal(related)).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /relatedFeatureFilter/0
      A feature id is blank.
      Send the id of a feature, or leave the filter out for all features."
    `);
    expect(await refusal({ ...related, relatedFeatureFilter: texts(10_001) })).toContain(
      'INVALID_REQUEST at /relatedFeatureFilter',
    );
  });

  test('related filters are refused without a related layer', async () => {
    expect(await refusal({ relatedFeatureFilter: ['ACAD'] })).toMatchInlineSnapshot(`
      "UNSUPPORTED_FILTER at /relatedFeatureFilter
      The metric 'visits' has no related layer, so it cannot be filtered by related features.
      Leave the filter out; featureFilter and addressComponentFilter apply to the feature itself."
    `);
    expect(
      await refusal({ relatedAddressComponentFilter: [component('state', '23')] }),
    ).toMatchInlineSnapshot(`
      "UNSUPPORTED_FILTER at /relatedAddressComponentFilter
      The metric 'visits' has no related layer, so it cannot be filtered by related features.
      Leave the filter out; featureFilter and addressComponentFilter apply to the feature itself."
    `);
  });

  test('an unknown dimension is refused with the nearest one', async () => {
    expect(await refusal({ dimensionFilter: [dimension('ages', 'old')] })).toMatchInlineSnapshot(`
      "UNKNOWN_DIMENSION at /dimensionFilter/0/dimensionId
      The metric 'visits' has no dimension 'ages'.
      Did you mean 'age'?"
    `);
    expect(await refusal({ dimensionFilter: [dimension('', 'old')] })).toMatchInlineSnapshot(`
      "UNKNOWN_DIMENSION at /dimensionFilter/0/dimensionId
      No dimension of the metric 'visits' is named.
      Known: age, floor."
    `);
    expect(
      await refusal({ metricId: 'area', dimensionFilter: [dimension('age', 'old')] }),
    ).toMatchInlineSnapshot(`
      "UNKNOWN_DIMENSION at /dimensionFilter/0/dimensionId
      The metric 'area' has no dimension 'age'.
      You have access to none."
    `);
  });

  test('a value filter on an unknown value or a category is refused', async () => {
    expect(await refusal({ valueFilter: [atLeast('visit', 1)] })).toMatchInlineSnapshot(`
      "UNKNOWN_MEASURE at /valueFilter/0/valueName
      The metric 'visits' has no value 'visit'.
      Did you mean 'visits'?"
    `);
    expect(await refusal({ valueFilter: [atLeast('', 1)] })).toMatchInlineSnapshot(`
      "UNKNOWN_MEASURE at /valueFilter/0/valueName
      No value of the metric 'visits' is named.
      Known: visits, share, weather, number."
    `);
    expect(
      await refusal({ valueFilter: [atLeast('visits', 1), atLeast('weather', 1)] }),
    ).toMatchInlineSnapshot(`
      "UNSUPPORTED_FILTER at /valueFilter/1/valueName
      The value 'weather' is a category, which cannot be compared with a number.
      Filter on a value of the kind number or count."
    `);
  });

  test('a value filter without an operator or a finite number is refused', async () => {
    const unspecified = { ...atLeast('visits', 1), operator: 'UNSPECIFIED' } as const;
    expect(await refusal({ valueFilter: [unspecified] })).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /valueFilter/0/operator
      The filter on 'visits' has no operator.
      Send GREATER_THAN_OR_EQUAL_TO."
    `);
    expect(await refusal({ valueFilter: [atLeast('visits', Number.NaN)] })).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /valueFilter/0/numericValue
      The number of the filter on 'visits' is NaN.
      Send a finite number."
    `);
    expect(
      await refusal({ valueFilter: [atLeast('share', Number.NEGATIVE_INFINITY)] }),
    ).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /valueFilter/0/numericValue
      The number of the filter on 'share' is -Infinity.
      Send a finite number."
    `);
    const many = Array.from({ length: 101 }, () => atLeast('visits', 1));
    expect(await refusal({ valueFilter: many })).toMatchInlineSnapshot(`
      "INVALID_REQUEST at /valueFilter
      The request has 101 filters here.
      Send at most 100 in one request."
    `);
    expect((await service.searchMetricValues({ valueFilter: many.slice(1) })).totalSize).toBe(4);
  });

  test('a period of days that do not exist, or that ends before it starts, is refused', async () => {
    const period = (observationPeriodFilter: { readonly start?: string; readonly end?: string }) =>
      refusal({ observationPeriodFilter });
    expect(await period({ start: '2023-02-29' })).toMatchInlineSnapshot(`
      "INVALID_PERIOD at /observationPeriodFilter/start
      '2023-02-29' is not a calendar date.
      Send a day that exists, such as 2023-01-31."
    `);
    expect(await period({ end: '2023-1-1' })).toMatchInlineSnapshot(`
      "INVALID_PERIOD at /observationPeriodFilter/end
      '2023-1-1' is not a calendar date.
      Send a day that exists, such as 2023-01-31."
    `);
    expect(await period({ start: '' })).toContain('INVALID_PERIOD');
    expect(await period({ start: '2024-01-02', end: '2024-01-01' })).toMatchInlineSnapshot(`
      "INVALID_PERIOD at /observationPeriodFilter
      The period ends on 2024-01-01, before it starts on 2024-01-02.
      Swap the two days."
    `);
    // The period is constant, but the filter is still refused.
    expect(
      await refusal({ metricId: 'area', observationPeriodFilter: { start: 'today' } }),
    ).toContain('INVALID_PERIOD at /observationPeriodFilter/start');
  });

  test('trackTotalHits must be a whole number from 0', async () => {
    expect(await refusal({ trackTotalHits: -1 })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /trackTotalHitsInteger
      trackTotalHitsInteger -1 is not a whole number of 0 or more.
      Send the maximum number of values to count."
    `);
    expect(await refusal({ trackTotalHits: 1.5 })).toContain('INVALID_OPTION');
    expect(await refusal({ trackTotalHits: Number.NaN })).toContain('INVALID_OPTION');
    const { totalSize } = await service.searchMetricValues({ trackTotalHits: 2 ** 62 });
    expect(totalSize).toBe((await service.searchMetricValues()).totalSize);
  });

  test('a component to return that no layer has is refused with the nearest one', async () => {
    expect(await refusal({ addressComponentWhitelist: ['state', 'sate'] })).toMatchInlineSnapshot(`
      "UNKNOWN_COMPONENT at /addressComponentWhitelist/1
      The layer 'parks' has no component 'sate'.
      Did you mean 'state'?"
    `);
    expect(await refusal({ addressComponentWhitelist: ['state', ''] })).toContain(
      'UNKNOWN_COMPONENT at /addressComponentWhitelist/1',
    );
  });

  test('a refusal contains only the start of a long name', async () => {
    const long = 'x'.repeat(100_000);
    const refusals = [
      refusal({ catalogId: long }),
      refusal({ metricId: long }),
      refusal({ addressComponentFilter: [component(long, '23')] }),
      refusal({ dimensionFilter: [dimension(long, 'old')] }),
      refusal({ valueFilter: [atLeast(long, 1)] }),
      refusal({ observationPeriodFilter: { start: long } }),
      refusal({ asOf: long }),
      refusalOf(service.searchLayerFeatures({ layerId: long })),
      refusalOf(service.searchLayerFeatures({ addressComponentWhitelist: [long] })),
      refusal({ addressComponentWhitelist: [long] }),
      refusalOf(service.searchAddressComponentValues({ component: long })),
      refusalOf(service.searchAddressComponentValues({ catalogId: long, component: long })),
      refusalOf(service.searchDimensionValues({ dimensionId: long })),
      refusalOf(service.searchDimensionValues({ catalogId: long, dimensionId: long })),
    ];
    for (const text of await Promise.all(refusals)) expect(text.length).toBeLessThan(500);
  });

  test('a negative page size is refused', async () => {
    const refusals = [
      service.searchMetricValues({ pageSize: -1 }),
      service.searchLayerFeatures({ pageSize: -1 }),
      service.searchAddressComponentValues({ component: 'state', pageSize: -1 }),
      service.searchDimensionValues({ dimensionId: 'age', pageSize: -1 }),
      service.listMetrics({ pageSize: -1 }),
    ].map(refusalOf);
    expect(await Promise.all(refusals)).toEqual(
      refusals.map(() => expect.stringContaining('INVALID_PAGE_SIZE at /pageSize')),
    );
  });

  test('an invalid request is refused even if its answer would be empty or only a count', async () => {
    const wrong = { addressComponentFilter: [component('sate', '23')] };
    expect(await refusal({ ...wrong, featureFilter: ['nowhere'] })).toContain('UNKNOWN_COMPONENT');
    expect(await refusal({ ...wrong, countOnly: true })).toContain('UNKNOWN_COMPONENT');
  });
});
