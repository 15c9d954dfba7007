import type { DatasetVersion } from '../domain/dataset.ts';
import { findAddressComponent, type Layer, type LayerVersion } from '../domain/layer.ts';
import { type Metric, type MetricVersion, metricName } from '../domain/metric.ts';
import { compareUtf8 } from '../domain/text-order.ts';
import { combineVersions } from '../domain/version-name.ts';

/** What versions of datasets give together. */
export type ResolvedMetrics = {
  /** By the id of the layer, in the order of the ids. */
  readonly layers: ReadonlyMap<string, LayerVersion>;
  /** The complete ones by `metricName`, in the order of the names. */
  readonly metrics: ReadonlyMap<string, MetricVersion>;
  /** The others, in the order of their names. */
  readonly incomplete: readonly IncompleteMetric[];
};

export type IncompleteMetric = {
  readonly metric: Metric;
  /** Everything that is missing, in whole sentences. */
  readonly reason: string;
};

/**
 * Joins metrics to their layers in one state of the datasets, with one version of each. A metric is
 * complete when its layers are there, with the components that its default filters name.
 *
 * Where a layer or a metric is declared over two datasets, the first dataset by name has it: a
 * publish refuses such a state, so that this only keeps the answer from changing.
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

/** In the order of the names; the first of one name stays. */
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
