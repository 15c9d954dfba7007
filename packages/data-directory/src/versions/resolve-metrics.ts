import { findAddressComponent, type Layer } from '@locmetrics/core/domain/layer';
import { type Metric, metricName } from '@locmetrics/core/domain/metric';
import type { DatasetVersion, LayerVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { combineVersions } from '@locmetrics/core/domain/version-name';
import { compareUtf8 } from '@locmetrics/core/text/text-order';

/** The layers and metrics of a set of dataset versions. */
export type ResolvedMetrics = {
  /** By layer id, sorted. */
  readonly layers: ReadonlyMap<string, LayerVersion>;
  /** The complete metrics by `metricName`, sorted. */
  readonly metrics: ReadonlyMap<string, MetricVersion>;
  /** The other metrics, sorted by name. */
  readonly incomplete: readonly IncompleteMetric[];
};

export type IncompleteMetric = {
  readonly metric: Metric;
  /** Everything that is missing, in whole sentences. */
  readonly reason: string;
};

/**
 * Joins metrics with their layers, given one version of each dataset. A metric is complete if its layers
 * exist, with the components of its default filters.
 *
 * If two datasets declare the same layer or metric, the first dataset by name wins. A publish refuses such
 * a state, so this rule only makes the result deterministic.
 *
 * Layers and metrics are part of the versions of the dataset that declares them, so a publish switches all of them
 * together, and a version can be read without its manifest. They are joined here and not at the publish, so datasets
 * can be published one by one. A publish that would end a served metric is refused.
 */
export function resolveMetrics(versions: Iterable<DatasetVersion>): ResolvedMetrics {
  const inOrder = [...versions].sort((left, right) =>
    compareUtf8(left.dataset.name, right.dataset.name),
  );
  const layers = byName(
    inOrder.flatMap((features) =>
      features.layers.map((layer): [string, LayerVersion] => [layer.id, { layer, features }]),
    ),
  );
  const declared = byName(
    inOrder.flatMap((values) =>
      values.metrics.map((metric): [string, DeclaredMetric] => [
        metricName(metric),
        { metric, values },
      ]),
    ),
  );
  const metrics = new Map<string, MetricVersion>();
  const incomplete: IncompleteMetric[] = [];
  for (const [name, { metric, values }] of declared) {
    const layer = layers.get(metric.layerId);
    const relatedLayer =
      metric.related === undefined ? undefined : layers.get(metric.related.layerId);
    const missing = listMissing(metric, layer?.layer, relatedLayer?.layer);
    if (layer === undefined || missing.length > 0) {
      incomplete.push({ metric, reason: missing.join(' ') });
    } else {
      metrics.set(name, toMetricVersion({ metric, values, layer, relatedLayer }));
    }
  }
  return { layers, metrics, incomplete };
}

type DeclaredMetric = { readonly metric: Metric; readonly values: DatasetVersion };

/** Sorted by name; the first entry of each name wins. */
function byName<Named>(entries: readonly (readonly [string, Named])[]): ReadonlyMap<string, Named> {
  const named = new Map<string, Named>();
  for (const [name, value] of entries) if (!named.has(name)) named.set(name, value);
  return new Map([...named].sort(([left], [right]) => compareUtf8(left, right)));
}

function listMissing(
  metric: Metric,
  layer: Layer | undefined,
  relatedLayer: Layer | undefined,
): readonly string[] {
  const missing: string[] = [];
  if (layer === undefined)
    missing.push(`No published dataset declares its layer '${metric.layerId}'.`);
  if (metric.related !== undefined && relatedLayer === undefined) {
    missing.push(`No published dataset declares its related layer '${metric.related.layerId}'.`);
  }
  if (layer === undefined) return missing;
  for (const { component } of metric.defaultFilters) {
    const found = findAddressComponent(layer, component);
    if (found === undefined) {
      missing.push(
        `Its layer '${layer.id}' has no component '${component}', which its default filters name.`,
      );
    } else if (found.kind === 'free_form') {
      missing.push(
        `The component '${component}' of its layer '${layer.id}' is free_form, but its default filters name it.`,
      );
    }
  }
  return missing;
}

function toMetricVersion({
  metric,
  values,
  layer,
  relatedLayer,
}: DeclaredMetric & {
  readonly layer: LayerVersion;
  readonly relatedLayer: LayerVersion | undefined;
}): MetricVersion {
  const parts = [values, layer.features];
  if (relatedLayer !== undefined) parts.push(relatedLayer.features);
  return {
    metric,
    values,
    layer,
    ...(relatedLayer === undefined ? {} : { relatedLayer }),
    version: combineVersions(parts.map(({ version }) => version)),
  };
}
