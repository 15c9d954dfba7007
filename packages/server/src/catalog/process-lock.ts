import { DatabaseSync } from 'node:sqlite';

export type ProcessLock = { readonly release: () => void };

/**
 * Takes a lock that one process at a time can have, or gives undefined when another has had it for the
 * whole time. It is one of SQLite on a file of its own, which the system releases with the process,
 * however that ends. It waits without turning the event loop.
 */
export function takeProcessLock(path: string, waitMs = 0): ProcessLock | undefined {
  const database = new DatabaseSync(path);
  try {
    // A journal in memory needs no room on a disk that is full.
    database.exec(
      `PRAGMA busy_timeout = ${Math.ceil(waitMs)}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`,
    );
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      return undefined;
    }
    throw error;
  }
  return { release: () => database.close() };
}

const SQLITE_BUSY = 5;
