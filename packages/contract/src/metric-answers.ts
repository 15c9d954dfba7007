import { type TSchema, Type } from 'typebox';
import { CalendarDateSchema } from './calendar-date-schema.ts';
import { costRows, nextPageToken, totalSizeOf } from './paging.ts';
import { closed } from './schema-parts.ts';

/** The answers of the metric query interface over HTTP. The names of lists end with `List`. */

const nullable = (type: 'number' | 'integer' | 'string', description: string) =>
  Type.Unsafe<number | string | null>({ type: [type, 'null'], description });

const MeasureSchema = closed(
  {
    name: Type.String({ examples: ['person_count'] }),
    unit: Type.String({ examples: ['People'] }),
    number: nullable('number', 'The value if its kind is number; 0 for another kind.'),
    count: nullable('integer', 'The value if its kind is count, exact at any size; otherwise 0.'),
    category: nullable('string', 'The value if its kind is category; empty for another kind.'),
  },
  {
    title: 'Measure',
    description: 'A measure. An absent value is null in the member of its kind.',
  },
);

export const PeriodSchema = closed(
  { start: CalendarDateSchema, end: CalendarDateSchema },
  { title: 'Period' },
);

export const AddressComponentValueSchema = closed(
  {
    component: Type.String({ examples: ['us_state_2020'] }),
    value: Type.String({ examples: ['23'] }),
    shortName: Type.String(),
    displayName: Type.String(),
  },
  { title: 'AddressComponentValue' },
);

export const FeatureSchema = closed(
  {
    layerId: Type.String({ examples: ['nps_parks'] }),
    featureId: Type.String({ examples: ['ACAD'] }),
    name: Type.String(),
    geo: Type.String({
      description: 'The point, as GeoJSON text; empty without a point.',
    }),
    addressComponentsList: Type.Array(AddressComponentValueSchema, {
      description:
        'All components of the layer, in its order. The texts of an unknown component are empty.',
    }),
    point: Type.String({ description: 'The same as geo.' }),
    polygon: Type.String({
      description:
        'The outline of a feature that was searched for, as GeoJSON text. Empty without one, and in metric values.',
    }),
    cameIntoExistence: Type.String({ description: 'YYYY-MM-DD, or empty.' }),
    ceasedToExist: Type.String({ description: 'YYYY-MM-DD, or empty.' }),
  },
  { title: 'MapFeature' },
);

export const DimensionValueSchema = closed(
  { dimensionId: Type.String(), value: Type.String(), displayName: Type.String() },
  { title: 'DimensionValue' },
);

const MetricValueSchema = closed(
  {
    metricId: Type.String({ examples: ['foot_traffic_monthly'] }),
    value: MeasureSchema,
    observationPeriod: PeriodSchema,
    dimensionsList: Type.Array(DimensionValueSchema),
    supportingValuesList: Type.Array(MeasureSchema),
    flagsList: Type.Array(Type.String()),
    mapFeatureV2: FeatureSchema,
    relatedMapFeature: Type.Optional(FeatureSchema),
  },
  { title: 'MetricValue' },
);

const valuesList = Type.Array(Type.String());

const componentFilters = Type.Array(
  closed({ component: Type.String(), valuesList }, { title: 'AppliedComponentFilter' }),
);

export const AppliedFiltersSchema = closed(
  {
    periodFiltersList: Type.Array(
      closed(
        { start: Type.Optional(CalendarDateSchema), end: Type.Optional(CalendarDateSchema) },
        { title: 'AppliedPeriodFilter' },
      ),
    ),
    dimensionFiltersList: Type.Array(
      closed({ dimensionId: Type.String(), valuesList }, { title: 'AppliedDimensionFilter' }),
    ),
    addressComponentFiltersList: componentFilters,
    featureFiltersList: valuesList,
    relatedFeatureFiltersList: valuesList,
    valueFiltersList: Type.Array(
      closed(
        {
          valueName: Type.String(),
          operator: Type.String({ examples: ['GREATER_THAN_OR_EQUAL_TO'] }),
          numericValue: Type.Number(),
        },
        { title: 'AppliedValueFilter' },
      ),
    ),
    relatedAddressComponentFiltersList: componentFilters,
  },
  {
    title: 'AppliedFilters',
    description:
      'The filters that selected the values: those of the request, of the grant, and the defaults of the metric.',
  },
);

/** unacast.catalog.v1.SearchMetricValuesResponse */
export const SearchMetricValuesResponseSchema: TSchema = closed(
  {
    valuesList: Type.Array(MetricValueSchema),
    appliedFilters: AppliedFiltersSchema,
    totalSize: totalSizeOf('values'),
    nextPageToken,
    version: Type.String({ description: 'The data version that the answer comes from.' }),
    costRows,
  },
  { title: 'SearchMetricValuesResponse' },
);
