import { statSync } from 'node:fs';
import type { DatasetVersion } from '../domain/dataset.ts';
import { isVersionName } from '../domain/version-name.ts';
import { type CurrentFile, NOTHING_CURRENT, readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { DataDirectoryError } from './data-directory-error.ts';
import { type ReadVersion, readVersion } from './read-version.ts';
import { type ResolvedMetrics, resolveMetrics } from './resolve-metrics.ts';
import { listByLastCurrent } from './switch-versions.ts';
import type { LeasedVersion, VersionLease } from './version-lease.ts';

/** The versions of all datasets, as publishes leave them in the data directory. */
export type Catalog = {
  /** What is current now. A request asks once and keeps what it got. */
  readonly snapshot: () => CatalogSnapshot;
  /** A version that is still kept. */
  readonly version: (datasetName: string, version: string) => DatasetVersion | undefined;
  /** The version that was current at the end of a day (UTC) and is still kept. */
  readonly versionOn: (datasetName: string, date: string) => DatasetVersion | undefined;
  /** What was current after each switch, as far as it is still kept: the newest first. */
  readonly snapshots: () => Iterable<CatalogSnapshot>;
  /** What was current at the end of a day (UTC), as far as it is still kept. */
  readonly snapshotOn: (date: string) => CatalogSnapshot;
};

export type CatalogSnapshot = Pick<ResolvedMetrics, 'layers' | 'metrics'> & {
  /** In the order of their names. */
  readonly datasets: ReadonlyMap<string, DatasetVersion>;
};

/** A current version that cannot be served, and the one that was current before, which is. */
export type DamagedVersion = LeasedVersion & {
  readonly problem: string;
  readonly served: string;
};

export type CatalogOptions = {
  /** Says what is read here, so that nobody removes it. */
  readonly lease?: VersionLease;
  /** Versions that are known to be damaged, with what is wrong. */
  readonly damaged?: (version: LeasedVersion) => string | undefined;
  /** Told once of each. */
  readonly onDamaged?: (version: DamagedVersion) => void;
};

export function openCatalog(
  directory: DataDirectory,
  { lease, damaged = () => undefined, onDamaged = () => {} }: CatalogOptions = {},
): Catalog {
  /** Of versions by their folders: what they are, or what is wrong with them. */
  const versions = new Map<string, ReadVersion>();
  const told = new Set<string>();
  let seen: Seen | undefined;

  const read = (datasetName: string, version: string): ReadVersion => {
    const path = directory.version(datasetName, version);
    const known = versions.get(path);
    if (known !== undefined) return known;
    const problem = damaged({ datasetName, version });
    const found = problem === undefined ? readVersion(path) : { problem };
    // One that is whole stays so; another one can be restored.
    if (found.version !== undefined) versions.set(path, found);
    return found;
  };

  const look = (): Seen => {
    for (;;) {
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
      const listed = listCurrent(current);
      lease?.holdCurrent(listed);
      // What is not current any more was perhaps removed before it was leased.
      if (lease !== undefined && stampOf(directory.current) !== stamp) continue;
      const served = listed.map((version) => findServed(version, current));
      const replaced = served.flatMap(({ damage }) => (damage === undefined ? [] : [damage]));
      if (replaced.length > 0 && lease !== undefined) {
        const others = replaced.map(({ datasetName, served: version }) => ({
          datasetName,
          version,
        }));
        lease.holdCurrent([...listed, ...others]);
        if (stampOf(directory.current) !== stamp) continue;
      }
      for (const damage of replaced) tellDamaged(damage);
      forgetRemoved(versions, current, directory);
      const datasets = new Map(served.map(({ version }) => [version.dataset.name, version]));
      seen = { stamp, current, snapshot: toSnapshot(datasets), snapshots: new Map() };
      return seen;
    }
  };

  /** The current version of a dataset; where it is damaged, the one that was current before. */
  const findServed = (
    { datasetName, version: currentVersion }: LeasedVersion,
    { datasets }: CurrentFile,
  ): { readonly version: DatasetVersion; readonly damage?: DamagedVersion } => {
    const dataset = datasets[datasetName];
    let problem: string | undefined;
    for (const name of dataset === undefined ? [] : listByLastCurrent(dataset)) {
      const found = read(datasetName, name);
      if (found.version === undefined) {
        problem ??= found.problem;
        continue;
      }
      const { version } = found;
      if (problem === undefined) return { version };
      return { version, damage: { datasetName, version: currentVersion, problem, served: name } };
    }
    throw new DataDirectoryError(
      `The current version of ${datasetName} cannot be served, and no other is kept. ${problem ?? ''}`,
      'Restore its folder from a backup, or publish the dataset again.',
    );
  };

  const tellDamaged = (damage: DamagedVersion): void => {
    if (told.has(damage.version)) return;
    told.add(damage.version);
    onDamaged(damage);
  };

  /** One that can be asked for; it is leased before it is read. */
  const find = (datasetName: string, version: string): DatasetVersion | undefined => {
    if (!isVersionName(version) || !isKept(datasetName, version, look().current)) return undefined;
    const isNew = lease?.use({ datasetName, version }) ?? false;
    if (isNew && !isKept(datasetName, version, look().current)) return undefined;
    return read(datasetName, version).version;
  };

  /** What was current at a time, as far as it is kept. */
  const snapshotAt = (timeMs: number): CatalogSnapshot => {
    const { current, snapshots } = look();
    const datasets = new Map<string, DatasetVersion>();
    for (const datasetName of Object.keys(current.datasets).sort()) {
      const entry = entryAt(current, datasetName, timeMs);
      const found = entry === undefined ? undefined : find(datasetName, entry.version);
      if (found !== undefined) datasets.set(datasetName, found);
    }
    // The same versions are the same snapshot, so that what follows from it is made once.
    const key = [...datasets.values()].map(({ version }) => version).join();
    const snapshot = snapshots.get(key) ?? toSnapshot(datasets);
    snapshots.set(key, snapshot);
    return snapshot;
  };

  return {
    snapshot: () => look().snapshot,
    version: find,
    versionOn: (datasetName, date) => {
      const entry = entryAt(look().current, datasetName, endOfDayMs(date));
      return entry === undefined ? undefined : find(datasetName, entry.version);
    },
    snapshots: function* () {
      const { current, snapshot } = look();
      yield snapshot;
      for (const timeMs of switchTimes(current)) yield snapshotAt(timeMs);
    },
    snapshotOn: (date) => snapshotAt(endOfDayMs(date)),
  };
}

type Seen = {
  readonly stamp: string;
  readonly current: CurrentFile;
  readonly snapshot: CatalogSnapshot;
  /** Of what was current before, by the names of the versions. */
  readonly snapshots: Map<string, CatalogSnapshot>;
};

function toSnapshot(datasets: ReadonlyMap<string, DatasetVersion>): CatalogSnapshot {
  const { layers, metrics } = resolveMetrics(datasets.values());
  return { datasets, layers, metrics };
}

function listCurrent({ datasets }: CurrentFile): readonly LeasedVersion[] {
  return Object.entries(datasets)
    .map(([datasetName, { version }]) => ({ datasetName, version }))
    .sort((left, right) => (left.datasetName < right.datasetName ? -1 : 1));
}

function isKept(datasetName: string, version: string, { datasets }: CurrentFile): boolean {
  return datasets[datasetName]?.kept.includes(version) ?? false;
}

function endOfDayMs(date: string): number {
  return Date.parse(`${date}T23:59:59.999Z`);
}

function entryAt(current: CurrentFile, datasetName: string, timeMs: number) {
  return current.datasets[datasetName]?.history.findLast(
    ({ since }) => Date.parse(since) <= timeMs,
  );
}

/**
 * When something was switched to that is kept, the newest first. What was current before the oldest of
 * these times is not kept any more.
 */
function switchTimes({ datasets }: CurrentFile): readonly number[] {
  const times = Object.values(datasets).flatMap(({ history, kept }) =>
    history.filter(({ version }) => kept.includes(version)).map(({ since }) => Date.parse(since)),
  );
  return [...new Set(times)].sort((left, right) => right - left);
}

/** Names what a rename replaces: a stat costs a few microseconds, so each request sees a publish. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

function forgetRemoved(
  versions: Map<string, ReadVersion>,
  current: CurrentFile,
  directory: DataDirectory,
): void {
  const listed = new Set(
    Object.entries(current.datasets).flatMap(([name, { kept }]) =>
      kept.map((version) => directory.version(name, version)),
    ),
  );
  for (const path of versions.keys()) if (!listed.has(path)) versions.delete(path);
}
