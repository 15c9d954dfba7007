import type { Catalog, CatalogSnapshot } from '../catalog/open-catalog.ts';
import type { Caller } from '../domain/caller.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import { findGrant, type Grant } from '../domain/grant.ts';
import { type MetricVersion, metricName } from '../domain/metric.ts';
import type { Rights } from '../domain/rights.ts';
import { ServiceError } from '../domain/service-error.ts';
import { narrowDataset } from '../plan/narrow-dataset.ts';
import { narrowMetric } from '../plan/narrow-metric.ts';

/** A grant that does not fit what was published: what it names is not seen through it. */
export type UnusableGrant = {
  readonly organisationId: string;
  readonly grantId: string;
  /** The dataset or metric. */
  readonly name: string;
  /** A reason of the error table. */
  readonly problem: string;
};

/**
 * The catalog as a caller sees it: only the datasets and metrics of the grants, each with nothing but
 * what its grant shows. Operations are given no other, so what is not seen is not there for them.
 */
export type VisibleCatalog = (caller: Caller) => Catalog;

export function openVisibleCatalog(
  catalog: Catalog,
  onUnusable: (unusable: UnusableGrant) => void = () => {},
): VisibleCatalog {
  /** Made once for each version and rights, as long as both are in use. */
  const catalogs = new WeakMap<Rights, Catalog>();
  return ({ organisationId, rights }) => {
    const known = catalogs.get(rights);
    if (known !== undefined) return known;
    const see = <Thing>(
      name: string,
      thing: Thing,
      narrow: (thing: Thing, grant: Grant) => Thing,
    ): Thing | undefined => {
      const grant = findGrant(rights.grants, name);
      if (grant === undefined) return undefined;
      try {
        return narrow(thing, grant);
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
        metrics: seeEach(metrics, seeMetric),
      }),
    );
    const seeVersion = (version: DatasetVersion | undefined): DatasetVersion | undefined =>
      version === undefined ? undefined : seeDataset(version);
    const visible: Catalog = {
      snapshot: () => seeSnapshot(catalog.snapshot()),
      version: (datasetName, version) => seeVersion(catalog.version(datasetName, version)),
      versionOn: (datasetName, date) => seeVersion(catalog.versionOn(datasetName, date)),
      snapshots: function* () {
        for (const snapshot of catalog.snapshots()) yield seeSnapshot(snapshot);
      },
      snapshotOn: (date) => seeSnapshot(catalog.snapshotOn(date)),
    };
    catalogs.set(rights, visible);
    return visible;
  };
}

/** In the order in which they were; those that are not seen are left out. */
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

function remember<Input extends object, Output>(
  make: (input: Input) => Output,
): (input: Input) => Output {
  const made = new WeakMap<Input, { readonly output: Output }>();
  return (input) => {
    const known = made.get(input) ?? { output: make(input) };
    made.set(input, known);
    return known.output;
  };
}
