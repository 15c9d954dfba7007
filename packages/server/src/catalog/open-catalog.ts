import { statSync } from 'node:fs';
import type { DatasetVersion } from '../domain/dataset.ts';
import { isVersionName } from '../domain/version-name.ts';
import { type CurrentFile, NOTHING_CURRENT, readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { DataDirectoryError } from './data-directory-error.ts';
import { type ResolvedMetrics, resolveMetrics } from './resolve-metrics.ts';
import { readVersionFile } from './version-file.ts';

/** The versions of all datasets, as publishes leave them in the data directory. */
export type Catalog = {
  /** What is current now. A request asks once and keeps what it got. */
  readonly snapshot: () => CatalogSnapshot;
  /** A version that is still kept. */
  readonly version: (datasetName: string, version: string) => DatasetVersion | undefined;
  /** The version that was current at the end of a day (UTC) and is still kept. */
  readonly versionOn: (datasetName: string, date: string) => DatasetVersion | undefined;
  /** What was current after each publish, as far as it is still kept: the newest first. */
  readonly snapshots: () => Iterable<CatalogSnapshot>;
  /** What was current at the end of a day (UTC), as far as it is still kept. */
  readonly snapshotOn: (date: string) => CatalogSnapshot;
};

export type CatalogSnapshot = Pick<ResolvedMetrics, 'layers' | 'metrics'> & {
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
    // Publishes only ever replace it: without it not everything is unpublished, but something is wrong.
    if (current === NOTHING_CURRENT && seen !== undefined && seen.current !== NOTHING_CURRENT) {
      throw new DataDirectoryError(
        `${directory.current} is gone, though it was there before.`,
        'Restore it from a backup, or publish every dataset again.',
      );
    }
    const datasets = new Map<string, DatasetVersion>();
    for (const name of Object.keys(current.datasets).sort()) {
      const declared = current.datasets[name];
      const found = declared === undefined ? undefined : version(name, declared.version);
      if (found === undefined) {
        throw new DataDirectoryError(
          `The current version of ${name} is missing: there is no ${directory.version(name, declared?.version ?? '')}.`,
          'Restore the folder from a backup, or publish the dataset again.',
        );
      }
      datasets.set(name, found);
    }
    forgetRemoved(versions, current, directory);
    seen = { stamp, current, snapshot: toSnapshot(datasets) };
    return seen;
  };

  /** What had been switched to by a time. */
  const snapshotAt = (timeMs: number): CatalogSnapshot => {
    const datasets = new Map<string, DatasetVersion>();
    const { current } = look();
    for (const name of Object.keys(current.datasets).sort()) {
      const entry = entryAt(current, name, timeMs);
      const found = entry === undefined ? undefined : version(name, entry.version);
      if (found !== undefined) datasets.set(name, found);
    }
    return toSnapshot(datasets);
  };

  return {
    snapshot: () => look().snapshot,
    version: (datasetName, name) =>
      isListed(datasetName, name, look()) ? version(datasetName, name) : undefined,
    versionOn: (datasetName, date) => {
      const entry = entryAt(look().current, datasetName, endOfDayMs(date));
      return entry === undefined ? undefined : version(datasetName, entry.version);
    },
    snapshots: function* () {
      const { current, snapshot } = look();
      yield snapshot;
      for (const timeMs of switchTimes(current).slice(1)) yield snapshotAt(timeMs);
    },
    snapshotOn: (date) => snapshotAt(endOfDayMs(date)),
  };
}

function toSnapshot(datasets: ReadonlyMap<string, DatasetVersion>): CatalogSnapshot {
  const { layers, metrics } = resolveMetrics(datasets.values());
  return { datasets, layers, metrics };
}

function endOfDayMs(date: string): number {
  return Date.parse(`${date}T23:59:59.999Z`);
}

function entryAt(current: CurrentFile, datasetName: string, timeMs: number) {
  return current.datasets[datasetName]?.history.findLast(
    ({ since }) => Date.parse(since) <= timeMs,
  );
}

/** When something was switched to, the newest first. */
function switchTimes({ datasets }: CurrentFile): readonly number[] {
  const times = Object.values(datasets).flatMap(({ history }) =>
    history.map(({ since }) => Date.parse(since)),
  );
  return [...new Set(times)].sort((left, right) => right - left);
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
