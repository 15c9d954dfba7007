import type { PeriodFilter } from '@locmetrics/core/dates/period';
import type { AddressComponentFilter } from '@locmetrics/core/domain/metric';
import type { DimensionFilter, ValueFilter } from '@locmetrics/core/domain/metric-value';
import fc from 'fast-check';
import { toPolygon } from '../areas/test-polygon.ts';
import type {
  ComponentValuesQuestion,
  DimensionValuesQuestion,
  FeaturesQuestion,
  MetricQuestion,
} from '../metrics/ask-metrics.ts';
import { randomCircle } from './random-circle.ts';
import { LATITUDES, LONGITUDES, TEXTS } from './random-table.ts';
import { COUNTIES, GRADES, IDS, NEAR_DAYS, RATIOS, ZONES } from './random-world.ts';

/** Any possible question on a random world. Some worlds refuse some questions: see `random-world.ts`. */
export type MetricsQuestion =
  | { readonly kind: 'values'; readonly question: MetricQuestion }
  | { readonly kind: 'features'; readonly question: FeaturesQuestion }
  | { readonly kind: 'components'; readonly question: ComponentValuesQuestion }
  | { readonly kind: 'dimensions'; readonly question: DimensionValuesQuestion };

const page = fc.record(
  {
    pageSize: fc.constantFrom(1, 2, 3, 5, 8, 13, 40, 100),
    sentRowsMax: fc.constantFrom(1, 2, 3, 7),
  },
  { requiredKeys: ['pageSize'] },
);

/** Most filters are absent, so that all filters together still find something. */
const rarely = <Item>(arbitrary: fc.Arbitrary<Item>, { weight = 1, maxLength = 2 } = {}) =>
  fc.oneof(
    { arbitrary: fc.constant<readonly Item[]>([]), weight: 5 },
    { arbitrary: fc.array(arbitrary, { minLength: 1, maxLength, size: 'max' }), weight },
  );

const COMPONENT_VALUES = {
  county: [...COUNTIES, 'nowhere', ''],
  is_hidden: ['true', 'false', '', 'True'],
  grade: [...GRADES.map(String), '07', '9223372036854775808', ''],
  ratio: [...RATIOS.map(String), '1.0', ''],
  since: ['0001-01-01', '2024-02-29', '2024-02-30', ''],
} as const;
/** The components, including the one that only the related layer has. */
const RELATED_VALUES = { ...COMPONENT_VALUES, zone: [...ZONES, 'nowhere', ''] } as const;

const filterOn = <Component extends keyof typeof RELATED_VALUES>(
  components: readonly Component[],
): fc.Arbitrary<AddressComponentFilter> =>
  fc.constantFrom(...components).chain((component) =>
    fc
      .array(fc.constantFrom<string>(...RELATED_VALUES[component]), {
        minLength: 1,
        maxLength: 5,
        size: 'max',
      })
      .map((values) => ({ component, values })),
  );
// The keys of a constant object are exactly those of its type.
export const componentFilter = filterOn(
  Object.keys(COMPONENT_VALUES) as (keyof typeof COMPONENT_VALUES)[],
);
export const relatedComponentFilter = filterOn(
  Object.keys(RELATED_VALUES) as (keyof typeof RELATED_VALUES)[],
);

export const dimensionFilter: fc.Arbitrary<DimensionFilter> = fc.oneof(
  fc
    .array(fc.constantFrom(...TEXTS.slice(0, 6), ''), { minLength: 1, maxLength: 5, size: 'max' })
    .map((values) => ({ dimensionId: 'age', values })),
  fc
    .array(fc.constantFrom(...COMPONENT_VALUES.grade), { minLength: 1, maxLength: 5, size: 'max' })
    .map((values) => ({ dimensionId: 'band', values })),
);

const side = fc.option(fc.constantFrom(...NEAR_DAYS), { freq: 2 });
export const span: fc.Arbitrary<PeriodFilter> = fc.tuple(side, side).map(([one, other]) => {
  const [start, end] = one !== null && other !== null && one > other ? [other, one] : [one, other];
  return { ...(start === null ? {} : { start }), ...(end === null ? {} : { end }) };
});

const FLOATS = [-1e300, -1e300, -2, -1, -0, 0, 0.5, 1, 1e-7, 2 ** 53, 2 ** 63, 1e21];
const FLOAT_MEASURES: ReadonlySet<string> = new Set(['share', 'ratio']);

/** A number of more than 64 bits is refused for an integer. */
const valueFilter = (names: readonly string[]): fc.Arbitrary<ValueFilter> =>
  fc.constantFrom(...names).chain((valueName) =>
    fc.record({
      valueName: fc.constant(valueName),
      operator: fc.constant('GREATER_THAN_OR_EQUAL_TO' as const),
      numericValue: fc
        .constantFrom(...FLOATS)
        .map((number) =>
          FLOAT_MEASURES.has(valueName)
            ? number
            : Math.min(Math.max(number, -(2 ** 63)), 2 ** 63 - 1024),
        ),
    }),
  );

const ids = rarely(fc.constantFrom(...IDS, 'nowhere'), { maxLength: 6 });

const values = fc
  .constantFrom('visits', 'visits', 'visits', 'size')
  .chain((metricId) =>
    fc.record({
      page,
      given: fc.record(
        {
          metricId: fc.constant(metricId),
          featureFilter: ids,
          addressComponentFilter: rarely(componentFilter, { weight: 2 }),
          invertSortOrder: fc.boolean(),
          observationPeriodFilter: fc.oneof(
            { arbitrary: fc.constant({}), weight: 4 },
            { arbitrary: span, weight: 1 },
          ),
          dimensionFilter: rarely(dimensionFilter),
          valueFilter: rarely(
            valueFilter(metricId === 'visits' ? ['visits', 'share', 'number'] : ['grade', 'ratio']),
          ),
          trackTotalHits: fc.constantFrom(true, true, false, 0, 1, 3, 1000),
          countOnly: fc.constantFrom(...Array<boolean>(7).fill(false), true),
        },
        { requiredKeys: ['metricId', 'featureFilter', 'addressComponentFilter'] },
      ),
      related: fc.oneof(
        { arbitrary: fc.constant({}), weight: 5 },
        {
          arbitrary: fc.record({
            relatedFeatureFilter: ids,
            relatedAddressComponentFilter: rarely(relatedComponentFilter),
          }),
          weight: metricId === 'visits' ? 1 : 0,
        },
      ),
    }),
  )
  .map(({ page: paged, given, related }): MetricsQuestion => {
    return { kind: 'values', question: { ...paged, ...given, ...related } };
  });

const longitude = fc.constantFrom(...LONGITUDES);
const latitude = fc.constantFrom(...LATITUDES);
const box = fc
  .tuple(longitude, latitude, longitude, latitude)
  .map(([minLng, one, maxLng, other]) => ({
    minLng,
    minLat: Math.min(one, other),
    maxLng,
    maxLat: Math.max(one, other),
  }));

/** A triangle of corners of such a box; one whose corners are on a line is refused. */
export const triangle = box.map(({ minLng, minLat, maxLng, maxLat }) =>
  toPolygon([
    [minLng, minLat],
    [maxLng, minLat],
    [maxLng, maxLat],
    [minLng, minLat],
  ]),
);

/** Most terms occur in many texts, in some at the start and in some later. */
const query = fc.oneof(
  fc.constantFrom('', '', 'a', 'A', 'b', '7', '0', '1', '-', 'e'),
  fc.constantFrom(...TEXTS, ' ', 'e+', 'tr', '2024', 'FALSE'),
);

const features = fc
  .tuple(
    page,
    fc.record(
      {
        layerId: fc.constantFrom('places', 'places', 'areas'),
        featureFilter: ids,
        addressComponentFilter: rarely(componentFilter),
        query,
        existedInDateRange: span,
        addressComponentWhitelist: fc.subarray(['note', ...Object.keys(COMPONENT_VALUES)]),
      },
      { requiredKeys: ['layerId', 'featureFilter', 'addressComponentFilter'] },
    ),
    fc.oneof(
      { arbitrary: fc.constant({}), weight: 5 },
      { arbitrary: box.map((found) => ({ boundingBoxFilter: found })), weight: 1 },
      { arbitrary: triangle.map((found) => ({ polygonFilter: found })), weight: 1 },
      { arbitrary: randomCircle.map((found) => ({ circleFilter: found })), weight: 1 },
    ),
  )
  .map(([paged, given, boxed]): MetricsQuestion => {
    return { kind: 'features', question: { ...paged, ...given, ...boxed } };
  });

const components = fc
  .tuple(
    page,
    query,
    fc.constantFrom(...Object.keys(RELATED_VALUES), 'note'),
    rarely(fc.constantFrom(...COUNTIES, '-1', 'true', '', '1e+21', '\ud800'), { maxLength: 6 }),
  )
  .map(([paged, text, component, valueIds]): MetricsQuestion => {
    return { kind: 'components', question: { ...paged, query: text, component, valueIds } };
  });

const dimensions = fc
  .tuple(page, query, fc.constantFrom('age', 'age', 'band'), fc.constantFrom('', '*'))
  .map(([paged, text, dimensionId, star]): MetricsQuestion => {
    return { kind: 'dimensions', question: { ...paged, query: `${text}${star}`, dimensionId } };
  });

export const randomMetricsQuestion: fc.Arbitrary<MetricsQuestion> = fc.oneof(
  { arbitrary: values, weight: 6 },
  { arbitrary: features, weight: 2 },
  { arbitrary: components, weight: 2 },
  { arbitrary: dimensions, weight: 1 },
);
