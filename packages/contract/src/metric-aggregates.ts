import { type Static, Type } from 'typebox';
import {
  AGGREGATION_NUMBERS,
  AGGREGATION_PREFIX,
  BUCKET_NUMBERS,
  BUCKET_PREFIX,
  CircleSchema,
  DIRECTION_NAMES,
  DIRECTION_PREFIX,
  PolygonSchema,
} from './catalog-requests.ts';
import { AppliedFiltersSchema, PeriodSchema } from './metric-answers.ts';
import { circleParameter, polygonParameter, repeated, text } from './metric-request-parts.ts';
import {
  BILLING_CONTEXT_REQUIRED,
  bodyFilters,
  ofMetric,
  queryFilters,
} from './metric-requests.ts';
import { nextPageToken, totalSizeOf } from './paging.ts';
import { CHECKED_LATER, closed, numberedEnum, protobufEnum } from './schema-parts.ts';

/** The request for aggregates of a metric, and its answer. */

/** The names of `MetricGroup.Kind`; the index of a name is its number. */
export const METRIC_GROUP_KIND_NAMES = [
  'UNSPECIFIED',
  'FEATURE',
  'RELATED_FEATURE',
  'COMPONENT',
  'RELATED_COMPONENT',
  'DIMENSION',
  'PERIOD',
] as const;
export const METRIC_GROUP_KIND_PREFIX = 'KIND_';

/** The names of `Comparison`; the index of a name is its number. */
export const COMPARISON_NAMES = [
  'UNSPECIFIED',
  'PREVIOUS',
  'SAME_PERIOD_LAST_YEAR',
  'MEAN_OF_GROUPS',
] as const;
export const COMPARISON_PREFIX = 'COMPARISON_';

const COMPARE =
  'The groups with which each group is compared: the same group in the period before or in the same period last year, or the mean of all groups.';

const rankBy = text(
  'The number by which groups are ranked: the name of an aggregate such as sum_person_count, or that name with .change or .percent.',
);

/** The parameters of `GET /v1/catalogs/{catalogId}/metrics/{metricId}/aggregates`. */
export const MetricAggregatesQuerySchema = closed(
  {
    ...ofMetric,
    ...queryFilters,
    polygon: polygonParameter('Values of the features whose point lies'),
    circle: circleParameter('Values of the features whose point lies', 'polygon'),
    groupBy: repeated(
      'The keys by which values are grouped: feature, relatedFeature, the id of a component or dimension, component:…, relatedComponent:…, dimension:…, period, or period: with a bucket, such as period:YEAR.',
      'period:YEAR',
    ),
    aggregate: repeated(
      'An aggregation and the name of a value, such as sum:person_count; for a quantile also the quantile, such as quantile:person_count:0.9.',
      'sum:person_count',
    ),
    compare: Type.Optional(Type.Enum(COMPARISON_NAMES.slice(1), { description: COMPARE })),
    rankBy,
    orderBy: repeated('A number as in rankBy, then optionally :ASC or :DESC.'),
  },
  BILLING_CONTEXT_REQUIRED,
);
export type MetricAggregatesQuery = Static<typeof MetricAggregatesQuerySchema>;

const MetricGroupSchema = closed(
  {
    kind: Type.Optional(
      protobufEnum(METRIC_GROUP_KIND_NAMES, {
        prefix: METRIC_GROUP_KIND_PREFIX,
        description: 'Absent: COMPONENT or DIMENSION, whichever has the id.',
      }),
    ),
    id: text('The component or dimension.'),
    bucket: Type.Optional(
      numberedEnum(BUCKET_NUMBERS, {
        prefix: BUCKET_PREFIX,
        description: 'How periods are grouped, by their first day. Absent: each period is a group.',
      }),
    ),
  },
  { title: 'MetricGroup' },
);

const MetricAggregateSchema = closed(
  {
    valueName: Type.String({ examples: ['person_count'] }),
    aggregation: numberedEnum(AGGREGATION_NUMBERS, {
      prefix: AGGREGATION_PREFIX,
      description: 'The aggregation that is applied to the value in each group.',
    }),
    quantile: Type.Optional(
      Type.Number({
        description: 'From 0 to 1, for the aggregation QUANTILE.',
        [CHECKED_LATER]: { minimum: 0, maximum: 1 },
      }),
    ),
    name: text(
      'The name of the aggregate in the answer. Absent: the aggregation and the name of the value, such as sum_person_count.',
    ),
  },
  { title: 'MetricAggregate' },
);

const MetricOrderSchema = closed(
  {
    name: Type.String({
      description: 'A number as in rankBy.',
      examples: ['sum_person_count'],
    }),
    direction: Type.Optional(
      protobufEnum(DIRECTION_NAMES, {
        prefix: DIRECTION_PREFIX,
        description: 'Absent: ascending.',
      }),
    ),
  },
  { title: 'MetricOrder' },
);

/** locmetrics.v1.SearchMetricAggregatesRequest */
export const SearchMetricAggregatesRequestSchema = closed(
  {
    catalogId: text('The catalog. If given, the same as in the URL.'),
    metricId: text('The metric. If given, the same as in the URL.'),
    ...ofMetric,
    ...bodyFilters,
    polygonFilter: Type.Optional(PolygonSchema),
    circleFilter: Type.Optional(CircleSchema),
    groupBy: Type.Optional(
      Type.Array(MetricGroupSchema, {
        description: 'The keys by which values are grouped. Absent: all values are in one group.',
      }),
    ),
    aggregates: Type.Optional(
      Type.Array(MetricAggregateSchema, { description: 'The aggregates of each group.' }),
    ),
    compare: Type.Optional(
      protobufEnum(COMPARISON_NAMES, { prefix: COMPARISON_PREFIX, description: COMPARE }),
    ),
    rankBy,
    orderBy: Type.Optional(
      Type.Array(MetricOrderSchema, {
        description:
          'The order of the groups. Ties are broken by the values of groupBy. Absent: the order of these values.',
      }),
    ),
  },
  { title: 'SearchMetricAggregatesRequest', ...BILLING_CONTEXT_REQUIRED },
);
export type SearchMetricAggregatesRequest = Static<typeof SearchMetricAggregatesRequestSchema>;

const optionalNumber = (description: string) => Type.Optional(Type.Number({ description }));

const AggregateValueSchema = closed(
  {
    name: Type.String({ examples: ['sum_person_count'] }),
    number: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: 'The value if it is a number; null if it is absent.',
      }),
    ),
    count: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        description: 'The value if it is a count, exact at any size; null if it is absent.',
      }),
    ),
    compared: optionalNumber('The value that it is compared with.'),
    change: optionalNumber('The value minus the one that it is compared with.'),
    percent: optionalNumber(
      'The change in percent; absent if the value that it is compared with is 0.',
    ),
    rank: Type.Optional(
      Type.Integer({
        description: 'The rank among all groups, 1 for the largest. Equal groups share a rank.',
      }),
    ),
    percentile: optionalNumber('The percentage of groups with a smaller value, from 0 to 100.'),
  },
  { title: 'AggregateValue', description: 'An aggregate has either number or count.' },
);

const MetricGroupValueSchema = closed(
  {
    kind: Type.String({ examples: ['COMPONENT'] }),
    id: Type.String({ description: 'The component or dimension; otherwise empty.' }),
    value: Type.String({
      description:
        'The value; empty if the values of the group have none. A period is written as its first day, DAY_OF_WEEK and MONTH_OF_YEAR as a number.',
    }),
    displayName: Type.String({
      description: 'The name of the value, or the value itself if it has no name.',
    }),
  },
  { title: 'MetricGroupValue' },
);

const MetricAggregatesRowSchema = closed(
  {
    groupsList: Type.Array(MetricGroupValueSchema),
    period: Type.Optional(PeriodSchema),
    valuesList: Type.Array(AggregateValueSchema),
    periodsWithValues: Type.Integer({
      description: 'The number of periods for which the group has a value.',
    }),
    periods: Type.Integer({
      description: 'The number of periods for which any group has a record.',
    }),
  },
  { title: 'MetricAggregatesRow' },
);

/** locmetrics.v1.SearchMetricAggregatesResponse */
export const SearchMetricAggregatesResponseSchema = closed(
  {
    rowsList: Type.Array(MetricAggregatesRowSchema),
    appliedFilters: AppliedFiltersSchema,
    totalSize: totalSizeOf('groups'),
    nextPageToken,
    version: Type.String({ description: 'The data version that the answer comes from.' }),
  },
  { title: 'SearchMetricAggregatesResponse' },
);
