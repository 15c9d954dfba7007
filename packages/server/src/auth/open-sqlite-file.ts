import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { sqliteCode } from '../domain/sqlite-code.ts';
import { unusableFile } from './control-error.ts';
import { isDiskFull } from './disk-full.ts';
import { isSqliteBusy } from './explain-sqlite.ts';
import { checkIsOfToday, checkSchema, migrateSchema, type SqliteSchema } from './sqlite-schema.ts';

/** How long a statement waits for the lock of another process; its writes take milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 10;

const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

export type SqliteFileOptions = {
  /** Whether an empty file gets the tables, and those of an earlier release are brought to today's. */
  readonly mayMigrate: boolean;
  /** Whether all pages are read, to see that none is damaged. */
  readonly checksContent?: boolean;
  /** Whether no other process can have the file open meanwhile: that needs no room for a file to share. */
  readonly isAlone?: boolean;
  /** Asked once the file is open and before it is read. Throws where another one is in its place. */
  readonly check?: () => void;
};

/**
 * Opens an SQLite file of ours, which is there, and brings it to the schema of today. Throws a ControlError,
 * or the error of SQLite where the disk is full or the file is locked.
 *
 * - WAL: readers and the one writer do not wait for each other, so a request never waits for
 *   another process. It needs a local file system.
 * - synchronous = FULL: what was reported as done, such as a revocation, survives a power loss.
 */
export function openSqliteFile(
  path: string,
  schema: SqliteSchema,
  { mayMigrate, checksContent = false, isAlone = false, check = () => {} }: SqliteFileOptions,
): DatabaseSync {
  const database = openFile(path);
  try {
    check();
    if (isAlone) database.exec('PRAGMA locking_mode = EXCLUSIVE');
    checkSchema(database, path, schema);
    if (!mayMigrate) checkIsOfToday(database, path, schema);
    if (checksContent) checkContent(database, path);
    switchToWal(database);
    database.exec('PRAGMA synchronous = FULL');
    migrateSchema(database, path, schema);
    return database;
  } catch (error) {
    database.close();
    throw explainOpening(path, error);
  }
}

function openFile(path: string): DatabaseSync {
  try {
    return openExisting(path, BUSY_TIMEOUT_MS);
  } catch (error) {
    throw notWritable(path, error);
  }
}

/** Opens a file and never makes one: SQLite would, with the mode that the umask leaves. */
export function openExisting(path: string, timeout: number): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  return new DatabaseSync(url, { timeout, enableForeignKeyConstraints: true });
}

/** `quick_check` reads each page once; of 10,000 tokens it takes some 10 ms. */
function checkContent(database: DatabaseSync, path: string): void {
  const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
  if (found !== 'ok') throw damaged(path);
}

function explainOpening(path: string, error: unknown): unknown {
  if (isDiskFull(error, path)) return error;
  switch (sqliteCode(error)) {
    case SQLITE_NOTADB:
      return unusableFile(path, {
        problem: 'is not an SQLite file',
        hint: 'Check the data directory.',
        cause: error,
      });
    case SQLITE_CORRUPT:
      return damaged(path, error);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return notWritable(path, error);
    default:
      return error;
  }
}

function notWritable(path: string, cause: unknown): Error {
  return unusableFile(path, {
    problem: 'cannot be opened',
    hint: 'Check that it is a file that this user can read and write.',
    cause,
  });
}

function damaged(path: string, cause?: unknown): Error {
  return unusableFile(path, {
    problem: 'is damaged',
    hint: 'Restore it from a backup: see docs/how-to/back-up-and-restore.md.',
    cause,
  });
}

/**
 * The one statement that fails at once when another process does the same, whatever the busy
 * timeout: SQLite sees a possible deadlock. It happens only while the file is new.
 */
function switchToWal(database: DatabaseSync): void {
  const giveUpAtMs = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() > giveUpAtMs) throw error;
      sleep(RETRY_AFTER_MS);
    }
  }
}

/** Waits without the event loop, as every statement of node:sqlite does. */
function sleep(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}
