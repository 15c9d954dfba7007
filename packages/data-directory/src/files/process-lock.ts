import { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from '../sqlite/sqlite-code.ts';
import { DataDirectoryError } from './data-directory-error.ts';

export type ProcessLock = { readonly release: () => void };

/**
 * Takes an exclusive lock between processes, or returns undefined if another process holds it until the
 * timeout. It is an SQLite lock on a separate file. The system releases it when the process ends, even after a
 * kill. Waiting blocks the event loop.
 */
export function takeProcessLock(path: string, waitMs = 0): ProcessLock | undefined {
  const database = openFile(path);
  try {
    // A journal in memory needs no space on a full disk.
    database.exec(
      `PRAGMA busy_timeout = ${Math.ceil(waitMs)}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`,
    );
  } catch (error) {
    database.close();
    switch (sqliteCode(error)) {
      case SQLITE_BUSY:
        return undefined;
      case SQLITE_READONLY:
        throw notWritable(path, error);
      case SQLITE_IOERR:
        throw notLockable(path, error);
      default:
        throw error;
    }
  }
  return { release: () => database.close() };
}

function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw sqliteCode(error) === SQLITE_CANTOPEN ? notWritable(path, error) : error;
  }
}

function notWritable(path: string, cause: unknown): DataDirectoryError {
  return new DataDirectoryError(
    `${path} cannot be written.`,
    'Run the command as the user who owns the data directory, on a disk that is not read-only.',
    { cause },
  );
}

function notLockable(path: string, cause: unknown): DataDirectoryError {
  return new DataDirectoryError(
    `${path} cannot be locked: its file system refuses it.`,
    'Keep the data directory on a local disk, whose file system has locks.',
    { cause },
  );
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CANTOPEN = 14;
