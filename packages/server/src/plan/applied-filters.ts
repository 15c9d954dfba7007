import type { AddressComponentFilter, MetricVersion } from '../domain/metric.ts';
import type { SearchMetricValuesRequest } from '../domain/metric-request.ts';
import type { AppliedFilters } from '../domain/metric-value.ts';
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

/** The filters that make the answer to a request: its own, and the defaults of the metric. */
export function appliedFilters(
  request: MetricFilters,
  { metric, layer }: MetricVersion,
): AppliedFilters {
  const { start, end } = request.observationPeriodFilter;
  const own = mergeFilters(request.addressComponentFilter);
  return {
    periods: start === undefined && end === undefined ? [] : [request.observationPeriodFilter],
    dimensions: applyDimensionDefaults(request.dimensionFilter, metric),
    // A default beside a filter of the request on the same component: both hold.
    addressComponents: [
      ...own,
      ...metric.defaultFilters.filter((standing) => !own.some((filter) => same(filter, standing))),
    ],
    features: [...new Set(request.featureFilter)],
    relatedFeatures: [...new Set(request.relatedFeatureFilter)],
    values: request.valueFilter,
    relatedAddressComponents: mergeFilters(request.relatedAddressComponentFilter),
    isTrimmed: hasExistence(layer.layer),
  };
}

function same(left: AddressComponentFilter, right: AddressComponentFilter): boolean {
  return (
    left.component === right.component &&
    left.values.length === right.values.length &&
    left.values.every((value) => right.values.includes(value))
  );
}
