import type { Caller } from '@locmetrics/core/domain/caller';
import { findGrant, type Grant } from '@locmetrics/core/domain/grant';
import { metricName } from '@locmetrics/core/domain/metric';
import type { Rights } from '@locmetrics/core/domain/rights';
import type { DatasetVersion, LayerVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { type CurrentVersions, narrowDataset } from '@locmetrics/core/plan/narrow-dataset';
import { narrowMetric } from '@locmetrics/core/plan/narrow-metric';
import { memoize } from '@locmetrics/core/runtime/memoize';
import type { Catalog, CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';

/** A grant that does not fit a published dataset or metric. The grant does not show that one. */
export type UnusableGrant = {
  readonly organisationId: string;
  readonly grantId: string;
  /** The dataset or metric. */
  readonly name: string;
  /** A reason of the error table. */
  readonly problem: string;
};

/**
 * The catalog as a caller sees it: only the datasets and metrics of the grants, each narrowed by its
 * grant. Operations get no other catalog, so for them hidden data does not exist.
 *
 * Hidden records and small cells are excluded where an engine reads a version, not where a plan filters it: a plan
 * that never sees them cannot forget to exclude them.
 */
export type VisibleCatalog = (caller: Caller) => Catalog;

export function openVisibleCatalog(
  catalog: Catalog,
  onUnusable: (unusable: UnusableGrant) => void = () => {},
): VisibleCatalog {
  const known = new WeakMap<Rights, Catalog>();
  return ({ organisationId, rights }) => {
    let visible = known.get(rights);
    if (visible === undefined) {
      visible = narrowCatalog(catalog, { organisationId, grants: rights.grants, onUnusable });
      known.set(rights, visible);
    }
    return visible;
  };
}

/** An organisation with its rights. */
type Viewer = {
  readonly organisationId: string;
  readonly grants: readonly Grant[];
  readonly onUnusable: (unusable: UnusableGrant) => void;
};

/** Each version and snapshot is narrowed once, and kept while both it and the rights are in use. */
function narrowCatalog(catalog: Catalog, viewer: Viewer): Catalog {
  const viewWhile = memoize((current: CatalogSnapshot) => openView(viewer, current.datasets));
  const view = () => viewWhile(catalog.snapshot());
  const seeVersion = (version: DatasetVersion | undefined): DatasetVersion | undefined =>
    version === undefined ? undefined : view().dataset(version);
  return {
    snapshot: () => {
      const current = catalog.snapshot();
      return viewWhile(current).snapshot(current);
    },
    version: (datasetName, version) => seeVersion(catalog.version(datasetName, version)),
    isWithdrawn: catalog.isWithdrawn,
    versionOn: (datasetName, date) => seeVersion(catalog.versionOn(datasetName, date)),
    snapshots: function* () {
      for (const snapshot of catalog.snapshots()) yield view().snapshot(snapshot);
    },
    snapshotOn: (date) => view().snapshot(catalog.snapshotOn(date)),
  };
}

/** The view of a viewer. The current versions decide for older ones too: see `smallCells`. */
function openView(viewer: Viewer, current: CurrentVersions) {
  const dataset = memoize((version: DatasetVersion) =>
    see(viewer, version.dataset.name, (grant) => narrowDataset(version, grant, current)),
  );
  const metric = memoize((version: MetricVersion) =>
    see(viewer, metricName(version.metric), (grant) => narrowMetric(version, grant, current)),
  );
  const snapshot = memoize(({ layers, datasets, metrics }: CatalogSnapshot): CatalogSnapshot => {
    const seen = seeEach(datasets, dataset);
    return {
      layers,
      datasets: seen,
      metrics: withSeenDatasets(withoutHiddenLayers(seeEach(metrics, metric)), seen),
    };
  });
  return { dataset, snapshot };
}

/** The part of a dataset or metric that a viewer sees; undefined if no grant shows it. */
function see<Thing>(
  { organisationId, grants, onUnusable }: Viewer,
  name: string,
  narrow: (grant: Grant) => Thing,
): Thing | undefined {
  const grant = findGrant(grants, name);
  if (grant === undefined) return undefined;
  try {
    return narrow(grant);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    onUnusable({ organisationId, grantId: grant.grantId, name, problem: error.reason });
    return undefined;
  }
}

/** The visible items, in the same order. */
function seeEach<Thing>(
  things: ReadonlyMap<string, Thing>,
  see: (thing: Thing) => Thing | undefined,
): ReadonlyMap<string, Thing> {
  const seen = new Map<string, Thing>();
  for (const [name, thing] of things) {
    const visible = see(thing);
    if (visible !== undefined) seen.set(name, visible);
  }
  return seen;
}

/**
 * A component names the layer of its values only if GetLayer finds that layer: a visible metric of the
 * same catalog must have it.
 */
function withoutHiddenLayers(
  metrics: ReadonlyMap<string, MetricVersion>,
): ReadonlyMap<string, MetricVersion> {
  const inCatalogs = new Set(
    [...metrics.values()].flatMap(({ metric: { catalogId }, layer, relatedLayer }) => [
      layerName(catalogId, layer.layer.id),
      ...(relatedLayer === undefined ? [] : [layerName(catalogId, relatedLayer.layer.id)]),
    ]),
  );
  const see = ({ layer, features }: LayerVersion, catalogId: string): LayerVersion => {
    const addressComponents = layer.addressComponents.map((component) =>
      inCatalogs.has(layerName(catalogId, component.mapLayerId))
        ? component
        : { ...component, mapLayerId: '' },
    );
    return { layer: { ...layer, addressComponents }, features };
  };
  return new Map(
    [...metrics].map(([name, { layer, relatedLayer, ...version }]) => {
      const { catalogId } = version.metric;
      const related = relatedLayer && see(relatedLayer, catalogId);
      return [name, { ...version, layer: see(layer, catalogId), relatedLayer: related }];
    }),
  );
}

/** A metric names a dataset only to a caller that may see that dataset. */
function withSeenDatasets(
  metrics: ReadonlyMap<string, MetricVersion>,
  datasets: CatalogSnapshot['datasets'],
): ReadonlyMap<string, MetricVersion> {
  const nameOf = ({ dataset: { name } }: DatasetVersion): string =>
    datasets.has(name) ? name : '';
  return new Map(
    [...metrics].map(([name, version]) => {
      const { values, layer } = version;
      const seenDatasets = { values: nameOf(values), features: nameOf(layer.features) };
      return [name, { ...version, seenDatasets }];
    }),
  );
}

function layerName(catalogId: string, layerId: string): string {
  return `${catalogId}/${layerId}`;
}
