import { metricName } from '@locmetrics/core/domain/metric';
import type { LayerVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { combineVersions } from '@locmetrics/core/domain/version-name';
import { unknownName } from '@locmetrics/core/errors/unknown-name';
import { uniteLayers } from '@locmetrics/core/plan/unite-layers';
import { memoize } from '@locmetrics/core/runtime/memoize';
import type { CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';

/** The ids of the catalogs. A catalog exists if it has a metric. */
export function catalogIds({ metrics }: CatalogSnapshot): readonly string[] {
  return [...new Set([...metrics.values()].map(({ metric }) => metric.catalogId))];
}

/** The metrics of a catalog, in the order of their ids. Refuses a catalog that does not exist. */
export function metricsOf(snapshot: CatalogSnapshot, catalogId: string): readonly MetricVersion[] {
  const found = [...snapshot.metrics.values()].filter(
    ({ metric }) => metric.catalogId === catalogId,
  );
  if (found.length > 0) return found;
  throw unknownName('CATALOG_NOT_FOUND', '/catalogId', {
    noun: 'catalog',
    name: catalogId,
    known: catalogIds(snapshot),
  });
}

/** The version of a catalog combines those of its metrics, which also determine its layers. */
export function catalogVersion(snapshot: CatalogSnapshot, catalogId: string): string {
  return combineVersions(metricsOf(snapshot, catalogId).map(({ version }) => version));
}

export function findMetric(
  snapshot: CatalogSnapshot,
  { catalogId, metricId }: { readonly catalogId: string; readonly metricId: string },
  pointer = '/metricId',
): MetricVersion {
  const found = snapshot.metrics.get(metricName({ catalogId, metricId }));
  if (found !== undefined) return found;
  const known = metricsOf(snapshot, catalogId).map(({ metric }) => metric.metricId);
  const owner = `the catalog '${catalogId}'`;
  throw unknownName('METRIC_NOT_FOUND', pointer, {
    noun: 'metric',
    owner,
    name: metricId,
    known,
  });
}

/** The layers of the metrics of a catalog, in the order in which the metrics name them. */
export function layersOf(snapshot: CatalogSnapshot, catalogId: string): readonly LayerVersion[] {
  return unitedLayers(snapshot)(catalogId);
}

/** Each layer is united once for a view, so that what is read of it can be kept. */
const unitedLayers = memoize((snapshot: CatalogSnapshot) =>
  memoize((catalogId: string) => uniteAll(snapshot, catalogId), CATALOGS_MAX),
);

const CATALOGS_MAX = 100;

function uniteAll(snapshot: CatalogSnapshot, catalogId: string): readonly LayerVersion[] {
  const layers = new Map<string, readonly LayerVersion[]>();
  for (const { layer, relatedLayer } of metricsOf(snapshot, catalogId)) {
    for (const seen of relatedLayer === undefined ? [layer] : [layer, relatedLayer]) {
      layers.set(seen.layer.id, [...(layers.get(seen.layer.id) ?? []), seen]);
    }
  }
  return [...layers.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [uniteLayers(first, others)],
  );
}

export function findLayer(
  snapshot: CatalogSnapshot,
  { catalogId, layerId }: { readonly catalogId: string; readonly layerId: string },
): LayerVersion {
  const layers = layersOf(snapshot, catalogId);
  const found = layers.find(({ layer }) => layer.id === layerId);
  if (found !== undefined) return found;
  throw unknownName('LAYER_NOT_FOUND', '/layerId', {
    noun: 'layer',
    owner: `the catalog '${catalogId}'`,
    name: layerId,
    known: layers.map(({ layer }) => layer.id),
  });
}
