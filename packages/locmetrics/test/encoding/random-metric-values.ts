import type { Feature } from '@locmetrics/core/domain/feature';
import { type Metric, VALUE_KINDS, type ValueKind } from '@locmetrics/core/domain/metric';
import {
  type AppliedFilters,
  type MetricValues,
  VALUE_FILTER_OPERATORS,
} from '@locmetrics/core/domain/metric-value';
import { INTEGER_MAX, INTEGER_MIN, type Value } from '@locmetrics/core/domain/value';
import fc from 'fast-check';
import type { MetricValuesAnswer } from './metric-values-answer.ts';

/** Short and long, of ASCII and beyond it. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 40, size: 'max' }),
  fc.integer({ min: 125, max: 130 }).map((length) => 'x'.repeat(length)),
);
const day = fc.constantFrom('0001-01-01', '0127-12-31', '0128-01-01', '2024-02-29', '9999-12-31');
const wholeNumber = fc.oneof(
  fc.bigInt({ min: INTEGER_MIN, max: INTEGER_MAX }),
  fc.constantFrom(-1n, 0n, 127n, 128n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n),
);
const VALUES: Readonly<Record<ValueKind, fc.Arbitrary<Value>>> = {
  number: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    fc.integer(),
    wholeNumber,
  ),
  count: fc.oneof(wholeNumber, fc.integer()),
  category: text,
};
const texts = fc.array(text, { maxLength: 2 });
const component = fc.record({ component: text, values: texts });
const appliedFilters: fc.Arbitrary<AppliedFilters> = fc.record({
  periods: fc.array(fc.record({ start: day, end: day }, { requiredKeys: [] }), { maxLength: 1 }),
  dimensions: fc.array(fc.record({ dimensionId: text, values: texts }), { maxLength: 1 }),
  addressComponents: fc.array(component, { maxLength: 2 }),
  features: texts,
  relatedFeatures: texts,
  values: fc.array(
    fc.record({
      valueName: text,
      operator: fc.constantFrom(...VALUE_FILTER_OPERATORS),
      numericValue: fc.constantFrom(0, -1.5, 8.331, 2 ** 40),
    }),
    { maxLength: 1 },
  ),
  relatedAddressComponents: fc.array(component, { maxLength: 1 }),
  isTrimmed: fc.boolean(),
});
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
    cameIntoExistence: fc.constantFrom('', '2024-02-29'),
    ceasedToExist: fc.constantFrom('', '2024-02-29'),
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

/** Answers with every kind of value, absent ones included, of few features, each on several values. */
export const randomAnswer: fc.Arbitrary<MetricValuesAnswer> = fc
  .record({
    size: fc.integer({ min: 0, max: 20 }),
    kinds: fc.array(fc.constantFrom(...VALUE_KINDS), { minLength: 1, maxLength: 4 }),
    dimensions: fc.integer({ min: 0, max: 2 }),
    flags: fc.integer({ min: 0, max: 2 }),
    isRelated: fc.boolean(),
    featuresMax: fc.constantFrom(1, 2, 20),
    name: text,
  })
  .chain(({ size, kinds, dimensions, flags, isRelated, featuresMax, name }) => {
    const column = <Item>(items: fc.Arbitrary<Item>) =>
      fc.array(items, { minLength: size, maxLength: size });
    // Mostly few features, each on several values.
    const features = fc
      .array(feature, { minLength: 1, maxLength: featuresMax })
      .chain((few) => column(fc.constantFrom(...few)));
    return fc.record({
      appliedFilters,
      totalSize: fc.constantFrom(0, 1, size, 2 ** 31 - 1, 2 ** 31),
      cost: fc.constantFrom({}, { costRows: 0 }, { costRows: size }),
      nextPageToken: text,
      version: text,
      metric: fc.constant({
        metricId: name,
        measures: kinds.map((kind, place) => ({ name: `${name}${place}`, unit: name, kind })),
        // The values have a column for each.
        dimensions: new Array(dimensions).fill({}),
        flags: new Array(flags).fill({}),
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
  })
  .map(({ cost, ...answer }) => ({ ...answer, ...cost }));
