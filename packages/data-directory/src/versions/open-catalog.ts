import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { isVersionName } from '@locmetrics/core/domain/version-name';
import { compareUtf8 } from '@locmetrics/core/text/text-order';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { stampOf } from '../files/durable-file.ts';
import { chooseServed, type DamagedVersion } from './choose-served.ts';
import { type CurrentFile, readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { entryAt, switchTimes } from './past-states.ts';
import { type ReadOptions, type ReadVersion, readVersion } from './read-version.ts';
import { type ResolvedMetrics, resolveMetrics } from './resolve-metrics.ts';
import type { LeasedVersion, VersionLease } from './version-lease.ts';

/** The published versions of all datasets in the data directory. */
export type Catalog = {
  /** The current state. A request takes one snapshot and keeps it. */
  readonly snapshot: () => CatalogSnapshot;
  /** A version that is still kept. */
  readonly version: (datasetName: string, version: string) => DatasetVersion | undefined;
  /** The version that was current at the end of a day (UTC) and is still kept. */
  readonly versionOn: (datasetName: string, date: string) => DatasetVersion | undefined;
  /** Whether the version was withdrawn: nobody may have what was made of it. */
  readonly isWithdrawn: (datasetName: string, version: string) => boolean;
  /** The state after each switch, newest first, as far as its versions are still kept. */
  readonly snapshots: () => Iterable<CatalogSnapshot>;
  /** The state at the end of a day (UTC), as far as its versions are still kept. */
  readonly snapshotOn: (date: string) => CatalogSnapshot;
};

export type CatalogSnapshot = Pick<ResolvedMetrics, 'layers' | 'metrics'> & {
  /** Sorted by name. */
  readonly datasets: ReadonlyMap<string, DatasetVersion>;
};

export type CatalogOptions = ReadOptions & {
  /** Protects the versions in use from removal. */
  readonly lease?: VersionLease;
  /** Returns the problem of a version that is known to be damaged. */
  readonly damaged?: (version: LeasedVersion) => string | undefined;
  /** Called once for each damaged version. */
  readonly onDamaged?: (version: DamagedVersion) => void;
  /** Called once per outage with the reason why `current.json` cannot be read; the last state stays in use. */
  readonly onUnreadable?: (error: Error) => void;
  readonly clock?: () => number;
};

export function openCatalog(
  directory: DataDirectory,
  {
    lease,
    damaged = () => undefined,
    onDamaged = () => {},
    onUnreadable = () => {},
    clock = () => performance.now(),
    isInDatabase,
  }: CatalogOptions = {},
): Catalog {
  /** The versions, or their problems, by folder. */
  const versions = new Map<string, ReadVersion>();
  const reported = new Set<string>();
  let seen: Seen | undefined;
  let failed: { readonly stamp: string; readonly againMs: number } | undefined;

  const read = (datasetName: string, version: string): ReadVersion => {
    const path = directory.version(datasetName, version);
    const known = versions.get(path);
    if (known !== undefined) return known;
    const problem = damaged({ datasetName, version });
    const found = problem === undefined ? readVersion(path, { isInDatabase }) : { problem };
    // An intact version stays intact, so it is cached. A damaged one can be restored.
    if (found.version !== undefined) versions.set(path, found);
    return found;
  };

  const readSeen = (before: Seen | undefined): Seen => {
    for (;;) {
      const stamp = stampOf(directory.current);
      const current = readCurrentFile(directory.current);
      // A switch is never undone, so the file is wrong, even if the versions are missing too.
      if (current.lastSwitch === 0 && before !== undefined && before.current.lastSwitch > 0) {
        throw new DataDirectoryError(
          `${directory.current} names nothing, although versions were current before.`,
          'Restore the data directory from a backup, or publish every dataset again.',
        );
      }
      const listed = listCurrent(current);
      lease?.holdCurrent(listed);
      // If the state changed in between, a version may have been removed before it was leased.
      if (lease !== undefined && stampOf(directory.current) !== stamp) continue;
      const { served, damaged: replaced } = chooseServed(current, read);
      if (replaced.length > 0 && lease !== undefined) {
        const others = replaced.map(({ datasetName, served: version }) => ({
          datasetName,
          version,
        }));
        lease.holdCurrent([...listed, ...others]);
        if (stampOf(directory.current) !== stamp) continue;
      }
      for (const damage of replaced) reportDamaged(damage);
      forgetRemoved(versions, current, directory);
      const inOrder = served.toSorted((left, right) =>
        compareUtf8(left.dataset.name, right.dataset.name),
      );
      const datasets = new Map(inOrder.map((version) => [version.dataset.name, version]));
      return { stamp, current, snapshot: toSnapshot(datasets), snapshots: new Map() };
    }
  };

  /** The current state, or the last readable one. */
  const poll = (): Seen => {
    const stamp = stampOf(directory.current);
    if (seen?.stamp === stamp) {
      failed = undefined;
      return seen;
    }
    if (seen !== undefined && failed?.stamp === stamp && clock() < failed.againMs) return seen;
    try {
      seen = readSeen(seen);
      failed = undefined;
    } catch (error) {
      if (seen === undefined || !isUnreadable(error)) throw error;
      if (failed === undefined) onUnreadable(error);
      failed = { stamp, againMs: clock() + RETRY_AFTER_MS };
    }
    return seen;
  };

  const reportDamaged = (damage: DamagedVersion): void => {
    if (reported.has(damage.version)) return;
    reported.add(damage.version);
    onDamaged(damage);
  };

  /** A kept version; it is leased before it is read. */
  const find = (datasetName: string, version: string): DatasetVersion | undefined => {
    if (!isVersionName(version) || !isKept(datasetName, version, poll().current)) return undefined;
    const isNew = lease?.use({ datasetName, version }) ?? false;
    if (isNew && !isKept(datasetName, version, poll().current)) return undefined;
    return read(datasetName, version).version;
  };

  /** The state at a time, as far as its versions are kept. */
  const snapshotAt = (timeMs: number): CatalogSnapshot => {
    const { current, snapshots } = poll();
    const datasets = new Map<string, DatasetVersion>();
    for (const datasetName of Object.keys(current.datasets).sort()) {
      const entry = entryAt(current, datasetName, timeMs);
      const found = entry === undefined ? undefined : find(datasetName, entry.version);
      if (found !== undefined) datasets.set(datasetName, found);
    }
    // The same versions give the same snapshot object, so that derived data can be cached by it.
    const key = [...datasets.values()].map(({ version }) => version).join();
    const snapshot = snapshots.get(key) ?? toSnapshot(datasets);
    snapshots.set(key, snapshot);
    return snapshot;
  };

  return {
    snapshot: () => poll().snapshot,
    version: find,
    versionOn: (datasetName, date) => {
      const entry = entryAt(poll().current, datasetName, endOfDayMs(date));
      return entry === undefined ? undefined : find(datasetName, entry.version);
    },
    isWithdrawn: (datasetName, version) => {
      const { withdrawn = [] } = poll().current.datasets[datasetName] ?? {};
      return withdrawn.some((entry) => entry.version === version);
    },
    snapshots: function* () {
      const { current, snapshot } = poll();
      yield snapshot;
      for (const timeMs of switchTimes(current)) yield snapshotAt(timeMs);
    },
    snapshotOn: (date) => snapshotAt(endOfDayMs(date)),
  };
}

/** The file is damaged, or the system cannot read it, for example without a free descriptor. */
function isUnreadable(error: unknown): error is Error {
  return error instanceof DataDirectoryError || (error instanceof Error && 'syscall' in error);
}

/** A restored folder does not change `current.json`. */
const RETRY_AFTER_MS = 1000;

type Seen = {
  readonly stamp: string;
  readonly current: CurrentFile;
  readonly snapshot: CatalogSnapshot;
  /** Earlier snapshots, by the names of their versions. */
  readonly snapshots: Map<string, CatalogSnapshot>;
};

function toSnapshot(datasets: ReadonlyMap<string, DatasetVersion>): CatalogSnapshot {
  const { layers, metrics } = resolveMetrics(datasets.values());
  return { datasets, layers, metrics };
}

function listCurrent({ datasets }: CurrentFile): readonly LeasedVersion[] {
  return Object.entries(datasets).map(([datasetName, { version }]) => ({ datasetName, version }));
}

function isKept(datasetName: string, version: string, { datasets }: CurrentFile): boolean {
  return datasets[datasetName]?.kept.includes(version) ?? false;
}

function endOfDayMs(date: string): number {
  return Date.parse(`${date}T23:59:59.999Z`);
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
