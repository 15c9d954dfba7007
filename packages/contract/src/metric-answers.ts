import { type TSchema, Type } from 'typebox';
import { costRows } from './cost-rows.ts';
import { closed } from './schema-parts.ts';

/** The answers of the metric query interface over HTTP: lists are named with `List` at the end. */

const nullable = (type: 'number' | 'integer' | 'string', description: string) =>
  Type.Unsafe<number | string | null>({ type: [type, 'null'], description });

const MeasureSchema = closed(
  {
    name: Type.String({ examples: ['person_count'] }),
    unit: Type.String({ examples: ['People'] }),
    number: nullable('number', 'The value of the kind number; 0 for another kind.'),
    count: nullable(
      'integer',
      'The value of the kind count, exact whatever its size; 0 for another kind.',
    ),
    category: nullable('string', 'The value of the kind category; empty for another kind.'),
  },
  { description: 'A measure; an absent value is null in the member of its kind.' },
);

const DateSchema = closed({ year: Type.Integer(), month: Type.Integer(), day: Type.Integer() });

const PeriodSchema = closed({ start: DateSchema, end: DateSchema });

const FeatureSchema = closed({
  layerId: Type.String({ examples: ['nps_parks'] }),
  featureId: Type.String({ examples: ['ACAD'] }),
  name: Type.String(),
  geo: Type.String({ description: 'The point as a GeoJSON geometry, as text; empty without one.' }),
  addressComponentsList: Type.Array(
    closed({
      component: Type.String({ examples: ['us_state_2020'] }),
      value: Type.String({ examples: ['23'] }),
      shortName: Type.String(),
      displayName: Type.String(),
    }),
    {
      description: 'Every component of the layer in its order, empty texts where one is unknown.',
    },
  ),
  point: Type.String({ description: 'The same as geo.' }),
  polygon: Type.String({ description: 'Empty.' }),
  cameIntoExistence: Type.String({ description: 'YYYY-MM-DD, or empty.' }),
  ceasedToExist: Type.String({ description: 'YYYY-MM-DD, or empty.' }),
});

const MetricValueSchema = closed({
  metricId: Type.String({ examples: ['foot_traffic_monthly'] }),
  value: MeasureSchema,
  observationPeriod: PeriodSchema,
  dimensionsList: Type.Array(
    closed({ dimensionId: Type.String(), value: Type.String(), displayName: Type.String() }),
  ),
  supportingValuesList: Type.Array(MeasureSchema),
  flagsList: Type.Array(Type.String()),
  mapFeatureV2: FeatureSchema,
  relatedMapFeature: Type.Optional(FeatureSchema),
});

const componentFilters = Type.Array(
  closed({ component: Type.String(), valuesList: Type.Array(Type.String()) }),
);

const AppliedFiltersSchema = closed(
  {
    periodFiltersList: Type.Array(
      closed({ start: Type.Optional(DateSchema), end: Type.Optional(DateSchema) }),
    ),
    dimensionFiltersList: Type.Array(
      closed({ dimensionId: Type.String(), valuesList: Type.Array(Type.String()) }),
    ),
    addressComponentFiltersList: componentFilters,
    featureFiltersList: Type.Array(Type.String()),
    relatedFeatureFiltersList: Type.Array(Type.String()),
    valueFiltersList: Type.Array(
      closed({
        valueName: Type.String(),
        operator: Type.String({ examples: ['GREATER_THAN_OR_EQUAL_TO'] }),
        numericValue: Type.Number(),
      }),
    ),
    relatedAddressComponentFiltersList: componentFilters,
  },
  {
    description:
      'The filters that made the answer, all of which held: those of the request and the defaults of the metric.',
  },
);

/** unacast.catalog.v1.SearchMetricValuesResponse */
export const SearchMetricValuesResponseSchema: TSchema = closed({
  valuesList: Type.Array(MetricValueSchema),
  appliedFilters: AppliedFiltersSchema,
  totalSize: Type.Integer({
    description: 'How many values match in all, the same on each page; at most 2147483647.',
  }),
  nextPageToken: Type.String({
    description: 'pageToken of the next page; empty on the last one, and only there.',
  }),
  version: Type.String({ description: 'The data version that the answer comes from.' }),
  costRows,
});
