import type { DatasetVersion } from '../../domain/version.ts';
import type { ResolvedMetrics } from '../../versions/resolve-metrics.ts';
import { type MetricNotice, metricNotice } from '../problems/metric-notice.ts';

/** The metrics of this publish, by their values or layers, that cannot be served yet. */
export function listIncompleteMetrics(
  published: readonly DatasetVersion[],
  { incomplete }: ResolvedMetrics,
): readonly MetricNotice[] {
  return incomplete.flatMap(({ metric, reason }) => {
    const needed = [metric.layerId, metric.related?.layerId];
    const owner =
      published.find(({ metrics }) => metrics.includes(metric)) ??
      published.find(({ layers }) => layers.some(({ id }) => needed.includes(id)));
    if (owner === undefined) return [];
    return [metricNotice(metric, owner, `not served yet. ${reason} Publish what is missing too.`)];
  });
}
