import type { PeriodFilter } from '../dates/period.ts';
import type { AddressComponentFilter } from '../domain/metric.ts';
import type { DimensionFilter, ValueFilter } from '../domain/metric-value.ts';
import type { BoundingBox } from '../geometry/bounding-box.ts';
import type { GeoCircle } from '../geometry/circle.ts';
import type { GeoPolygon } from '../geometry/polygon.ts';
import type { TileAddress } from '../geometry/tile.ts';

/*
 * The requests of the metric query interface, parsed by an edge and not yet checked. An empty text means
 * absent.
 */

/** The page that is asked for. */
export type Paging = { readonly pageSize: number; readonly pageToken: string };

export type MetricRequest = {
  readonly catalogId: string;
  readonly metricId: string;
  /** Required for values: empty is refused. */
  readonly billingContext: string;
};

export type GetLayerRequest = { readonly catalogId: string; readonly layerId: string };

export type ReadLayerTileRequest = GetLayerRequest & {
  readonly tile: TileAddress;
  readonly billingContext: string;
  /** The metric whose values the features have; empty: none. */
  readonly metricId: string;
  /** The first day of the period of the values, and its last; neither: the last period. */
  readonly period: PeriodFilter;
  readonly dimensionFilter: readonly DimensionFilter[];
};

export type SearchMetricValuesRequest = MetricRequest &
  Paging & {
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
    readonly asOf: string;
    readonly countOnly: boolean;
    /** The components to return with the features: empty means all, and only an empty text means none. */
    readonly addressComponentWhitelist: readonly string[];
    /** Whether to leave out the points of the features. */
    readonly skipGeo: boolean;
  };

export type SearchLayerFeaturesRequest = GetLayerRequest &
  Paging & {
    readonly billingContext: string;
    readonly featureFilter: readonly string[];
    readonly addressComponentFilter: readonly AddressComponentFilter[];
    readonly boundingBoxFilter?: BoundingBox | undefined;
    /** At most one of the box, the polygon and the circle. */
    readonly polygonFilter?: GeoPolygon | undefined;
    readonly circleFilter?: GeoCircle | undefined;
    /** Ranks the features without leaving any out. */
    readonly query: string;
    /** The features that existed at some time in this span. */
    readonly existedInDateRange: PeriodFilter;
    /** The components to return with the features; empty means all. */
    readonly addressComponentWhitelist: readonly string[];
    /** Whether the outlines of the features are left out. */
    readonly skipPolygon: boolean;
  };

export type SearchAddressComponentValuesRequest = Paging & {
  readonly catalogId: string;
  readonly component: string;
  readonly query: string;
  /** Only these values; empty means all. */
  readonly valueIds: readonly string[];
  readonly freeFormTarget: string;
};

export type SearchDimensionValuesRequest = Paging & {
  readonly catalogId: string;
  readonly dimensionId: string;
  readonly query: string;
};

export type ListMetricsRequest = Paging & {
  readonly catalogId: string;
  readonly billingContext: string;
  /** Only metrics of these layers; empty means all. */
  readonly layerFilter: readonly string[];
  /** Every metric is available, so a list without `ALL` matches none. */
  readonly availabilityFilter: readonly Availability[];
};

export const AVAILABILITIES = ['ALL', 'DELIVERY_ONLY'] as const;
export type Availability = (typeof AVAILABILITIES)[number];
