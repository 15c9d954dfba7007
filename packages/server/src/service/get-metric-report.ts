import type { MetricRequest } from '../domain/metric-request.ts';
import type { AppliedFilters } from '../domain/metric-value.ts';
import { appliedFilters, grantedDimensions } from '../plan/applied-filters.ts';
import { getMetric } from './get-metric.ts';
import type { MetricExtent } from './metric-extent.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type MetricReport = {
  readonly extent: MetricExtent;
  readonly appliedFilters: AppliedFilters;
};

/** The extent of the values of a metric, with the filters that always apply to them. */
export async function getMetricReport(
  context: ServiceContext,
  request: MetricRequest,
  call: Call,
): Promise<MetricReport> {
  const { version, extent } = await getMetric(context, request, call);
  // Default dimension values do not apply: the report covers all values that the caller may see.
  const dimensions = grantedDimensions(version);
  return { extent, appliedFilters: { ...appliedFilters(NO_FILTERS, version), dimensions } };
}

const NO_FILTERS = {
  featureFilter: [],
  observationPeriodFilter: {},
  addressComponentFilter: [],
  dimensionFilter: [],
  relatedFeatureFilter: [],
  relatedAddressComponentFilter: [],
  valueFilter: [],
} as const;
