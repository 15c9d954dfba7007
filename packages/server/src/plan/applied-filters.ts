import { WHOLE_LENS } from '../domain/grant.ts';
import type { AddressComponentFilter } from '../domain/metric.ts';
import type { SearchMetricValuesRequest } from '../domain/metric-request.ts';
import type { AppliedFilters, DimensionFilter } from '../domain/metric-value.ts';
import type { MetricVersion } from '../domain/version.ts';
import { mergeFilters } from './plan-feature-filters.ts';
import { hasExistence } from './plan-layer.ts';
import { applyDimensionDefaults } from './plan-metric-filters.ts';

type MetricFilters = Pick<
  SearchMetricValuesRequest,
  | 'featureFilter'
  | 'observationPeriodFilter'
  | 'addressComponentFilter'
  | 'dimensionFilter'
  | 'relatedFeatureFilter'
  | 'relatedAddressComponentFilter'
  | 'valueFilter'
>;

/**
 * The filters that are applied to a request: its own, the defaults of the metric, and those of the caller's
 * grant. If two filters are on the same component, both apply.
 */
export function appliedFilters(request: MetricFilters, version: MetricVersion): AppliedFilters {
  const { metric, layer, grant } = version;
  const lens = grant?.lens ?? WHOLE_LENS;
  const own = mergeFilters(request.addressComponentFilter);
  const periods = [request.observationPeriodFilter, lens.period];
  return {
    periods: periods.filter(({ start, end }) => start !== undefined || end !== undefined),
    dimensions: addDimensions(
      applyDimensionDefaults(request.dimensionFilter, metric),
      grantedDimensions(version),
    ),
    addressComponents: addFilters(
      addFilters(own, standingFilters(version, own)),
      onlySeen(lens.addressComponents, layer.layer.addressComponents),
    ),
    features: addIds(request.featureFilter, lens.features),
    relatedFeatures: addIds(request.relatedFeatureFilter, lens.relatedFeatures),
    values: request.valueFilter,
    relatedAddressComponents: addFilters(
      mergeFilters(request.relatedAddressComponentFilter),
      onlySeen(lens.relatedAddressComponents, version.relatedLayer?.layer.addressComponents ?? []),
    ),
    isTrimmed: hasExistence(layer.layer),
  };
}

/** The dimension filters of the caller's grant, without those of hidden dimensions. */
export function grantedDimensions({ metric, grant }: MetricVersion): readonly DimensionFilter[] {
  return (grant?.lens.dimensions ?? []).filter(({ dimensionId }) =>
    metric.dimensions.some((seen) => seen.dimensionId === dimensionId),
  );
}

/** The default filters that apply together with those of a request. */
export function standingFilters(
  { metric, grant }: MetricVersion,
  requested: readonly AddressComponentFilter[],
): readonly AddressComponentFilter[] {
  const isLifted = grant?.liftsDefaultFilters ?? false;
  return metric.defaultFilters.filter(
    ({ component }) => !isLifted || !requested.some((filter) => filter.component === component),
  );
}

/** A hidden component is not shown, even if the grant filters by it. */
function onlySeen(
  filters: readonly AddressComponentFilter[],
  seen: readonly { readonly component: string }[],
): readonly AddressComponentFilter[] {
  return mergeFilters(filters).filter((filter) =>
    seen.some(({ component }) => component === filter.component),
  );
}

function addFilters(
  filters: readonly AddressComponentFilter[],
  others: readonly AddressComponentFilter[],
): readonly AddressComponentFilter[] {
  const isKnown = (other: AddressComponentFilter): boolean =>
    filters.some(
      ({ component, values }) => component === other.component && areSame(values, other.values),
    );
  return [...filters, ...others.filter((other) => !isKnown(other))];
}

function addDimensions(
  filters: readonly DimensionFilter[],
  others: readonly DimensionFilter[],
): readonly DimensionFilter[] {
  const isNew = ({ dimensionId, values }: DimensionFilter): boolean =>
    !filters.some((filter) => filter.dimensionId === dimensionId && areSame(filter.values, values));
  return [...filters, ...others.filter(isNew)];
}

/** The ids in both lists; if there are none, the requested ids, or the granted ones if none are requested. */
function addIds(ids: readonly string[], granted: readonly string[]): readonly string[] {
  const both = ids.filter((id) => granted.includes(id));
  return [...new Set(ids.length === 0 ? granted : both.length === 0 ? ids : both)];
}

function areSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value) => right.includes(value));
}
