import type { MetricExtent } from '@locmetrics/core/domain/metric-extent';
import type { AppliedFilters } from '@locmetrics/core/domain/metric-value';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { appliedFilters, selectFilters } from '@locmetrics/core/plan/applied-filters';
import { metricTemplate } from '@locmetrics/core/plan/metric-template';
import { planPageSize } from '@locmetrics/core/plan/plan-page';
import type { ListMetricsRequest, MetricRequest } from '@locmetrics/core/requests/metric-request';
import { checkBillingContext } from '../../auth/billing-context.ts';
import { catalogVersion, findMetric, metricsOf } from '../find-in-catalog.ts';
import { findPinned } from '../find-version.ts';
import { finishPage, type PageEnd, startPage, takeSlot } from '../page-steps.ts';
import { runUntilDeadline } from '../queries/run-until-deadline.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** The current version of a metric, with the extent of its values. */
export type MetricDescription = {
  readonly version: MetricVersion;
  readonly extent: MetricExtent;
};

/** Gets one metric. Its report (SearchMetricReport) has the same extent. */
export async function getMetric(
  context: ServiceContext,
  request: MetricRequest,
  call: Call,
): Promise<MetricDescription> {
  checkBillingContext(call.caller, request.billingContext);
  const version = findMetric(context.catalogFor(call.caller).snapshot(), request);
  const extent = context.extents.known(version);
  if (extent !== undefined) return { version, extent };
  return runUntilDeadline(
    { callerSignal: call.signal, timeoutMs: context.queryTimeoutMs },
    async (signal) => ({ version, extent: await context.extents.read(version, signal) }),
  );
}

export type ListMetricsResult = Pick<PageEnd, 'nextPageToken'> & {
  readonly metrics: readonly MetricDescription[];
};

/** A page of the metrics of a catalog, in the order of their ids. */
export async function listMetrics(
  context: ServiceContext,
  request: ListMetricsRequest,
  call: Call,
): Promise<ListMetricsResult> {
  const { catalogFor, extents } = context;
  const { catalogId, layerFilter, availabilityFilter } = request;
  const parts = () => ['listMetrics', catalogId, layerFilter, availabilityFilter];
  const start = startPage(context, call, { ...request, parts });
  const { token } = start;
  const pinned = findPinned(catalogFor(call.caller), token, (snapshot) => ({
    metrics: metricsOf(snapshot, catalogId),
    version: catalogVersion(snapshot, catalogId),
  }));
  const isAvailable = availabilityFilter.length === 0 || availabilityFilter.includes('ALL');
  const slot = await takeSlot(context, call, start);
  try {
    const { signal } = slot;
    const matching = pinned.metrics.filter(
      ({ layer }) =>
        isAvailable && (layerFilter.length === 0 || layerFilter.includes(layer.layer.id)),
    );
    const first = token === undefined ? 0 : Number(token.position[0]);
    const last = first + planPageSize(request.pageSize);
    const metrics: MetricDescription[] = [];
    for (const version of matching.slice(first, last)) {
      metrics.push({ version, extent: await extents.read(version, signal) });
    }
    const { nextPageToken } = finishPage(start, {
      version: pinned.version,
      found: { hasMore: matching.length > last, positionAt: (index) => first + index + 1 },
      rowCount: metrics.length,
      totalSize: 0,
      writePosition: (position) => [position],
    });
    return { metrics, nextPageToken };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

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
