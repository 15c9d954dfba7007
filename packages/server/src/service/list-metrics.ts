import type { ListMetricsRequest } from '../domain/metric-request.ts';
import type { PageToken } from '../domain/page-token.ts';
import { planPageSize } from '../plan/plan-page.ts';
import { catalogVersion, metricsOf } from './find-in-catalog.ts';
import { findPinned } from './find-pinned.ts';
import type { MetricDescription } from './get-metric.ts';
import { type NextPageToken, readPage } from './read-page.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type ListMetricsResult = {
  readonly metrics: readonly MetricDescription[];
  readonly nextPageToken: NextPageToken;
};

/** A page of the metrics of a catalog, in the order of their ids. */
export async function listMetrics(
  context: ServiceContext,
  request: ListMetricsRequest,
  call: Call,
): Promise<ListMetricsResult> {
  const { catalogFor, extents } = context;
  const { catalogId, layerFilter, availabilityFilter } = request;
  const page = {
    billingContext: request.billingContext,
    pageSize: request.pageSize,
    pageToken: request.pageToken,
    parts: ['listMetrics', catalogId, layerFilter, availabilityFilter],
    pin: (token: PageToken | undefined) =>
      findPinned(catalogFor(call.caller), token, (snapshot) => ({
        metrics: metricsOf(snapshot, catalogId),
        version: catalogVersion(snapshot, catalogId),
      })),
  };
  const isAvailable = availabilityFilter.length === 0 || availabilityFilter.includes('ALL');
  return readPage(context, call, page, async ({ pinned, token, nextPageToken }, signal) => {
    const matching = pinned.metrics.filter(
      ({ layer }) =>
        isAvailable && (layerFilter.length === 0 || layerFilter.includes(layer.layer.id)),
    );
    const start = token === undefined ? 0 : Number(token.position[0]);
    const end = start + planPageSize(request.pageSize);
    const metrics: MetricDescription[] = [];
    for (const version of matching.slice(start, end)) {
      metrics.push({ version, extent: await extents.read(version, signal) });
    }
    return {
      metrics,
      nextPageToken: nextPageToken({
        totalSize: 0,
        rowCount: metrics.length,
        hasMore: matching.length > end,
        positionAt: (index) => [start + index + 1],
      }),
    };
  });
}
