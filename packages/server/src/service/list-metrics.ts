import type { ListMetricsRequest } from '../domain/metric-request.ts';
import { planPageSize } from '../plan/plan-page.ts';
import { catalogVersion, metricsOf } from './find-in-catalog.ts';
import { findPinned } from './find-pinned.ts';
import type { MetricDescription } from './get-metric.ts';
import { finishPage, type PageEnd, runPage, startPage } from './page-steps.ts';
import type { Call, ServiceContext } from './service-context.ts';

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
  return runPage(context, call, start, async (signal) => {
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
    const { nextPageToken } = await finishPage(start, {
      version: pinned.version,
      found: { hasMore: matching.length > last, positionAt: (index) => first + index + 1 },
      rowCount: metrics.length,
      writePosition: (position) => [position],
      count: undefined,
    });
    return { metrics, nextPageToken };
  });
}
