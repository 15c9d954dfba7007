import { rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isSqliteBusy } from './explain-sqlite.ts';
import { explainOpening, openExisting } from './open-sqlite-file.ts';
import { createPrivateFile } from './private-file.ts';
import { unusableFile } from './unusable-file.ts';

/** The identity of the file at a path: another file that is moved there has another inode. */
export type FileIdentity = { readonly device: number; readonly inode: number };

/** A stat costs 2 µs. */
export function identityOf(path: string): FileIdentity | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : { device: stat.dev, inode: stat.ino };
}

export function isSameFile(
  left: FileIdentity | undefined,
  right: FileIdentity | undefined,
): boolean {
  return left?.inode === right?.inode && left?.device === right?.device;
}

/** Changes also with the content of a file. */
export function stampOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${ino}:${size}:${mtimeMs}`;
}

/** Shows other processes that this process has a file open, until it is released. */
export type FileHold = { readonly identity: FileIdentity; readonly release: () => void };

/**
 * Holds an SQLite file that is about to be opened.
 *
 * SQLite finds the write-ahead log of a file by the file name. If another file is moved to the name while
 * processes have the old file open, a process that opens the new file would apply the log of the old one
 * to it and damage it. So the new file is only opened when no process has the old one open, and each
 * process empties the log when it closes the old file. A small file with the ending `-lock` coordinates
 * this: it has a shared lock of all processes with the file open, which ends with the process, and the
 * inode number of the file that they opened.
 */
export function holdFile(
  path: string,
  { waitMs, isLogOfBefore }: { readonly waitMs: number; readonly isLogOfBefore: boolean },
): FileHold {
  const lockPath = lockPathOf(path);
  createPrivateFile(lockPath);
  const giveUpMs = performance.now() + waitMs;
  const lock = openLock(lockPath, Math.min(waitMs, ATTEMPT_MS));
  let busy: unknown;
  /** False if another process has the lock. */
  const attempt = (work: () => boolean): boolean => {
    try {
      return work();
    } catch (error) {
      if (!isSqliteBusy(error)) throw error;
      if (lock.isTransaction) lock.exec('ROLLBACK');
      busy = error;
      return false;
    }
  };
  try {
    for (;;) {
      const identity = identityOf(path);
      if (identity === undefined) throw fileGone(path);
      if (attempt(() => share(lock, identity))) return { identity, release: () => lock.close() };
      if (busy !== undefined && performance.now() >= giveUpMs) throw busy;
      attempt(() => takeOver(lock, { path, isLogOfBefore }));
    }
  } catch (error) {
    lock.close();
    throw isSqliteBusy(error) ? heldByOthers(path, error) : explainOpening(lockPath, error);
  }
}

/**
 * The mark is read again after each attempt: another process may have recorded the same file in between, and then holds
 * the shared lock as long as it has the file open.
 */
const ATTEMPT_MS = 50;

function openLock(path: string, waitMs: number): DatabaseSync {
  try {
    return openExisting(path, waitMs);
  } catch (error) {
    throw explainOpening(path, error);
  }
}

/** Takes the shared lock if the file is the recorded one. */
function share(lock: DatabaseSync, identity: FileIdentity): boolean {
  // A journal in memory needs no space on a full disk.
  lock.exec('PRAGMA journal_mode = MEMORY; BEGIN');
  if (readMark(lock) === markOf(identity)) return true;
  lock.exec('ROLLBACK');
  return false;
}

/** Waits until no process has the previous file open, then records that another file has its path. */
function takeOver(
  lock: DatabaseSync,
  { path, isLogOfBefore }: { readonly path: string; readonly isLogOfBefore: boolean },
): boolean {
  lock.exec('BEGIN EXCLUSIVE');
  const identity = identityOf(path);
  if (identity === undefined || readMark(lock) === markOf(identity)) {
    // The file is gone, or another process recorded it meanwhile, and the log has its changes.
    lock.exec('ROLLBACK');
    return false;
  }
  // The log is empty, unless a process that had the previous file open was killed.
  if (isLogOfBefore) for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
  lock.exec(`PRAGMA user_version = ${markOf(identity)}; COMMIT`);
  return true;
}

/** A mark that fits into the header of the lock file; 0 means a new lock file. */
function markOf({ inode }: FileIdentity): number {
  return 1 + (inode % 0x7f_ff_ff_ff);
}

function readMark(lock: DatabaseSync): unknown {
  return lock.prepare('PRAGMA user_version').get()?.['user_version'];
}

export function lockPathOf(path: string): string {
  return `${path}-lock`;
}

export function fileLost(path: string): Error {
  return unusableFile(path, {
    problem: 'is missing, although it existed before',
    hint: `Put it back, or restore it from a backup: see docs/how-to/back-up-and-restore.md. To start with an empty one, remove ${lockPathOf(path)}.`,
  });
}

export function fileGone(path: string): Error {
  return unusableFile(path, {
    problem: 'is missing',
    hint: 'Put it back, or restore it from a backup: see docs/how-to/back-up-and-restore.md.',
  });
}

function heldByOthers(path: string, cause: unknown): Error {
  return unusableFile(path, {
    problem: 'was replaced, and another process has the previous file open',
    hint: 'Try again. If the error persists, look for a process that hangs.',
    cause,
  });
}
