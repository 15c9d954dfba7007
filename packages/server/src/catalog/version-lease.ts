import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';
import { readIfPresent } from './version-file.ts';

/**
 * What a process says that it may read, so that nobody removes it meanwhile: a file of its own in
 * `leases/`, which it touches as long as it lives.
 *
 * Who removes a version first says in `current.json` that it is not kept, then looks at the leases; who
 * reads one first leases it, then looks whether it is still kept. So one of both sees the other.
 */
export type VersionLease = {
  /** Of the process: nothing else is named like it. */
  readonly name: string;
  /** Holds these versions until others are current; those that were are held on for a while. */
  readonly holdCurrent: (versions: Iterable<LeasedVersion>) => void;
  /** Holds a version for a while from now; tells whether it was not held before. */
  readonly use: (version: LeasedVersion) => boolean;
  readonly close: () => void;
};

export type LeasedVersion = { readonly datasetName: string; readonly version: string };

const RENEW_EVERY_MS = 10_000;
/** A process that was silent for so long is dead, or its machine slept. */
const LOST_AFTER_MS = 60_000;

export function openVersionLease({
  directory,
  holdMs,
  clock = Date.now,
  onFailed = () => {},
}: {
  readonly directory: DataDirectory;
  /** How long a version is held after it was asked for: no request takes longer. */
  readonly holdMs: number;
  readonly clock?: () => number;
  /** Told why the file could not be written; requests are answered all the same. */
  readonly onFailed?: (error: unknown) => void;
}): VersionLease {
  const name = `reader-${process.pid}-${randomBytes(4).toString('hex')}`;
  const path = join(directory.leases, `${name}.json`);
  let current: ReadonlySet<string> = new Set();
  let isWritten = false;
  /** When each was asked for last. */
  const used = new Map<string, number>();

  const write = (): void => {
    const versions = [...new Set([...current, ...used.keys()])].sort();
    isWritten = false;
    try {
      mkdirSync(directory.leases, { recursive: true, mode: 0o700 });
      const draft = `${path}.tmp`;
      writeFileSync(draft, `${JSON.stringify({ format: 1, versions })}\n`);
      renameSync(draft, path);
      isWritten = true;
    } catch (error) {
      onFailed(error);
    }
  };
  const renew = (): void => {
    const now = clock();
    let isShorter = false;
    for (const [version, lastMs] of used) {
      if (now - lastMs > holdMs) isShorter = used.delete(version);
    }
    if (isShorter || !isWritten) {
      write();
      return;
    }
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      write();
    }
  };
  write();
  const timer = setInterval(renew, RENEW_EVERY_MS);
  timer.unref();

  return {
    name,
    holdCurrent: (versions) => {
      const next = new Set([...versions].map(leaseKey));
      for (const version of current) if (!next.has(version)) used.set(version, clock());
      current = next;
      write();
    },
    use: (version) => {
      const key = leaseKey(version);
      const isNew = !used.has(key);
      used.set(key, clock());
      if (isNew && !current.has(key)) write();
      return isNew;
    },
    close: () => {
      clearInterval(timer);
      try {
        rmSync(path, { force: true });
      } catch (error) {
        onFailed(error);
      }
    },
  };
}

/** The versions that live processes hold, and the names of these processes. */
export type Leases = {
  readonly holders: ReadonlySet<string>;
  readonly isHeld: (version: LeasedVersion) => boolean;
};

/** Reads the leases, and removes those of processes that are gone. */
export function readLeases(directory: DataDirectory, now = Date.now()): Leases {
  const holders = new Set<string>();
  const held = new Set<unknown>();
  let isUnknown = false;
  for (const file of listFiles(directory.leases)) {
    const path = join(directory.leases, file);
    const touchedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (touchedMs === undefined) continue;
    if (now - touchedMs > LOST_AFTER_MS) {
      rmSync(path, { force: true });
    } else if (file.endsWith('.json')) {
      holders.add(file.slice(0, -'.json'.length));
      const versions = readVersions(path);
      isUnknown ||= versions === undefined;
      for (const version of versions ?? []) held.add(version);
    }
  }
  return { holders, isHeld: (version) => isUnknown || held.has(leaseKey(version)) };
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined for a file that is damaged: whose it is may hold anything. */
function readVersions(path: string): readonly unknown[] | undefined {
  const text = readIfPresent(path);
  if (text === undefined) return [];
  try {
    const lease: unknown = JSON.parse(text);
    const isLease = typeof lease === 'object' && lease !== null && 'versions' in lease;
    return isLease && Array.isArray(lease.versions) ? lease.versions : undefined;
  } catch {
    return undefined;
  }
}

function leaseKey({ datasetName, version }: LeasedVersion): string {
  return `${datasetName}/${version}`;
}
