import { statSync } from 'node:fs';
import type { DatasetVersion } from '../domain/dataset.ts';
import { isVersionName } from '../domain/version-name.ts';
import { type CurrentFile, readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { readVersionFile } from './version-file.ts';

/** The versions of all datasets, as publishes leave them in the data directory. */
export type Catalog = {
  /** What is current now. A request asks once and keeps what it got. */
  readonly snapshot: () => CatalogSnapshot;
  /** A version that is still kept. */
  readonly version: (datasetName: string, version: string) => DatasetVersion | undefined;
  /** The version that was current at the end of a day (UTC) and is still kept. */
  readonly versionOn: (datasetName: string, date: string) => DatasetVersion | undefined;
};

export type CatalogSnapshot = {
  /** In the order of their names. */
  readonly datasets: ReadonlyMap<string, DatasetVersion>;
};

export function openCatalog(directory: DataDirectory): Catalog {
  const versions = new Map<string, DatasetVersion>();
  let seen: Seen | undefined;

  const version = (datasetName: string, name: string): DatasetVersion | undefined => {
    if (!isVersionName(name)) return undefined;
    const path = directory.version(datasetName, name);
    const known = versions.get(path);
    if (known !== undefined) return known;
    const read = readVersionFile(path)?.version;
    if (read !== undefined) versions.set(path, read);
    return read;
  };

  const look = (): Seen => {
    const stamp = stampOf(directory.current);
    if (seen?.stamp === stamp) return seen;
    const current = readCurrentFile(directory.current);
    const datasets = new Map<string, DatasetVersion>();
    for (const name of Object.keys(current.datasets).sort()) {
      const declared = current.datasets[name];
      const found = declared === undefined ? undefined : version(name, declared.version);
      if (found === undefined) {
        throw new Error(`The current version of ${name} is missing in the data directory.`);
      }
      datasets.set(name, found);
    }
    forgetRemoved(versions, current, directory);
    seen = { stamp, current, snapshot: { datasets } };
    return seen;
  };

  return {
    snapshot: () => look().snapshot,
    version: (datasetName, name) =>
      isListed(datasetName, name, look()) ? version(datasetName, name) : undefined,
    versionOn: (datasetName, date) => {
      const dayEnd = Date.parse(`${date}T23:59:59.999Z`);
      const entry = look().current.datasets[datasetName]?.history.findLast(
        ({ since }) => Date.parse(since) <= dayEnd,
      );
      return entry === undefined ? undefined : version(datasetName, entry.version);
    },
  };
}

type Seen = {
  readonly stamp: string;
  readonly current: CurrentFile;
  readonly snapshot: CatalogSnapshot;
};

/** Names what a rename replaces: a stat costs a few microseconds, so each request sees a publish. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

function isListed(datasetName: string, version: string, { current }: Seen): boolean {
  const history = current.datasets[datasetName]?.history ?? [];
  return history.some((entry) => entry.version === version);
}

function forgetRemoved(
  versions: Map<string, DatasetVersion>,
  current: CurrentFile,
  directory: DataDirectory,
): void {
  const listed = new Set(
    Object.entries(current.datasets).flatMap(([name, { history }]) =>
      history.map((entry) => directory.version(name, entry.version)),
    ),
  );
  for (const path of versions.keys()) if (!listed.has(path)) versions.delete(path);
}
