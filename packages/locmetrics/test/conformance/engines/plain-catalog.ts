import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { Catalog, CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';
import { resolveMetrics } from '@locmetrics/data-directory/versions/resolve-metrics';

/** A catalog without files. The last published version is current. */
export type PlainCatalog = Catalog & {
  readonly publish: (version: DatasetVersion) => void;
  /** Removes a version from the kept versions, as with an old one. */
  readonly forget: (version: DatasetVersion) => void;
};

export function openPlainCatalog(): PlainCatalog {
  let published: readonly DatasetVersion[] = [];
  /** The current versions after the first versions of this count. */
  const snapshotOf = (versions: readonly DatasetVersion[]): CatalogSnapshot => {
    const datasets = new Map(versions.map((version) => [version.dataset.name, version]));
    const { layers, metrics } = resolveMetrics(datasets.values());
    return { datasets, layers, metrics };
  };
  const versionsOf = (datasetName: string) =>
    published.filter(({ dataset }) => dataset.name === datasetName);
  return {
    publish: (version) => {
      published = [...published, version];
    },
    forget: (version) => {
      published = published.filter((known) => known !== version);
    },
    snapshot: () => snapshotOf(published),
    snapshots: () =>
      published.map((_, index) => snapshotOf(published.slice(0, published.length - index))),
    snapshotOn: (date) =>
      snapshotOf(published.filter(({ publishedTime }) => publishedTime.slice(0, 10) <= date)),
    version: (datasetName, name) => versionsOf(datasetName).find(({ version }) => version === name),
    isWithdrawn: () => false,
    versionOn: (datasetName, date) =>
      versionsOf(datasetName).findLast(({ publishedTime }) => publishedTime.slice(0, 10) <= date),
  };
}
