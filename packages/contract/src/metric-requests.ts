import { type Static, Type } from 'typebox';
import { CalendarDateSchema } from './calendar-date-schema.ts';
import {
  billingContext,
  componentFilters,
  FILTER_VALUES_MAX,
  FILTERS_MAX,
  featureFilter,
  filterValues,
  flag,
  repeated,
  repeatedPairs,
  text,
} from './metric-request-parts.ts';
import { pageSize, pageToken } from './paging.ts';
import { CHECKED_LATER, closed, protobufEnum } from './schema-parts.ts';

/**
 * The requests of the metric query interface in lowerCamelCase. An edge also accepts each field in
 * snake_case. In a body, `null` means absent.
 */

/** The names of `ValueFilterOperator`; the index of a name is its number. */
export const VALUE_FILTER_OPERATOR_NAMES = ['UNSPECIFIED', 'GREATER_THAN_OR_EQUAL_TO'] as const;
export const VALUE_FILTER_OPERATOR_PREFIX = 'VALUE_FILTER_OPERATOR_';

/** The members of requests for values and for aggregates of a metric. */
export const ofMetric = {
  billingContext,
  featureFilter,
  relatedFeatureFilter: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: FILTER_VALUES_MAX,
      description: 'Ids of related features of an origin–destination metric. Absent: all.',
    }),
  ),
  pageSize,
  pageToken,
  asOf: text(
    'The version of an earlier answer, a version of one of the datasets of the metric, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version.',
  ),
};

const common = {
  billingContext: ofMetric.billingContext,
  featureFilter: ofMetric.featureFilter,
  relatedFeatureFilter: ofMetric.relatedFeatureFilter,
  invertSortOrder: flag('True to reverse the order (by feature, then by start of the period).'),
  bestEffortQueryWhenNotAllowed: flag(
    'True to return the other values, instead of an error, if a filter names values that the caller may not see.',
  ),
  pageSize,
  pageToken,
  asOf: ofMetric.asOf,
  countOnly: flag('True to return no values, only the exact totalSize and costRows.'),
  addressComponentWhitelist: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: FILTER_VALUES_MAX,
      description:
        'The address components to return with each feature. Absent: all. A single empty text: none.',
    }),
  ),
  skipGeo: flag('True to leave out the points of the features.'),
};

export const BILLING_CONTEXT_REQUIRED = {
  [CHECKED_LATER]: { required: ['billingContext'] },
} as const;

/** The filters of a query string. */
export const queryFilters = {
  observationPeriodFilter: text(
    'Values whose period lies within two days, both included: start/end. A side may be empty or `..`.',
    ['2023-01-01/2023-12-31'],
  ),
  addressComponentFilter: repeatedPairs(
    'A component and a value of it, such as us_state_2020:06. Repeat the same component for OR, and another one for AND.',
    'us_state_2020:23',
  ),
  dimensionFilter: repeatedPairs(
    'A dimension and a value of it, such as age:20-29; repeated in the same way.',
  ),
  relatedAddressComponentFilter: repeatedPairs(
    'A component of the related feature and a value of it; repeated in the same way.',
  ),
  valueFilter: repeated(
    'Values whose measure is at least a number, such as person_count>=1000.',
    'person_count>=1000',
  ),
};

/** The parameters of `GET /v1/catalogs/{catalogId}/metrics/{metricId}/values`. */
export const MetricValuesQuerySchema = closed(
  {
    ...common,
    ...queryFilters,
    trackTotalHits: Type.Optional(
      Type.String({
        description:
          'true (default): totalSize is exact. false: nothing is counted and totalSize is 0. A number: the maximum to count.',
        examples: ['true'],
        [CHECKED_LATER]: { pattern: '^(true|false|[0-9]{1,15})$' },
      }),
    ),
  },
  BILLING_CONTEXT_REQUIRED,
);
export type MetricValuesQuery = Static<typeof MetricValuesQuerySchema>;

const {
  pageSize: _pageSize,
  pageToken: _pageToken,
  countOnly: _countOnly,
  ...streamed
} = MetricValuesQuerySchema.properties;
const countedFirst = Type.Optional(
  Type.Boolean({
    description:
      'True to count the values first: Total-Size has their number, and a stream that exceeds a limit is refused before its first value.',
  }),
);

/** The parameters of `GET /v1/catalogs/{catalogId}/metrics/{metricId}/values.csv` and of the other formats. */
export const StreamMetricValuesQuerySchema = closed(
  { ...streamed, trackTotalHits: countedFirst },
  BILLING_CONTEXT_REQUIRED,
);
export type StreamMetricValuesQuery = Static<typeof StreamMetricValuesQuerySchema>;

/** unacast.unatype.Date, or the date as text. */
const DaySchema = Type.Union([CalendarDateSchema, Type.String({ description: 'YYYY-MM-DD' })], {
  description: 'A day, as {"year": …, "month": …, "day": …} or as YYYY-MM-DD.',
});
export type Day = Static<typeof DaySchema>;

const ValueFilterSchema = closed(
  {
    valueName: Type.String({ examples: ['person_count'] }),
    operator: Type.Optional(
      protobufEnum(VALUE_FILTER_OPERATOR_NAMES.slice(1), {
        prefix: VALUE_FILTER_OPERATOR_PREFIX,
        description: 'How the measure is compared with the number.',
        firstNumber: 1,
      }),
    ),
    numericValue: Type.Optional(Type.Number({ description: 'Absent: 0.', examples: [1000] })),
  },
  { title: 'ValueFilter', [CHECKED_LATER]: { required: ['operator'] } },
);

/** The filters of a body. */
export const bodyFilters = {
  observationPeriodFilter: Type.Optional(
    closed(
      { start: Type.Optional(DaySchema), end: Type.Optional(DaySchema) },
      {
        title: 'PeriodFilter',
        description: 'Values whose period lies within these days, both included.',
      },
    ),
  ),
  addressComponentFilter: componentFilters(
    'Values whose feature has one of the values of each component.',
  ),
  relatedAddressComponentFilter: componentFilters(
    'Values whose related feature has one of the values of each component.',
  ),
  dimensionFilter: Type.Optional(
    Type.Array(
      closed({ dimensionId: Type.String(), values: filterValues }, { title: 'DimensionFilter' }),
      {
        maxItems: FILTERS_MAX,
        description:
          'Values with one of the values of each dimension. The default value of a dimension that is named does not apply.',
      },
    ),
  ),
  valueFilter: Type.Optional(
    Type.Array(ValueFilterSchema, {
      maxItems: FILTERS_MAX,
      description: 'Values whose measures match each of these.',
    }),
  ),
};

/** unacast.catalog.v1.SearchMetricValuesRequest */
export const SearchMetricValuesRequestSchema = closed(
  {
    catalogId: text('The catalog. If given, the same as in the URL.'),
    metricId: text('The metric. If given, the same as in the URL.'),
    ...common,
    trackTotalHitsBoolean: flag(
      'true (default): totalSize is exact. false: nothing is counted and totalSize is 0.',
    ),
    trackTotalHitsInteger: Type.Optional(
      Type.Integer({
        description:
          'The maximum number of values to count. Not together with trackTotalHitsBoolean.',
        [CHECKED_LATER]: { minimum: 0 },
      }),
    ),
    ...bodyFilters,
    requestTags: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: 100,
        description: 'Labels of the request, by name.',
      }),
    ),
  },
  { title: 'SearchMetricValuesRequest', ...BILLING_CONTEXT_REQUIRED },
);
export type SearchMetricValuesRequest = Static<typeof SearchMetricValuesRequestSchema>;

const {
  pageSize: __pageSize,
  pageToken: __pageToken,
  countOnly: __countOnly,
  trackTotalHitsBoolean: _boolean,
  trackTotalHitsInteger: _integer,
  ...streamedByBody
} = SearchMetricValuesRequestSchema.properties;

/** The body of `POST /v1/catalogs/{catalogId}/metrics/{metricId}/values.csv` and of the other formats. */
export const StreamMetricValuesRequestSchema = closed(
  { ...streamedByBody, trackTotalHits: countedFirst },
  { title: 'StreamMetricValuesRequest', ...BILLING_CONTEXT_REQUIRED },
);
export type StreamMetricValuesRequest = Static<typeof StreamMetricValuesRequestSchema>;

/** unacast.catalog.v1.DownloadMetricRequest */
export const DownloadMetricRequestSchema = closed(
  {
    catalogId: text('The catalog. If given, the same as in the URL.'),
    metricId: text('The metric. If given, the same as in the URL.'),
    billingContext,
    fileName: Type.Optional(
      Type.String({
        description: 'The start of the name of each file, before its number.',
        examples: ['visits-'],
        [CHECKED_LATER]: { pattern: '^[A-Za-z0-9._-]{0,100}$' },
      }),
    ),
    expiryInHours: Type.Optional(
      Type.Integer({
        description:
          'How many hours the files can be downloaded, at most as long as the service keeps files. Absent or 0: that long.',
        examples: [24],
        [CHECKED_LATER]: { minimum: 0 },
      }),
    ),
  },
  { title: 'DownloadMetricRequest', ...BILLING_CONTEXT_REQUIRED },
);
export type DownloadMetricRequest = Static<typeof DownloadMetricRequestSchema>;
