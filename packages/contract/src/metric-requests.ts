import { type Static, Type } from 'typebox';
import { closed } from './schema-parts.ts';

/**
 * The requests of the metric query interface in lowerCamelCase. An edge accepts each field in
 * snake_case too, and in a body takes `null` for absent.
 */

const FILTERS_MAX = 100;
const FILTER_VALUES_MAX = 10_000;

/** Names of `ValueFilterOperator`, and their numbers by place. */
export const VALUE_FILTER_OPERATOR_NAMES = ['UNSPECIFIED', 'GREATER_THAN_OR_EQUAL_TO'] as const;
export const VALUE_FILTER_OPERATOR_PREFIX = 'VALUE_FILTER_OPERATOR_';

const text = (description: string, examples: readonly string[] = []) =>
  Type.Optional(Type.String({ description, ...(examples.length === 0 ? {} : { examples }) }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const common = {
  billingContext: text("Required. Id of the caller's organisation.", ['demo']),
  featureFilter: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: FILTER_VALUES_MAX,
      description: 'Ids of features; an unknown one matches nothing. Absent: every feature.',
      examples: [['ACAD']],
    }),
  ),
  relatedFeatureFilter: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: FILTER_VALUES_MAX,
      description: 'Ids of related features, of an origin–destination metric. Absent: every one.',
    }),
  ),
  invertSortOrder: flag('Whether the order (feature, period start, …) is reversed.'),
  bestEffortQueryWhenNotAllowed: flag(
    'Whether to answer with what the caller may see when the filters ask for more, instead of refusing.',
  ),
  pageSize: Type.Optional(
    Type.Integer({
      description:
        'How many values to return at most. Absent or 0: 100; above 10,000: 10,000; negative: an error.',
      examples: [100],
    }),
  ),
  pageToken: text(
    'nextPageToken of the page before, with the same request otherwise; only pageSize may change.',
  ),
  asOf: text(
    'The version of an earlier answer, or a date YYYY-MM-DD for what was current at its end (UTC). Absent: what is current.',
  ),
  countOnly: flag('Whether to return the exact totalSize and no values.'),
};

/** Without examples: the page of the API would send them with each request. */
const repeated = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: FILTER_VALUES_MAX, description }));

/** The parameters of `GET /v1/catalogs/{catalogId}/metrics/{metricId}/values`. */
export const MetricValuesQuerySchema = closed({
  ...common,
  observationPeriodFilter: text(
    'Values whose period lies within two days, both included: start/end. A side may be empty or `..`.',
    ['2023-01-01/2023-12-31'],
  ),
  addressComponentFilter: repeated(
    'A component and a value of it, such as us_state_2020:06. The same component again means or, another one means and.',
  ),
  dimensionFilter: repeated('A dimension and a value of it, such as age:20-29; repeated likewise.'),
  relatedAddressComponentFilter: repeated(
    'A component of the related feature and a value of it; repeated likewise.',
  ),
  valueFilter: repeated(
    'Values whose measure is not less than a number, such as person_count>=1000.',
  ),
  trackTotalHits: Type.Optional(
    Type.String({
      description:
        'true (default): totalSize is exact; false: it is 0, not counted; a number: at most so many are counted.',
    }),
  ),
});
export type MetricValuesQuery = Static<typeof MetricValuesQuerySchema>;

/** unacast.unatype.Date, or the day as text. */
const DaySchema = Type.Union(
  [
    closed({
      year: Type.Integer({ examples: [2023] }),
      month: Type.Integer({ examples: [1] }),
      day: Type.Integer({ examples: [31] }),
    }),
    Type.String({ description: 'YYYY-MM-DD' }),
  ],
  { description: 'A day, as {"year": …, "month": …, "day": …} or as YYYY-MM-DD.' },
);
export type Day = Static<typeof DaySchema>;

const filterValues = Type.Array(Type.String(), { maxItems: FILTER_VALUES_MAX });

const componentFilters = (description: string) =>
  Type.Optional(
    Type.Array(closed({ component: Type.String(), values: filterValues }), {
      maxItems: FILTERS_MAX,
      description,
    }),
  );

/** unacast.catalog.v1.SearchMetricValuesRequest */
export const SearchMetricValuesRequestSchema = closed(
  {
    catalogId: text('The catalog; if given, the one of the address.'),
    metricId: text('The metric; if given, the one of the address.'),
    ...common,
    trackTotalHitsBoolean: flag('true (default): totalSize is exact; false: 0, not counted.'),
    trackTotalHitsInteger: Type.Optional(
      Type.Integer({ description: 'At most so many values are counted.' }),
    ),
    observationPeriodFilter: Type.Optional(
      closed(
        { start: Type.Optional(DaySchema), end: Type.Optional(DaySchema) },
        { description: 'Values whose period lies within these days, both included.' },
      ),
    ),
    addressComponentFilter: componentFilters(
      'Values whose feature has one of the values of each component.',
    ),
    relatedAddressComponentFilter: componentFilters(
      'Values whose related feature has one of the values of each component.',
    ),
    dimensionFilter: Type.Optional(
      Type.Array(closed({ dimensionId: Type.String(), values: filterValues }), {
        maxItems: FILTERS_MAX,
        description:
          'Values with one of the values of each dimension. A dimension that is named loses its default.',
      }),
    ),
    valueFilter: Type.Optional(
      Type.Array(
        closed({
          valueName: Type.String({ examples: ['person_count'] }),
          operator: Type.Optional(
            Type.Unsafe<string | number>({
              enum: [
                ...VALUE_FILTER_OPERATOR_NAMES,
                ...VALUE_FILTER_OPERATOR_NAMES.map(
                  (name) => `${VALUE_FILTER_OPERATOR_PREFIX}${name}`,
                ),
                ...VALUE_FILTER_OPERATOR_NAMES.keys(),
              ],
            }),
          ),
          numericValue: Type.Optional(Type.Number({ examples: [1000] })),
        }),
        { maxItems: FILTERS_MAX, description: 'Values whose measures match each of these.' },
      ),
    ),
    requestTags: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: 100,
        description: 'Labels of the request, by name.',
      }),
    ),
  },
  {
    examples: [
      {
        billingContext: 'demo',
        featureFilter: ['ACAD'],
        observationPeriodFilter: { start: '2023-01-01', end: '2023-12-31' },
        pageSize: 100,
      },
    ],
  },
);
export type SearchMetricValuesRequest = Static<typeof SearchMetricValuesRequestSchema>;
