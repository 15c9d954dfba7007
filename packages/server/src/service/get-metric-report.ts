import type { MetricExtent } from '../domain/metric-extent.ts';
import type { MetricRequest } from '../domain/metric-request.ts';
import type { AppliedFilters } from '../domain/metric-value.ts';
import { appliedFilters, selectFilters } from '../plan/applied-filters.ts';
import { metricTemplate } from '../plan/metric-template.ts';
import { getMetric } from './get-metric.ts';
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
  const { dimensions } = metricTemplate(version).granted;
  const filters = selectFilters(NO_FILTERS, version);
  const applied = appliedFilters({ request: NO_FILTERS, version, filters });
  return { extent, appliedFilters: { ...applied, dimensions } };
}

const NONE = { sent: [], merged: [] } as const;

const NO_FILTERS = {
  featureFilter: [],
  observationPeriodFilter: {},
  addressComponentFilter: NONE,
  dimensionFilter: NONE,
  relatedFeatureFilter: [],
  relatedAddressComponentFilter: NONE,
  valueFilter: [],
} as const;
