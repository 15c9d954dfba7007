import type { DatabaseSync } from 'node:sqlite';
import { ControlError } from './control-error.ts';
import { readInteger } from './sqlite-row.ts';
import { inTransaction } from './sqlite-transaction.ts';

/**
 * The steps from an empty file to the schema of today; step n leads from version n to n + 1. A step
 * that was released never changes: a correction is a new step.
 *
 * Times are milliseconds since 1970-01-01 UTC. Of a token only its SHA-256 is kept.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE organisation (
     id TEXT NOT NULL PRIMARY KEY,
     name TEXT NOT NULL,
     created INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE token (
     id TEXT NOT NULL PRIMARY KEY,
     organisation TEXT NOT NULL REFERENCES organisation (id),
     name TEXT NOT NULL,
     hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
     created INTEGER NOT NULL,
     expires INTEGER,
     last_used INTEGER,
     revoked INTEGER
   ) STRICT;
   CREATE TABLE secret (
     name TEXT NOT NULL PRIMARY KEY,
     value BLOB NOT NULL
   ) STRICT;`,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Marks the file as a control store of locmetrics: "lmcs" in ASCII. */
const APPLICATION_ID = 0x6c_6d_63_73;

/**
 * Throws a ControlError unless the file is empty or a control store that this version can use. It
 * only reads, so that a file of something else, or of a newer version, stays as it was.
 */
export function checkSchema(database: DatabaseSync, path: string): void {
  const { version, applicationId, isEmpty } = readState(database);
  if (!isEmpty && applicationId !== APPLICATION_ID) {
    throw new ControlError(
      `${path} is an SQLite file, but not a control store of locmetrics.`,
      'Check the data directory.',
    );
  }
  if (version > SCHEMA_VERSION) {
    throw new ControlError(
      `${path} was written by a newer version of locmetrics: its schema is ${version}, ` +
        `and this version knows those up to ${SCHEMA_VERSION}.`,
      'Run that newer version.',
    );
  }
}

/**
 * Brings the file to the schema of today in one transaction. The version is read again inside it:
 * of two processes that start at once, the second finds the work done.
 */
export function migrateSchema(database: DatabaseSync, path: string): void {
  if (readState(database).version === SCHEMA_VERSION) return;
  inTransaction(database, () => {
    checkSchema(database, path);
    for (const step of MIGRATIONS.slice(readState(database).version)) database.exec(step);
    // A PRAGMA takes no parameters; both numbers are constants of this file.
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/** In one statement, so that another process cannot create the tables between two answers. */
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
