import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from '../domain/sqlite-code.ts';
import { ControlError } from './control-error.ts';
import { explainBusy, isSqliteBusy } from './sqlite-busy.ts';
import { checkSchema, migrateSchema, type SqliteSchema } from './sqlite-schema.ts';

/** How long a statement waits for the lock of another process; its writes take milliseconds. */
export const BUSY_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 10;

const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/**
 * Opens an SQLite file of ours and brings it to the schema of today; creates it when absent,
 * readable and writable by its owner only (SQLite gives the files beside it the same mode).
 *
 * - WAL: readers and the one writer do not wait for each other, so a request never waits for
 *   another process. It needs a local file system.
 * - synchronous = FULL: what was reported as done, such as a revocation, survives a power loss.
 */
export function openSqliteFile(path: string, schema: SqliteSchema): DatabaseSync {
  createPrivateFile(path, schema);
  const database = openFile(path);
  try {
    explainBusy(() => {
      checkSchema(database, path, schema);
      switchToWal(database);
      database.exec('PRAGMA synchronous = FULL');
      migrateSchema(database, path, schema);
    }, schema.name);
    return database;
  } catch (error) {
    database.close();
    const code = sqliteCode(error);
    if (code === SQLITE_NOTADB) throw notADatabase(path, error);
    throw code === SQLITE_READONLY || code === SQLITE_CANTOPEN ? notWritable(path, error) : error;
  }
}

/**
 * SQLite would create the file with the mode that the umask leaves, so it is created before. The
 * flag `x` matters beyond that: it never opens a file that exists. Closing such a descriptor would
 * drop the locks that other connections of this process hold on the file (a rule of POSIX; see
 * "How To Corrupt An SQLite Database File", section 2.2).
 */
function createPrivateFile(path: string, { name }: SqliteSchema): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw new ControlError(
      `The ${name} ${path} cannot be created: ${error instanceof Error ? error.message : error}.`,
      'Check that the data directory exists and can be written.',
      { cause: error },
    );
  }
}

function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  } catch (error) {
    throw notWritable(path, error);
  }
}

function notWritable(path: string, cause: unknown): ControlError {
  return new ControlError(
    `${path} cannot be opened.`,
    'Check that it is a file that this user can read and write.',
    { cause },
  );
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

function notADatabase(path: string, cause: unknown): ControlError {
  return new ControlError(`${path} is not an SQLite file.`, 'Check the data directory.', { cause });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
