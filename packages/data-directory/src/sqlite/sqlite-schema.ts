import type { DatabaseSync } from 'node:sqlite';
import { readInteger } from './sqlite-row.ts';
import { inTransaction } from './sqlite-transaction.ts';
import { unusableFile } from './unusable-file.ts';

/** The schema of an SQLite file, with its migrations. */
export type SqliteSchema = {
  /** For messages: `control store`. */
  readonly name: string;
  /** Marks the file as ours: four letters in ASCII. */
  readonly applicationId: number;
  /**
   * The migrations from an empty file to the current schema; step n migrates version n to n + 1. A
   * released step never changes: a correction is a new step.
   */
  readonly migrations: readonly string[];
  /** Gives a connection the functions that the migrations and their triggers call. Default: none. */
  readonly prepare?: (database: DatabaseSync) => void;
};

/**
 * Throws a ControlError unless the file is empty or usable by this version. It only reads, so that a
 * foreign file, or a file of a newer version, stays unchanged.
 */
export function checkSchema(database: DatabaseSync, path: string, schema: SqliteSchema): void {
  const { version, applicationId, isEmpty } = readState(database);
  if (!isEmpty && applicationId !== schema.applicationId) {
    throw unusableFile(path, {
      problem: `is an SQLite file, but not a ${schema.name} of locmetrics`,
      hint: 'Check the data directory.',
    });
  }
  const newest = schema.migrations.length;
  if (version > newest) {
    throw unusableFile(path, {
      problem:
        `was written by a newer version of locmetrics: its schema is ${version}, ` +
        `and this version knows those up to ${newest}`,
      hint: 'Run that newer version.',
    });
  }
}

/** Throws a ControlError unless the file already has the schema of this version. */
export function checkIsOfToday(database: DatabaseSync, path: string, schema: SqliteSchema): void {
  const { version, isEmpty } = readState(database);
  if (isEmpty) {
    throw unusableFile(path, {
      problem: 'is empty',
      hint: 'Restore it from a backup: see docs/how-to/back-up-and-restore.md.',
    });
  }
  if (version === schema.migrations.length) return;
  throw unusableFile(path, {
    problem: `was written by an earlier version of locmetrics: its schema is ${version}`,
    hint: 'Run a command that migrates it, such as locmetrics token list, or restart the service.',
  });
}

/**
 * Migrates the file to the current schema in one transaction. The version is read again inside it: if two
 * processes start at the same time, the second one has nothing left to do.
 */
export function migrateSchema(database: DatabaseSync, path: string, schema: SqliteSchema): void {
  const { migrations, applicationId } = schema;
  if (readState(database).version === migrations.length) return;
  inTransaction(database, () => {
    checkSchema(database, path, schema);
    for (const step of migrations.slice(readState(database).version)) database.exec(step);
    // A PRAGMA takes no parameters; both numbers are constants of the code.
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

/** One statement, so that another process cannot create the tables between two queries. */
function readState(database: DatabaseSync): {
  readonly version: number;
  readonly applicationId: number;
  readonly isEmpty: boolean;
} {
  const statement = database.prepare(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT application_id FROM pragma_application_id) AS application_id,
            (SELECT count(*) FROM sqlite_schema) AS tables`,
  );
  const row = statement.get() ?? {};
  const version = readInteger(row, 'version');
  const applicationId = readInteger(row, 'application_id');
  const isEmpty = version === 0 && applicationId === 0 && readInteger(row, 'tables') === 0;
  return { version, applicationId, isEmpty };
}
