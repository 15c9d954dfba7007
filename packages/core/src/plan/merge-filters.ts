import type { AddressComponentFilter } from '../domain/metric.ts';
import type { DimensionFilter } from '../domain/metric-value.ts';
import type { GeoCircle } from '../geometry/circle.ts';
import type { GeoPolygon } from '../geometry/polygon.ts';
import type { SearchMetricValuesRequest } from '../requests/metric-request.ts';

/** Filters that may repeat a name, and the same filters merged. */
export type MergedFilters<Filter> = {
  /** A refusal points to its place in this list. */
  readonly sent: readonly Filter[];
  /** One filter for each name, in the order of their first use, without duplicate values. */
  readonly merged: readonly Filter[];
};

/** A request for metric values, merged once for everything that reads its filters. */
export type MergedMetricRequest = Omit<SearchMetricValuesRequest, keyof MergedLists> &
  MergedLists &
  OnlyOfAggregates;

type OnlyOfAggregates = {
  readonly polygonFilter?: GeoPolygon | undefined;
  readonly circleFilter?: GeoCircle | undefined;
};

type MergedLists = {
  readonly addressComponentFilter: MergedFilters<AddressComponentFilter>;
  readonly dimensionFilter: MergedFilters<DimensionFilter>;
  readonly relatedAddressComponentFilter: MergedFilters<AddressComponentFilter>;
};

export function mergeMetricRequest(
  request: SearchMetricValuesRequest & OnlyOfAggregates,
): MergedMetricRequest {
  return {
    ...request,
    addressComponentFilter: mergeComponents(request.addressComponentFilter),
    dimensionFilter: mergeDimensions(request.dimensionFilter),
    relatedAddressComponentFilter: mergeComponents(request.relatedAddressComponentFilter),
  };
}

export function mergeComponents(
  sent: readonly AddressComponentFilter[],
): MergedFilters<AddressComponentFilter> {
  const merged = [...Map.groupBy(sent, componentOf)];
  return {
    sent,
    merged: merged.map(([component, same]) => ({ component, values: valuesOf(same) })),
  };
}

export function mergeDimensions(sent: readonly DimensionFilter[]): MergedFilters<DimensionFilter> {
  const merged = [...Map.groupBy(sent, dimensionOf)];
  return {
    sent,
    merged: merged.map(([dimensionId, same]) => ({ dimensionId, values: valuesOf(same) })),
  };
}

export function componentOf({ component }: AddressComponentFilter): string {
  return component;
}

export function dimensionOf({ dimensionId }: DimensionFilter): string {
  return dimensionId;
}

function valuesOf(filters: readonly { readonly values: readonly string[] }[]): readonly string[] {
  return [...new Set(filters.flatMap(({ values }) => values))];
}
