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
 * The lease of a process on the versions that it may use, so that they are not removed. Each process has
 * a file in `leases/` and touches it while it lives.
 *
 * A process that removes a version first drops it from `current.json`, then checks the leases. A process
 * that uses a version first leases it, then checks that it is still kept. So at least one of them notices
 * the other.
 *
 * No request takes a lock. Touching a file renews the lease, because containers do not share process ids.
 */
export type VersionLease = {
  /** The unique name of the process, which is that of its folder in `tmp/` too. */
  readonly name: string;
  /** Leases these versions until others are current; the previous ones stay leased for `holdMs`. */
  readonly holdCurrent: (versions: Iterable<LeasedVersion>) => void;
  /** Leases a version for `holdMs` from now; returns true if it was not leased before. */
  readonly use: (version: LeasedVersion) => boolean;
  readonly close: () => void;
};

export type LeasedVersion = { readonly datasetName: string; readonly version: string };

const RENEW_EVERY_MS = 10_000;
/** A process that has not renewed its lease for this long is dead, or its machine was suspended. */
const LOST_AFTER_MS = 60_000;

export function openVersionLease({
  directory,
  holder = 'reader',
  holdMs,
  clock = Date.now,
  onFailed = () => {},
}: {
  readonly directory: DataDirectory;
  /** A worker of the service, or a command that reads versions. */
  readonly holder?: 'worker' | 'reader';
  /** How long a version stays leased after its last use; no request takes longer. */
  readonly holdMs: number;
  readonly clock?: () => number;
  /** Called when the file cannot be written; requests are still answered. */
  readonly onFailed?: (error: unknown) => void;
}): VersionLease {
  const name = `${holder}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const path = join(directory.leases, `${name}.json`);
  let current: ReadonlySet<string> = new Set();
  let isWritten = false;
  /** The time of the last use of each version. */
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

/** The versions that live processes have leased, and the names of these processes. */
export type Leases = {
  readonly holders: ReadonlySet<string>;
  readonly isHeld: (version: LeasedVersion) => boolean;
  /** As `leaseKey` writes them; undefined if it is not known, because a file is damaged. */
  readonly versions: ReadonlySet<string> | undefined;
};

/** Reads the leases, and removes those of ended processes. */
export function readLeases(directory: DataDirectory, now = Date.now()): Leases {
  const holders = new Set<string>();
  const held = new Set<string>();
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
      for (const version of versions ?? []) held.add(String(version));
    }
  }
  return {
    holders,
    isHeld: (version) => isUnknown || held.has(leaseKey(version)),
    versions: isUnknown ? undefined : held,
  };
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined for a damaged file: its process may have leased any version. */
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

export function leaseKey({ datasetName, version }: LeasedVersion): string {
  return `${datasetName}/${version}`;
}
