import type { CatalogSnapshot } from '../catalog/open-catalog.ts';
import type { LayerVersion } from '../domain/layer.ts';
import { type MetricVersion, metricName } from '../domain/metric.ts';
import { nameHint } from '../domain/nearest-name.ts';
import { ServiceError } from '../domain/service-error.ts';

/** The ids of the catalogs: those that a metric is in. */
export function catalogIds({ metrics }: CatalogSnapshot): readonly string[] {
  return [...new Set([...metrics.values()].map(({ metric }) => metric.catalogId))];
}

/** The metrics of a catalog, in the order of their ids. Refuses a catalog that does not exist. */
export function metricsOf(snapshot: CatalogSnapshot, catalogId: string): readonly MetricVersion[] {
  const found = [...snapshot.metrics.values()].filter(
    ({ metric }) => metric.catalogId === catalogId,
  );
  if (found.length > 0) return found;
  throw notFound('CATALOG_NOT_FOUND', {
    what: 'catalog',
    owner: 'There is no',
    id: catalogId,
    known: catalogIds(snapshot),
    pointer: '/catalogId',
  });
}

export function findMetric(
  snapshot: CatalogSnapshot,
  { catalogId, metricId }: { readonly catalogId: string; readonly metricId: string },
): MetricVersion {
  const found = snapshot.metrics.get(metricName({ catalogId, metricId }));
  if (found !== undefined) return found;
  throw notFound('METRIC_NOT_FOUND', {
    what: 'metric',
    owner: `The catalog '${catalogId.slice(0, 100)}' has no`,
    id: metricId,
    known: metricsOf(snapshot, catalogId).map(({ metric }) => metric.metricId),
    pointer: '/metricId',
  });
}

/** The layers that the metrics of a catalog are about, in the order the metrics name them. */
export function layersOf(snapshot: CatalogSnapshot, catalogId: string): readonly LayerVersion[] {
  const layers = new Map<string, LayerVersion>();
  for (const { layer, relatedLayer } of metricsOf(snapshot, catalogId)) {
    layers.set(layer.layer.id, layer);
    if (relatedLayer !== undefined) layers.set(relatedLayer.layer.id, relatedLayer);
  }
  return [...layers.values()];
}

export function findLayer(
  snapshot: CatalogSnapshot,
  { catalogId, layerId }: { readonly catalogId: string; readonly layerId: string },
): LayerVersion {
  const layers = layersOf(snapshot, catalogId);
  const found = layers.find(({ layer }) => layer.id === layerId);
  if (found !== undefined) return found;
  throw notFound('LAYER_NOT_FOUND', {
    what: 'layer',
    owner: `The catalog '${catalogId.slice(0, 100)}' has no`,
    id: layerId,
    known: layers.map(({ layer }) => layer.id),
    pointer: '/layerId',
  });
}

function notFound(
  reason: 'CATALOG_NOT_FOUND' | 'METRIC_NOT_FOUND' | 'LAYER_NOT_FOUND',
  {
    what,
    owner,
    id,
    known,
    pointer,
  }: {
    readonly what: string;
    /** The start of a sentence that `what` and the id go on with. */
    readonly owner: string;
    readonly id: string;
    readonly known: readonly string[];
    readonly pointer: string;
  },
): ServiceError {
  const message =
    id === '' ? `The id of the ${what} is missing.` : `${owner} ${what} '${id.slice(0, 200)}'.`;
  return ServiceError.atPointer(reason, pointer, message, nameHint(id, known));
}
