import { metricName } from '../domain/metric.ts';
import type { MetricVersion } from '../domain/version.ts';
import { planExtent } from '../plan/plan-metric-values.ts';
import type { Engine, Extent } from '../storage/engine.ts';

/**
 * The extents of the values of metrics that pass the default filters. Versions are immutable, so each
 * extent is queried once; a cache keeps the most recently used ones.
 */
export type MetricExtents = {
  readonly read: (version: MetricVersion, signal: AbortSignal) => Promise<MetricExtent>;
};

export type MetricExtent = Extent & {
  /** Whether every record of the version passes the default filters. */
  readonly isWhole: boolean;
};

const KEPT_MAX = 10_000;

export function openMetricExtents(engine: Engine): MetricExtents {
  const kept = new Map<string, MetricExtent>();
  return {
    read: async (version, signal) => {
      const key = JSON.stringify([metricName(version.metric), version.version, rightsOf(version)]);
      const known = kept.get(key);
      if (known !== undefined) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const extent = await engine.run(planExtent(version), signal);
      const { values } = version;
      const rowCount =
        values.rowCount ??
        (await engine.run({ kind: 'count', version: values, predicates: [] }, signal));
      const read = { ...extent, isWhole: extent.count === rowCount };
      kept.set(key, read);
      if (kept.size > KEPT_MAX) kept.delete([...kept.keys()][0] ?? '');
      return read;
    },
  };
}

/** The part of the rights that decides which values are visible. */
function rightsOf({ grant, values, layer, relatedLayer }: MetricVersion): unknown {
  if (grant === undefined) return [];
  const withheld = [values, layer.features, relatedLayer?.features].map((part) =>
    (part?.narrowing?.suppressed ?? []).map(({ name, suppressBelow }) => [name, suppressBelow]),
  );
  return [grant.filters, grant.lens, grant.fields ?? 'all', withheld];
}
