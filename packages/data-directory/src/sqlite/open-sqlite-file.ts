import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDiskFull } from './disk-full.ts';
import { isSqliteBusy } from './explain-sqlite.ts';
import { sqliteCode } from './sqlite-code.ts';
import { checkIsOfToday, checkSchema, migrateSchema, type SqliteSchema } from './sqlite-schema.ts';
import { damagedFile, unusableFile } from './unusable-file.ts';

/** The lock timeout of a statement; writes of other processes take milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 10;

const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

export type SqliteFileOptions = {
  /** Whether an empty file gets the tables, and an older schema is migrated. */
  readonly mayMigrate: boolean;
  /** Whether all pages are checked for damage. */
  readonly checksContent?: boolean;
  /** Whether the access is exclusive, which needs no shared-memory file. */
  readonly isAlone?: boolean;
  /** Called after the file is opened and before it is read. Throws if another file has the path now. */
  readonly check?: () => void;
};

/**
 * Opens an existing SQLite file and migrates it to the current schema. Throws a ControlError, or the error
 * of SQLite if the disk is full or the file is locked.
 *
 * - WAL: readers and the writer do not block each other, so a request never waits for another process. It
 *   needs a local file system.
 * - synchronous = FULL: a confirmed change, such as a revocation, survives a power failure.
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
    schema.prepare?.(database);
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

/** Opens a file without creating it: SQLite would create it with the mode of the umask. */
export function openExisting(path: string, timeout: number): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  return new DatabaseSync(url, { timeout, enableForeignKeyConstraints: true });
}

/** `quick_check` reads each page once; with 10,000 tokens it takes about 10 ms. */
function checkContent(database: DatabaseSync, path: string): void {
  const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
  if (found !== 'ok') throw damagedFile(path);
}

/** The message of an error of SQLite about a file that it cannot open or write. Any other error is returned unchanged. */
export function explainOpening(path: string, error: unknown): unknown {
  if (isDiskFull(error, path)) return error;
  switch (sqliteCode(error)) {
    case SQLITE_NOTADB:
      return unusableFile(path, {
        problem: 'is not an SQLite file',
        hint: 'Check the data directory.',
        cause: error,
      });
    case SQLITE_CORRUPT:
      return damagedFile(path, error);
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

/**
 * This statement fails immediately if another process runs it too, in spite of the busy timeout, because
 * SQLite detects a possible deadlock. That only happens with a new file.
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

/** Blocks the event loop, as every statement of node:sqlite does. */
function sleep(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}
