import { type Static, Type } from 'typebox';
import { CircleSchema, PolygonSchema } from './catalog-requests.ts';
import {
  billingContext,
  circleParameter,
  componentFilters,
  FILTER_VALUES_MAX,
  featureFilter,
  flag,
  polygonParameter,
  repeated,
  repeatedPairs,
  text,
} from './metric-request-parts.ts';
import { pageSize, pageToken } from './paging.ts';
import { CHECKED_LATER, closed } from './schema-parts.ts';

/**
 * The requests over HTTP that describe catalogs, metrics and layers, and search what other requests can name: the
 * parameters of a GET, whose path names the catalog and the rest, and one body.
 */

/** The names of `AvailabilityKind`; the index of a name is its number. */
export const AVAILABILITY_NAMES = ['ALL', 'DELIVERY_ONLY'] as const;
export const AVAILABILITY_PREFIX = 'AVAILABILITY_KIND_';

/** The parameters of a GET that has no other parameters. */
export const OwnerQuerySchema = closed({ billingContext });
export type OwnerQuery = Static<typeof OwnerQuerySchema>;

/** The parameters of `GET /v1/catalogs/{catalogId}/metrics`. */
export const ListMetricsQuerySchema = closed({
  billingContext,
  layerFilter: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: FILTER_VALUES_MAX,
      description: 'Metrics of these layers. Absent: all.',
      examples: [['nps_parks']],
    }),
  ),
  availabilityFilter: repeated(
    'Metrics with this availability. Absent: any. Every metric has ALL.',
    'ALL',
    `^((${AVAILABILITY_PREFIX})?(${AVAILABILITY_NAMES.join('|')})|[01])$`,
  ),
  pageSize,
  pageToken,
});
export type ListMetricsQuery = Static<typeof ListMetricsQuerySchema>;

/** The parameters of `GET /v1/catalogs/{catalogId}/metrics/{metricId}`. */
export const GetMetricQuerySchema = closed({
  billingContext,
  skipLayers: flag('True to leave out the layers.'),
  skipDimensions: flag('True to leave out the dimensions.'),
  skipSubscriptionStatus: flag('Changes nothing: the answer has no subscription.'),
  skipObservationPeriod: flag('True to leave out the periods.'),
  skipLens: flag('True to leave out what your organisation may see.'),
});
export type GetMetricQuery = Static<typeof GetMetricQuerySchema>;

const featureSearch = {
  billingContext,
  featureFilter,
  query: text(
    'Text that ranks the features by how well their names, ids and components match, word by word, ignoring case, diacritics and a few wrong letters. It leaves none out.',
    ['acadia'],
  ),
  trackTotalHits: flag('Changes nothing: the total is always counted.'),
  addressComponentWhitelist: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: FILTER_VALUES_MAX,
      description: 'The components to return with each feature. Absent: all.',
      examples: [['us_state_2020']],
    }),
  ),
  skipPolygon: flag('True to leave out the outlines of the features.'),
  pageSize,
  pageToken,
} as const;

/** The parameters of `GET /v1/catalogs/{catalogId}/layers/{layerId}/features`. */
export const LayerFeaturesQuerySchema = closed({
  ...featureSearch,
  addressComponentFilter: repeatedPairs(
    'A component and a value of it, such as us_state_2020:06. Repeat the same component for OR, and another one for AND.',
    'us_state_2020:23',
  ),
  boundingBoxFilter: text(
    'Features whose point lies inside a box in degrees, edges included: west,south,east,north. A west edge greater than the east edge crosses the antimeridian.',
    ['-125,32,-114,42'],
  ),
  polygon: polygonParameter('Features whose point lies', 'boundingBoxFilter'),
  circle: circleParameter('Features whose point lies', 'boundingBoxFilter or polygon'),
  existedInDateRange: text(
    'Features that existed on at least one of these days, both included: start/end. A side may be empty or `..`.',
    ['2020-01-01/2020-12-31'],
  ),
});
export type LayerFeaturesQuery = Static<typeof LayerFeaturesQuerySchema>;

const degrees = (description: string, most: number) =>
  Type.Number({ description, [CHECKED_LATER]: { minimum: -most, maximum: most } });

/** unacast.catalog.v1.SearchLayerFeaturesRequest */
export const SearchLayerFeaturesRequestSchema = closed(
  {
    catalogId: text('The catalog. If given, the same as in the URL.'),
    layerId: text('The layer. If given, the same as in the URL.'),
    ...featureSearch,
    addressComponentFilter: componentFilters('Features with one of the values of each component.'),
    boundingBoxFilter: Type.Optional(
      closed(
        {
          west: degrees(
            'The west edge. Greater than the east edge: the box crosses the antimeridian.',
            180,
          ),
          north: degrees('The north edge.', 90),
          east: degrees('The east edge.', 180),
          south: degrees('The south edge.', 90),
        },
        {
          title: 'FeatureBoundingBox',
          description: 'Features whose point lies inside the box, in degrees, edges included.',
        },
      ),
    ),
    polygonFilter: Type.Optional(PolygonSchema),
    circleFilter: Type.Optional(CircleSchema),
    existedInDateRange: Type.Optional(
      closed(
        {
          startDate: text('The first day, YYYY-MM-DD. Absent: open.'),
          endDate: text('The last day, YYYY-MM-DD. Absent: open.'),
        },
        {
          title: 'ExistenceRange',
          description: 'Features that existed on at least one of these days.',
        },
      ),
    ),
  },
  { title: 'SearchLayerFeaturesRequest' },
);
export type SearchLayerFeaturesRequest = Static<typeof SearchLayerFeaturesRequestSchema>;

/** The parameters of `GET /v1/catalogs/{catalogId}/addressComponents/{component}/values`. */
export const ComponentValuesQuerySchema = closed({
  billingContext,
  query: text(
    'Text that the value, its short name or its display name contains, ignoring case and diacritics. Values equal to it come first, then those that start with it. Absent: all values.',
    ['maine'],
  ),
  valueIds: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: FILTER_VALUES_MAX,
      description: 'The values to look up. Absent: all values.',
    }),
  ),
  freeFormTarget: text('Changes nothing.'),
  pageSize,
  pageToken,
});
export type ComponentValuesQuery = Static<typeof ComponentValuesQuerySchema>;

/** The parameters of `GET /v1/catalogs/{catalogId}/dimensions/{dimensionId}/values`. */
export const DimensionValuesQuerySchema = closed({
  billingContext,
  query: text(
    'Text that the value or its display name contains, ignoring case and diacritics. Absent: all values.',
  ),
  pageSize,
  pageToken,
});
export type DimensionValuesQuery = Static<typeof DimensionValuesQuerySchema>;
