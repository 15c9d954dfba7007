import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateParts } from '../../src/domain/calendar-date.ts';
import { type Feature, pointGeometry } from '../../src/domain/feature.ts';
import { type Metric, VALUE_KINDS, type ValueKind } from '../../src/domain/metric.ts';
import {
  type AppliedFilters,
  dimensionAt,
  flagsAt,
  type MetricValues,
} from '../../src/domain/metric-value.ts';
import { INTEGER_MAX, INTEGER_MIN, type Value } from '../../src/domain/value.ts';
import { encodeMetricValuesPage } from '../../src/encoding/metric-values-json.ts';

const NO_FILTERS: AppliedFilters = {
  periods: [],
  dimensions: [],
  addressComponents: [],
  features: [],
  relatedFeatures: [],
  values: [],
  relatedAddressComponents: [],
  isTrimmed: false,
};

/** The same page by the library: every value is an object first. */
function encodePlainly(metric: Metric, values: MetricValues): string {
  const measure = (place: number, index: number) => {
    const { name = '', unit = '', kind = 'number' } = metric.measures[place] ?? {};
    const value = values.measures[place]?.[index] ?? null;
    const raw = JSON as unknown as { rawJSON: (text: string) => unknown };
    const exact = typeof value === 'bigint' ? raw.rawJSON(String(value)) : value;
    return { name, unit, ...{ number: 0, count: 0, category: '' }, [kind]: exact };
  };
  const feature = (shown: Feature) => ({
    layerId: shown.layerId,
    featureId: shown.featureId,
    name: shown.name,
    geo: pointGeometry(shown),
    addressComponentsList: shown.addressComponents,
    point: pointGeometry(shown),
    polygon: '',
    cameIntoExistence: shown.cameIntoExistence,
    ceasedToExist: shown.ceasedToExist,
  });
  return JSON.stringify({
    valuesList: values.features.map((one, index) => ({
      metricId: metric.metricId,
      value: measure(0, index),
      observationPeriod: {
        start: dateParts(String(values.period.start[index])),
        end: dateParts(String(values.period.end[index])),
      },
      dimensionsList: values.dimensions.map((dimension) => dimensionAt(dimension, index)),
      supportingValuesList: values.measures.slice(1).map((_, place) => measure(place + 1, index)),
      flagsList: flagsAt(values.flags, index),
      mapFeatureV2: feature(one),
      ...(values.relatedFeatures?.[index] && {
        relatedMapFeature: feature(values.relatedFeatures[index]),
      }),
    })),
    appliedFilters: {
      periodFiltersList: [],
      dimensionFiltersList: [],
      addressComponentFiltersList: [],
      featureFiltersList: [],
      relatedFeatureFiltersList: [],
      valueFiltersList: [],
      relatedAddressComponentFiltersList: [],
    },
    totalSize: values.size,
    nextPageToken: 'next',
    version: 'v1',
  });
}

const text = fc.string({ unit: 'binary', maxLength: 12 });
const day = fc.constantFrom('0001-01-01', '2024-02-29', '2023-12-31', '9999-12-31');
const VALUES: Readonly<Record<ValueKind, fc.Arbitrary<Value>>> = {
  number: fc
    .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())
    .map((n) => n + 0),
  count: fc.oneof(fc.bigInt({ min: INTEGER_MIN, max: INTEGER_MAX }), fc.integer()),
  category: text,
};
const feature: fc.Arbitrary<Feature> = fc.record(
  {
    layerId: text,
    featureId: text,
    name: text,
    point: fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.integer({ min: -180, max: 180 }),
    }),
    addressComponents: fc.array(
      fc.record({ component: text, value: text, shortName: text, displayName: text }),
      { maxLength: 3 },
    ),
    cameIntoExistence: fc.constant(''),
    ceasedToExist: text,
  },
  {
    requiredKeys: [
      'layerId',
      'featureId',
      'name',
      'addressComponents',
      'cameIntoExistence',
      'ceasedToExist',
    ],
  },
);

const page = fc
  .record({
    size: fc.integer({ min: 0, max: 20 }),
    kinds: fc.array(fc.constantFrom(...VALUE_KINDS), { minLength: 1, maxLength: 4 }),
    dimensions: fc.integer({ min: 0, max: 2 }),
    flags: fc.integer({ min: 0, max: 2 }),
    isRelated: fc.boolean(),
    name: text,
  })
  .chain(({ size, kinds, dimensions, flags, isRelated, name }) => {
    const column = <Item>(items: fc.Arbitrary<Item>) =>
      fc.array(items, { minLength: size, maxLength: size });
    // Few features, each on several values.
    const features = fc
      .array(feature, { minLength: 1, maxLength: 2 })
      .chain((few) => column(fc.constantFrom(...few)));
    return fc.record({
      metric: fc.constant({
        metricId: name,
        measures: kinds.map((kind, place) => ({ name: `${name}${place}`, unit: name, kind })),
      } as unknown as Metric),
      values: fc.record<MetricValues>({
        size: fc.constant(size),
        features,
        relatedFeatures: isRelated ? features : fc.constant(undefined),
        period: fc.record({ start: column(day), end: column(day) }),
        measures: fc.tuple(
          ...kinds.map((kind) => column(fc.option(VALUES[kind], { nil: null, freq: 5 }))),
        ),
        dimensions: fc.array(
          fc.record({
            dimensionId: text,
            values: column(fc.option(fc.oneof(text, fc.bigInt()), { nil: null })),
            names: column(fc.option(text, { nil: null })),
          }),
          { minLength: dimensions, maxLength: dimensions },
        ),
        flags: fc.array(
          fc.record({ flag: text, values: column(fc.constantFrom(true, false, null)) }),
          { minLength: flags, maxLength: flags },
        ),
      }),
    });
  });

test('the bytes of a page of metric values are those of the plain encoder', async () => {
  await fc.assert(
    fc.asyncProperty(page, async ({ metric, values }) => {
      const bytes = await encodeMetricValuesPage({
        metric,
        values,
        appliedFilters: NO_FILTERS,
        totalSize: values.size,
        nextPageToken: 'next',
        version: 'v1',
      });
      expect(bytes.toString()).toBe(encodePlainly(metric, values));
    }),
    { numRuns: 300 },
  );
});
