import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import type { MetricExtent } from '@locmetrics/core/domain/metric-extent';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { partsOf } from '@locmetrics/data-directory/versions/published-extents';
import type { CountExtents } from '@locmetrics/ingest/publish/publish-datasets';
import { queryExtent } from '@locmetrics/server/service/extents';

/** Counts with the plan and the engine of the service, so that both mean the same. */
export const countExtents: CountExtents = async (
  metrics,
  { signal = new AbortController().signal, ...options },
) => {
  const extents = new Map<MetricVersion, MetricExtent>();
  if (metrics.length === 0) return extents;
  const engine = await openDuckdbEngine({ ...options, connectionsMax: 1, waitingMax: 1 });
  try {
    const counted = new Map<string, MetricExtent>();
    for (const version of metrics) {
      const key = questionOf(version);
      const extent = counted.get(key) ?? (await queryExtent(engine, version, signal));
      counted.set(key, extent);
      extents.set(version, extent);
    }
    return extents;
  } finally {
    await engine.close();
  }
};

/** Metrics over the same values often differ in nothing that their extent depends on. */
function questionOf(version: MetricVersion): string {
  const { featureId, layerId, period, related, defaultFilters } = version.metric;
  const parts = partsOf(version).map(({ dataset, version: name }) => [dataset.name, name]);
  return JSON.stringify([parts, featureId, layerId, period, related, defaultFilters]);
}
