import type { BoundingBox } from './bounding-box.ts';
import type { AddressComponentFilter } from './metric.ts';
import type { DimensionFilter, ValueFilter } from './metric-value.ts';
import type { PeriodFilter } from './period.ts';

/*
 * The requests of the metric query interface, parsed by an edge and not yet checked. An empty text means
 * absent.
 */

export type SearchMetricValuesRequest = {
  readonly catalogId: string;
  readonly metricId: string;
  /** Required: empty is refused. */
  readonly billingContext: string;
  /** Whether the total is counted; a number: counted up to that number. */
  readonly trackTotalHits: boolean | number;
  readonly featureFilter: readonly string[];
  readonly observationPeriodFilter: PeriodFilter;
  readonly addressComponentFilter: readonly AddressComponentFilter[];
  readonly dimensionFilter: readonly DimensionFilter[];
  readonly relatedFeatureFilter: readonly string[];
  readonly relatedAddressComponentFilter: readonly AddressComponentFilter[];
  readonly valueFilter: readonly ValueFilter[];
  readonly invertSortOrder: boolean;
  readonly bestEffortQueryWhenNotAllowed: boolean;
  readonly pageSize: number;
  readonly pageToken: string;
  readonly asOf: string;
  readonly countOnly: boolean;
};

export type SearchLayerFeaturesRequest = {
  readonly catalogId: string;
  readonly layerId: string;
  readonly billingContext: string;
  readonly featureFilter: readonly string[];
  readonly addressComponentFilter: readonly AddressComponentFilter[];
  readonly boundingBoxFilter?: BoundingBox | undefined;
  /** Ranks the features without leaving any out. */
  readonly query: string;
  /** The features that existed at some time in this span. */
  readonly existedInDateRange: PeriodFilter;
  /** The components to return with the features; empty means all. */
  readonly addressComponentWhitelist: readonly string[];
  readonly pageSize: number;
  readonly pageToken: string;
};

export type SearchAddressComponentValuesRequest = {
  readonly catalogId: string;
  readonly component: string;
  readonly query: string;
  /** Only these values; empty means all. */
  readonly valueIds: readonly string[];
  readonly freeFormTarget: string;
  readonly pageSize: number;
  readonly pageToken: string;
};

export type SearchDimensionValuesRequest = {
  readonly catalogId: string;
  readonly dimensionId: string;
  readonly query: string;
  readonly pageSize: number;
  readonly pageToken: string;
};

export type ListMetricsRequest = {
  readonly catalogId: string;
  readonly billingContext: string;
  /** Only metrics of these layers; empty means all. */
  readonly layerFilter: readonly string[];
  /** Every metric is available, so a list without `ALL` matches none. */
  readonly availabilityFilter: readonly Availability[];
  readonly pageSize: number;
  readonly pageToken: string;
};

export const AVAILABILITIES = ['ALL', 'DELIVERY_ONLY'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export type MetricRequest = {
  readonly catalogId: string;
  readonly metricId: string;
  readonly billingContext: string;
};

export type GetLayerRequest = { readonly catalogId: string; readonly layerId: string };
