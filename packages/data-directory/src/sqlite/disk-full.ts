import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { sqliteCode } from './sqlite-code.ts';

const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** Larger than a block of any common file system. */
const PROBE_BYTES = 2 ** 14;

/**
 * Whether an error of SQLite means that its disk is full. SQLite reports that only for a write. If a
 * shared-memory file cannot grow, a quota is exhausted or no inode is left, it reports a general I/O error.
 * In that case a small test file in the same folder shows the cause.
 */
export function isDiskFull(error: unknown, path: string): boolean {
  const code = sqliteCode(error);
  if (code === SQLITE_FULL || isNoSpace(error)) return true;
  return (code === SQLITE_IOERR || code === SQLITE_CANTOPEN) && !hasRoom(dirname(path));
}

/** Whether a system call failed because the disk, or the quota of the user, is full. */
export function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_SPACE.has(error.code);
}

const NO_SPACE: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

function hasRoom(folder: string): boolean {
  const path = join(folder, `.room-${process.pid}`);
  try {
    writeFileSync(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
    return true;
  } catch (error) {
    return !isNoSpace(error);
  } finally {
    rmSync(path, { force: true });
  }
}

export function diskFull(path: string, cause: unknown): ControlError {
  return new ControlError(
    `The disk of ${dirname(path)} is full: nothing was changed.`,
    `Free some space, for example with locmetrics gc. ${STILL_POSSIBLE}`,
    {
      reason: 'DISK_FULL',
      forCallers: {
        message: 'The disk of the data directory is full: nothing was changed.',
        hint: `Free some space. ${STILL_POSSIBLE}`,
      },
      cause,
    },
  );
}

const STILL_POSSIBLE = 'Tokens can still be revoked, grants removed and organisations suspended.';
