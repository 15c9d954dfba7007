import { rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { unusableFile } from './control-error.ts';
import { isSqliteBusy } from './explain-sqlite.ts';
import { openExisting } from './open-sqlite-file.ts';
import { createPrivateFile } from './private-file.ts';

/** Which file has a path: another one that is moved there has another inode. */
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

/** Changes with what is in a file, too. */
export function stampOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${ino}:${size}:${mtimeMs}`;
}

/** Says to all processes that a file is open here, until it is released. */
export type FileHold = { readonly identity: FileIdentity; readonly release: () => void };

/**
 * Holds an SQLite file that is about to be opened.
 *
 * SQLite finds the write-ahead log of a file by the file's name. Where another file is moved to the name
 * while processes have the one before open, whoever opens the new one gets the log of the old one with it,
 * and damages the new one. So that is opened when nobody has the old one open any more, and each that lets go
 * of the old one empties its log. Two things say so, in a small file `-lock` beside it: a lock, which all
 * share that have the file open, and which is lost with the process; and the number of the inode they opened.
 */
export function holdFile(
  path: string,
  { waitMs, isLogOfBefore }: { readonly waitMs: number; readonly isLogOfBefore: boolean },
): FileHold {
  const lockPath = lockPathOf(path);
  createPrivateFile(lockPath);
  const lock = openExisting(lockPath, waitMs);
  try {
    // A journal in memory needs no room on a disk that is full.
    lock.exec('PRAGMA journal_mode = MEMORY');
    for (;;) {
      const identity = identityOf(path);
      if (identity === undefined) throw fileGone(path);
      lock.exec('BEGIN');
      if (readMark(lock) === markOf(identity)) return { identity, release: () => lock.close() };
      lock.exec('ROLLBACK');
      takeOver(lock, { path, mark: markOf(identity), isLogOfBefore });
    }
  } catch (error) {
    lock.close();
    throw isSqliteBusy(error) ? heldByOthers(path, error) : error;
  }
}

/** Waits until nobody has the file before open, and says that another one is in its place. */
function takeOver(
  lock: DatabaseSync,
  { path, mark, isLogOfBefore }: { path: string; mark: number; isLogOfBefore: boolean },
): void {
  lock.exec('BEGIN EXCLUSIVE');
  // Nothing is left in it, but where a process that had the file before open was killed.
  if (isLogOfBefore) for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
  lock.exec(`PRAGMA user_version = ${mark}; COMMIT`);
}

/** What fits into the header of the lock file; 0 is that of a new one. */
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
    problem: 'is not there, though it was',
    hint: `Put it back, or restore it from a backup: see docs/how-to/back-up-and-restore.md. To begin with an empty one, remove ${lockPathOf(path)}.`,
  });
}

export function fileGone(path: string): Error {
  return unusableFile(path, {
    problem: 'is not there',
    hint: 'Put it back, or restore it from a backup: see docs/how-to/back-up-and-restore.md.',
  });
}

function heldByOthers(path: string, cause: unknown): Error {
  return unusableFile(path, {
    problem: 'was replaced, and another process has the file before it open',
    hint: 'Try again; if it stays, look for a process that does not end or answer.',
    cause,
  });
}
