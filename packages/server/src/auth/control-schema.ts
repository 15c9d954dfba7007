import type { DatabaseSync } from 'node:sqlite';
import { ControlError } from './control-error.ts';
import { readInteger } from './sqlite-row.ts';
import { inTransaction } from './sqlite-transaction.ts';

/** A grant that narrows nothing, as it was stored when there were none before. */
const WHOLE_TERMS =
  `'{"filters":[],"lens":{"period":{},"dimensions":[],"addressComponents":[],"features":[],` +
  `"relatedAddressComponents":[],"relatedFeatures":[]},"showsSmallCells":false,` +
  `"liftsDefaultFilters":false}'`;
const NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

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
  // Who could read everything before goes on to: each organisation that exists gets a grant of all.
  `ALTER TABLE organisation ADD COLUMN rights_version INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE token ADD COLUMN scopes TEXT NOT NULL DEFAULT 'catalog,metrics,usage';
   ALTER TABLE token ADD COLUMN replaced_by TEXT REFERENCES token (id);
   CREATE TABLE access_grant (
     id TEXT NOT NULL PRIMARY KEY,
     organisation TEXT NOT NULL REFERENCES organisation (id),
     pattern TEXT NOT NULL,
     terms TEXT NOT NULL CHECK (json_valid(terms)),
     starts INTEGER,
     ends INTEGER,
     created INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX access_grant_organisation ON access_grant (organisation);
   CREATE TABLE organisation_limit (
     organisation TEXT NOT NULL PRIMARY KEY REFERENCES organisation (id),
     requests_per_second REAL,
     burst INTEGER,
     rows_per_day INTEGER,
     rows_per_month INTEGER,
     concurrent_queries INTEGER
   ) STRICT;
   CREATE TABLE audit (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     time INTEGER NOT NULL,
     actor TEXT NOT NULL CHECK (json_valid(actor)),
     action TEXT NOT NULL,
     organisation TEXT NOT NULL,
     subject TEXT NOT NULL,
     details TEXT NOT NULL CHECK (json_valid(details))
   ) STRICT;
   CREATE INDEX audit_organisation ON audit (organisation);
   CREATE TRIGGER access_grant_added AFTER INSERT ON access_grant BEGIN
     UPDATE organisation SET rights_version = rights_version + 1 WHERE id = NEW.organisation;
   END;
   CREATE TRIGGER access_grant_changed AFTER UPDATE ON access_grant BEGIN
     UPDATE organisation SET rights_version = rights_version + 1
     WHERE id IN (OLD.organisation, NEW.organisation);
   END;
   CREATE TRIGGER access_grant_removed AFTER DELETE ON access_grant BEGIN
     UPDATE organisation SET rights_version = rights_version + 1 WHERE id = OLD.organisation;
   END;
   CREATE TRIGGER organisation_limit_added AFTER INSERT ON organisation_limit BEGIN
     UPDATE organisation SET rights_version = rights_version + 1 WHERE id = NEW.organisation;
   END;
   CREATE TRIGGER organisation_limit_changed AFTER UPDATE ON organisation_limit BEGIN
     UPDATE organisation SET rights_version = rights_version + 1
     WHERE id IN (OLD.organisation, NEW.organisation);
   END;
   CREATE TRIGGER organisation_limit_removed AFTER DELETE ON organisation_limit BEGIN
     UPDATE organisation SET rights_version = rights_version + 1 WHERE id = OLD.organisation;
   END;
   CREATE TRIGGER audit_not_changed BEFORE UPDATE ON audit BEGIN
     SELECT RAISE(ABORT, 'The audit log is only appended to.');
   END;
   CREATE TRIGGER audit_not_removed BEFORE DELETE ON audit BEGIN
     SELECT RAISE(ABORT, 'The audit log is only appended to.');
   END;
   -- REPLACE removes without a trigger of DELETE.
   CREATE TRIGGER audit_not_replaced BEFORE INSERT ON audit
   WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id) BEGIN
     SELECT RAISE(ABORT, 'The audit log is only appended to.');
   END;
   INSERT INTO access_grant (id, organisation, pattern, terms, created)
   SELECT lower(hex(randomblob(6))), id, '*', ${WHOLE_TERMS}, ${NOW_MS} FROM organisation;
   INSERT INTO audit (time, actor, action, organisation, subject, details)
   SELECT created, '{"kind":"upgrade"}', 'grant.add', organisation, id,
     json_insert(terms, '$.pattern', pattern)
   FROM access_grant ORDER BY organisation;`,
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
