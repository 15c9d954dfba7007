import type { Caller } from '../domain/caller.ts';
import { findGrant, type Grant } from '../domain/grant.ts';
import { metricName } from '../domain/metric.ts';
import { remember } from '../domain/remember.ts';
import type { Rights } from '../domain/rights.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { DatasetVersion, LayerVersion, MetricVersion } from '../domain/version.ts';
import { type CurrentVersions, narrowDataset } from '../plan/narrow-dataset.ts';
import { narrowMetric } from '../plan/narrow-metric.ts';
import type { Catalog, CatalogSnapshot } from '../versions/open-catalog.ts';

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
 */
export type VisibleCatalog = (caller: Caller) => Catalog;

export function openVisibleCatalog(
  catalog: Catalog,
  onUnusable: (unusable: UnusableGrant) => void = () => {},
): VisibleCatalog {
  /** Cached for each version and rights, while both are in use. */
  const catalogs = new WeakMap<Rights, Catalog>();
  return ({ organisationId, rights }) => {
    const known = catalogs.get(rights);
    if (known !== undefined) return known;
    /** The current snapshot decides for older versions too: see `smallCells`. */
    const viewsBy = remember(({ datasets: current }: CatalogSnapshot) => {
      const see = <Thing>(
        name: string,
        thing: Thing,
        narrow: (thing: Thing, grant: Grant, current: CurrentVersions) => Thing,
      ): Thing | undefined => {
        const grant = findGrant(rights.grants, name);
        if (grant === undefined) return undefined;
        try {
          return narrow(thing, grant, current);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          const { grantId } = grant;
          onUnusable({ organisationId, grantId, name, problem: error.reason });
          return undefined;
        }
      };
      const seeDataset = remember((version: DatasetVersion) =>
        see(version.dataset.name, version, narrowDataset),
      );
      const seeMetric = remember((version: MetricVersion) =>
        see(metricName(version.metric), version, narrowMetric),
      );
      const seeSnapshot = remember(
        ({ layers, datasets, metrics }: CatalogSnapshot): CatalogSnapshot => ({
          layers,
          datasets: seeEach(datasets, seeDataset),
          metrics: withoutHiddenLayers(seeEach(metrics, seeMetric)),
        }),
      );
      return { seeDataset, seeSnapshot };
    });
    const views = () => viewsBy(catalog.snapshot());
    const seeVersion = (version: DatasetVersion | undefined): DatasetVersion | undefined =>
      version === undefined ? undefined : views().seeDataset(version);
    const visible: Catalog = {
      snapshot: () => {
        const current = catalog.snapshot();
        return viewsBy(current).seeSnapshot(current);
      },
      version: (datasetName, version) => seeVersion(catalog.version(datasetName, version)),
      versionOn: (datasetName, date) => seeVersion(catalog.versionOn(datasetName, date)),
      snapshots: function* () {
        for (const snapshot of catalog.snapshots()) yield views().seeSnapshot(snapshot);
      },
      snapshotOn: (date) => views().seeSnapshot(catalog.snapshotOn(date)),
    };
    catalogs.set(rights, visible);
    return visible;
  };
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
      const related =
        relatedLayer === undefined ? {} : { relatedLayer: see(relatedLayer, catalogId) };
      return [name, { ...version, layer: see(layer, catalogId), ...related }];
    }),
  );
}

function layerName(catalogId: string, layerId: string): string {
  return `${catalogId}/${layerId}`;
}
