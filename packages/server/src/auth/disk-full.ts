import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sqliteCode } from '../domain/sqlite-code.ts';
import { ControlError } from './control-error.ts';

const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** Blocks of every usual file system are smaller. */
const PROBE_BYTES = 2 ** 14;

/**
 * Whether an error with a file of SQLite means that its disk is full. SQLite says so of a write alone: a
 * shared-memory file that cannot grow, an exhausted quota and a disk without inodes are errors of input
 * and output to it, which other causes have too. Then a small file beside it shows which it is.
 */
export function isDiskFull(error: unknown, path: string): boolean {
  const code = sqliteCode(error);
  if (code === SQLITE_FULL || isNoSpace(error)) return true;
  return (code === SQLITE_IOERR || code === SQLITE_CANTOPEN) && !hasRoom(dirname(path));
}

/** Whether a call of the system failed because the disk, or the user's share of it, is full. */
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
    `Make room, for example with locmetrics gc. ${STILL_POSSIBLE}`,
    {
      reason: 'DISK_FULL',
      forCallers: {
        message: 'The disk of the data directory is full: nothing was changed.',
        hint: `Make room on it. ${STILL_POSSIBLE}`,
      },
      cause,
    },
  );
}

const STILL_POSSIBLE = 'Tokens can be revoked and grants removed all the same.';
