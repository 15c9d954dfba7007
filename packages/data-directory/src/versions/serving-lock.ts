import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { takeProcessLock } from '../files/process-lock.ts';
import type { DataDirectory } from './data-directory.ts';
import { readIfPresent } from './version-file.ts';

/** The lock that the service of a data directory holds while it runs. */
export type ServingLock = {
  /** Records the addresses of this service, for the message to a second service that is refused. */
  readonly describe: (addresses: readonly string[]) => void;
  readonly release: () => void;
};

/** The system needs some time to end a killed process. */
const WAIT_MS = 1000;

/**
 * Takes the lock, or refuses because another service holds it: two services would each allow the full
 * limits. Only the lock decides; `serve.json` describes its holder for the message. That is a separate
 * file, because closing a second descriptor of a locked file drops the lock (a POSIX rule).
 *
 * The system drops the lock with the process, so a start after a kill is never refused. A file with a process id
 * could refuse it if another process got the id, and containers do not share process ids. Workers hold no lock; they
 * end when their channel to the primary closes.
 */
export function takeServingLock(
  directory: DataDirectory,
  {
    clock = Date.now,
    waitMs = WAIT_MS,
  }: { readonly clock?: () => number; readonly waitMs?: number } = {},
): ServingLock {
  const { root, serving } = directory;
  const lock = takeProcessLock(serving.lock, waitMs);
  if (lock === undefined) {
    throw new DataDirectoryError(
      `${root} is already being served${holderText(serving.holder)}.`,
      'Stop that service first, or name another directory with --data: only one service can count the limits of organisations.',
    );
  }
  const since = new Date(clock()).toISOString();
  const describe = (addresses: readonly string[]): void =>
    writeHolder(serving.holder, { host: hostname(), pid: process.pid, since, addresses });
  describe([]);
  return {
    describe,
    release: () => {
      // This happens before another service can write its own file.
      removeHolder(serving.holder);
      lock.release();
    },
  };
}

/** The service that has a data directory now; undefined if none runs, or it has not described itself yet. */
export function findServing({ serving }: DataDirectory): Holder | undefined {
  const lock = takeProcessLock(serving.lock);
  // The description of a killed service is still there.
  lock?.release();
  return lock === undefined ? readHolder(serving.holder) : undefined;
}

type Holder = {
  readonly host: string;
  readonly pid: number;
  /** RFC 3339, UTC. */
  readonly since: string;
  /** URLs, for example `http://127.0.0.1:8080`; empty until it listens. */
  readonly addresses: readonly string[];
};

/** The file is not needed to serve, so a full disk does not prevent the start. */
function writeHolder(path: string, holder: Holder): void {
  const draft = `${path}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify({ format: 1, ...holder })}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    removeHolder(draft);
  }
}

function removeHolder(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next service replaces it.
  }
}

/** The continuation of `is already being served`; empty if the holder is unknown. */
function holderText(path: string): string {
  const holder = readHolder(path);
  if (holder === undefined) return '';
  const { pid, host, since, addresses } = holder;
  const at = addresses.length === 0 ? '' : `, at ${addresses.join(' and ')}`;
  return `, by the process ${pid} on ${host} since ${since}${at}`;
}

function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readIfPresent(path) ?? '');
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  return (
    typeof value === 'object' &&
    value !== null &&
    'host' in value &&
    typeof value.host === 'string' &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'since' in value &&
    typeof value.since === 'string' &&
    'addresses' in value &&
    Array.isArray(value.addresses)
  );
}
