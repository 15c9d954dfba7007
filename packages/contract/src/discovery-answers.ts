import { type TSchema, Type } from 'typebox';
import {
  AddressComponentValueSchema,
  AppliedFiltersSchema,
  DimensionValueSchema,
  FeatureSchema,
  PeriodSchema,
} from './metric-answers.ts';
import { nextPageToken, totalSizeOf } from './paging.ts';
import { closed } from './schema-parts.ts';

/**
 * The answers over HTTP that describe catalogs, metrics and layers, and search what requests can name. They have every
 * field of their messages, even fields without a value; only an absent message is left out. The names of lists
 * end with `List`, and enums are names without their prefix.
 */

const text = (description: string, ...examples: readonly string[]) =>
  Type.String({ description, ...(examples.length === 0 ? {} : { examples }) });
const names = (description: string, values: readonly string[]) =>
  Type.Unsafe<string>({ type: 'string', enum: values, description });
const texts = Type.Array(Type.String());

const availability = names('Its availability.', ['ALL', 'DELIVERY_ONLY']);
const indexId = text('The id of its index; empty.');
const catalogId = text('The catalog that it belongs to.', 'nps');

const AddressComponentSchema = closed(
  {
    component: text('Its id.', 'us_state_2020'),
    catalogId,
    kind: names(
      'The kind of its values. All kinds except FREE_FORM_UNSPECIFIED can be filtered by.',
      ['FREE_FORM_UNSPECIFIED', 'MAP', 'TAXONOMY', 'COUNT'],
    ),
    mapLayerId: text(
      'The layer whose features are the values. Empty if the catalog has no such layer.',
    ),
    idDisplayName: text('The display name of an id of the component.'),
    availability,
    shortName: text('The short name, for example of a column.'),
    displayName: text('The display name.', 'State'),
    indexId,
    description: text('Its meaning.'),
  },
  { title: 'AddressComponent', description: 'An attribute of the features of a layer.' },
);

const LayerSpecSchema = closed(
  {
    catalogId,
    addressComponentsList: Type.Array(
      closed(
        {
          component: text('The id of the component.'),
          allowEmptyValues: Type.Boolean({
            description: 'True if a feature may have no value for the component.',
          }),
          requiresSpecificResource: text('Empty: no right to another resource is needed.'),
        },
        { title: 'AddressComponentValueSpec' },
      ),
    ),
    featureDisplayName: text('The display name of one feature.', 'Park'),
    featureDescription: text('The name for one feature.'),
    featureKindDisplayName: text('The display name of the kind of feature.'),
    attribution: text('The source to name when the layer is shown.'),
    version: text('The version of the features.'),
    advancementFromLayerId: text('The layer that this one replaces; empty if there is none.'),
    requiresExplicitAccess: Type.Boolean({
      description: 'True if a caller needs a right to this layer itself.',
    }),
  },
  { title: 'LayerSpec', description: 'How the data owner declared the layer.' },
);

const LayerSchema = closed(
  {
    id: text('Its id.', 'nps_parks'),
    catalogId,
    addressComponentsList: Type.Array(AddressComponentSchema, {
      description: 'The components of each of its features, in their order.',
    }),
    indexId,
    displayName: text('The display name.'),
    description: text('A description of its features.'),
    layerKind: names('The source of its features.', ['INDEXED', 'H3', 'SERIES_MEMBER']),
    availability,
    spec: LayerSpecSchema,
  },
  { title: 'Layer', description: 'Features of one kind.' },
);

const CADENCES = [
  'UNSPECIFIED',
  'DAILY',
  'WEEKLY',
  'MONTHLY',
  'QUARTERLY',
  'YEARLY',
  'TRIMONTHLY',
  'WEEKLY_MON_SUN',
  'WEEKLY_TUE_MON',
  'HOURLY',
] as const;

const valueKind = names('The member of a value that has it.', [
  'KIND_UNSPECIFIED',
  'NUMBER',
  'COUNT',
  'CATEGORY',
]);

const ValueSpecSchema = closed(
  {
    name: text('The name of the measure.', 'person_count'),
    valueKind,
    unit: text('The unit of its values; empty if they have none.', 'People'),
    displayName: text('The display name.'),
    description: text('Its meaning.'),
    supportingValue: Type.Boolean({ description: 'True if it is a supporting measure.' }),
    valueIsNullable: Type.Boolean({ description: 'True if its value may be absent.' }),
    additive: text(
      'Whether its values can be added up: over periods and places (`all`), over one of the two (`periods`, `places`), or not at all (`none`). Empty for a category.',
      'all',
    ),
  },
  { title: 'ValueSpec', description: 'A declared measure of a metric.' },
);

const MetricSpecSchema = closed(
  {
    layerId: text('The layer whose features the metric measures.', 'nps_parks'),
    relatedLayerId: text(
      'The layer of the related features of an origin–destination metric; otherwise empty.',
    ),
    valueKind,
    cadence: names('How often the metric has values.', CADENCES),
    dimensionsList: Type.Array(
      closed(
        {
          dimensionId: text('The id of the dimension.'),
          defaultValue: text(
            'The value for requests without a filter on the dimension; empty for all.',
          ),
          dimensionCompleteness: names(
            'Says if the metric has a value for each value of the dimension.',
            ['STRICT', 'RELAXED'],
          ),
        },
        { title: 'DimensionSpec' },
      ),
    ),
    unit: text('The unit of the main measure; empty if it has none.'),
    valuesList: Type.Array(ValueSpecSchema, {
      description: 'The measures: first the main one, then the supporting ones.',
    }),
    tagsList: Type.Array(closed({ type: Type.String(), valuesList: texts }, { title: 'TagSpec' })),
    groupMembershipsList: Type.Array(
      closed({ key: Type.String(), value: Type.String() }, { title: 'GroupMemberSpec' }),
    ),
    processingCadence: names('How often its values are computed.', CADENCES),
    rollingObservationWindow: Type.Boolean({ description: 'True if its periods overlap.' }),
    relationType: text('The relation between the two features of a value.'),
    layerRelationshipName: text('The role of the feature, such as destination.'),
    relatedLayerRelationshipName: text('The role of the related feature, such as origin.'),
    layerAdvancementFromMetricId: text('Empty.'),
  },
  { title: 'MetricSpec', description: 'How the data owner declared the metric.' },
);

const DimensionSchema = closed(
  {
    dimensionId: text('Its id.'),
    catalogId,
    name: text('The display name.'),
    displayName: text('The same as name.'),
    description: text('Its meaning.'),
    indexId,
    idDisplayName: text('The display name of an id of the dimension.'),
  },
  { title: 'Dimension' },
);

const componentFilters = Type.Array(
  closed({ component: Type.String(), valuesList: texts }, { title: 'LensComponentFilter' }),
);

const LensSchema = closed(
  {
    id: text('The id of the grant.'),
    catalogId,
    metricId: text('The metric.'),
    billingAccountId: text('Empty.'),
    lensFilters: Type.Optional(
      closed(
        {
          periodFiltersList: Type.Array(
            closed(
              {
                start: Type.Optional(PeriodSchema.properties.start),
                end: Type.Optional(PeriodSchema.properties.end),
              },
              { title: 'LensPeriodFilter' },
            ),
          ),
          dimensionFiltersList: Type.Array(
            closed(
              { dimensionId: Type.String(), valuesList: texts },
              { title: 'LensDimensionFilter' },
            ),
          ),
          addressComponentFiltersList: componentFilters,
          featureFiltersList: texts,
          relatedAddressComponentFiltersList: componentFilters,
          relatedFeatureFiltersList: texts,
        },
        {
          title: 'LensFilters',
          description: 'An empty list restricts nothing; all other lists must match.',
        },
      ),
    ),
    displayName: text('The display name of the restriction.'),
    description: text('The parts that it leaves out in addition to the filters.'),
  },
  { title: 'Lens', description: 'The part of a metric that your organisation may see.' },
);

const MetricSchema = closed(
  {
    id: text('Its id.', 'foot_traffic_monthly'),
    catalogId,
    indexId,
    spec: MetricSpecSchema,
    layerId: text('The layer whose features the metric measures.', 'nps_parks'),
    dimensionsList: Type.Array(DimensionSchema),
    layer: Type.Optional(LayerSchema),
    lifecycleStage: names('Its stage.', [
      'UNSPECIFIED',
      'PROTOTYPE',
      'RELEASE_CANDIDATE',
      'STABLE',
      'DEPRECATED',
      'ARCHIVED',
      'DELETED',
    ]),
    listing: text('The display name of the metric.'),
    relatedLayerId: text('The layer of the related features; empty if there is none.'),
    relatedLayer: Type.Optional(LayerSchema),
    report: Type.Optional(
      closed({ observationPeriod: Type.Optional(PeriodSchema) }, { title: 'MetricReport' }),
    ),
    description: text('A description of what it measures.'),
    yourLens: Type.Optional(LensSchema),
    versionSpec: Type.Optional(
      closed(
        { version: text('The version.'), releaseNotes: text('The changes in this version.') },
        { title: 'VersionSpec' },
      ),
    ),
    metricParentId: text('Empty.'),
    indexUpdateTime: text('The time at which its values were last written, in RFC 3339.'),
    availability,
    observationPeriod: Type.Optional(PeriodSchema),
    version: text('The current version of the data.'),
    publishedTime: text('The time at which that version was published, in RFC 3339.'),
    rowCount: Type.Integer({ description: 'The number of values that you may see.' }),
    firstObservationDate: text('The first day of the values, YYYY-MM-DD; empty without values.'),
    lastObservationDate: text('The last day of the values, YYYY-MM-DD; empty without values.'),
    dataReferenceName: text(
      'The dataset whose records are the values; empty if you may not see that dataset.',
      'nps.visits',
    ),
    featureDataReferenceName: text(
      'The dataset whose records are the features of the layer; empty if you may not see that dataset.',
      'ml_visitation.places',
    ),
  },
  { title: 'Metric', description: 'Measures of the features of a layer over time.' },
);

/** unacast.catalog.v1.ListCatalogsResponse */
export const ListCatalogsResponseSchema: TSchema = closed(
  { catalogsList: Type.Array(closed({ id: text('Its id.', 'nps') }, { title: 'Catalog' })) },
  { title: 'ListCatalogsResponse' },
);

/** unacast.catalog.v1.ListMetricsResponse */
export const ListMetricsResponseSchema: TSchema = closed(
  { metricsList: Type.Array(MetricSchema), nextPageToken },
  { title: 'ListMetricsResponse' },
);

/** unacast.catalog.v1.GetMetricResponse */
export const GetMetricResponseSchema: TSchema = closed(
  { metric: MetricSchema, completeObservationPeriod: Type.Optional(PeriodSchema) },
  { title: 'GetMetricResponse' },
);

/** unacast.catalog.v1.SearchMetricReportResponse */
export const SearchMetricReportResponseSchema: TSchema = closed(
  {
    report: closed({ observationPeriod: Type.Optional(PeriodSchema) }, { title: 'MetricReport' }),
    appliedFilters: AppliedFiltersSchema,
  },
  { title: 'SearchMetricReportResponse' },
);

/** unacast.catalog.v1.GetLayerResponse */
export const GetLayerResponseSchema: TSchema = closed(
  { layer: LayerSchema },
  { title: 'GetLayerResponse' },
);

/** unacast.catalog.v1.SearchLayerFeaturesResponse */
export const SearchLayerFeaturesResponseSchema: TSchema = closed(
  {
    featuresList: Type.Array(FeatureSchema),
    queryScoresList: Type.Array(Type.Number(), {
      description:
        'How well each feature matches the query, from 0 (not at all) to 1 (equal); empty without a query.',
    }),
    totalSize: totalSizeOf('features'),
    nextPageToken,
  },
  { title: 'SearchLayerFeaturesResponse' },
);

/** unacast.maps.v1.ListAddressComponentsResponse */
export const ListAddressComponentsResponseSchema: TSchema = closed(
  { addressComponentsList: Type.Array(AddressComponentSchema) },
  { title: 'ListAddressComponentsResponse' },
);

/** unacast.catalog.v1.SearchAddressComponentValuesResponse */
export const SearchAddressComponentValuesResponseSchema: TSchema = closed(
  {
    addressComponentValuesList: Type.Array(AddressComponentValueSchema),
    totalSize: totalSizeOf('values'),
    nextPageToken,
  },
  { title: 'SearchAddressComponentValuesResponse' },
);

/** unacast.catalog.v1.SearchDimensionValuesResponse */
export const SearchDimensionValuesResponseSchema: TSchema = closed(
  {
    dimensionValuesList: Type.Array(DimensionValueSchema),
    totalSize: totalSizeOf('values'),
    nextPageToken,
  },
  { title: 'SearchDimensionValuesResponse' },
);
