import type { Catalog } from '../../src/catalog/open-catalog.ts';
import type { DatasetVersion } from '../../src/domain/dataset.ts';

/** A catalog without files: what is published last is current. */
export type PlainCatalog = Catalog & {
  readonly publish: (version: DatasetVersion) => void;
  /** As when an old version is removed from what is kept. */
  readonly forget: (version: DatasetVersion) => void;
};

export function openPlainCatalog(): PlainCatalog {
  let published: readonly DatasetVersion[] = [];
  const versionsOf = (datasetName: string) =>
    published.filter(({ dataset }) => dataset.name === datasetName);
  return {
    publish: (version) => {
      published = [...published, version];
    },
    forget: (version) => {
      published = published.filter((known) => known !== version);
    },
    snapshot: () => ({
      datasets: new Map(published.map((version) => [version.dataset.name, version])),
    }),
    version: (datasetName, name) => versionsOf(datasetName).find(({ version }) => version === name),
    versionOn: (datasetName, date) =>
      versionsOf(datasetName).findLast(({ publishedTime }) => publishedTime.slice(0, 10) <= date),
  };
}
