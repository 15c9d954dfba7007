import type { SqliteSchema } from '@locmetrics/data-directory/sqlite/sqlite-schema';
import { addRowChecksum } from './row-checksum.ts';

/** A grant without narrowing, as stored by the first schema with terms. */
const WHOLE_TERMS =
  `'{"filters":[],"lens":{"period":{},"dimensions":[],"addressComponents":[],"features":[],` +
  `"relatedAddressComponents":[],"relatedFeatures":[]},"showsSmallCells":false,` +
  `"liftsDefaultFilters":false}'`;
const NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

/** The columns that a checksum covered in the step that added checksums. */
const CHECKED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  organisation: ['id', 'name', 'created', 'suspended', 'rights_checksum'],
  token: [
    ...['id', 'organisation', 'name', 'hash', 'created', 'expires'],
    ...['revoked', 'scopes', 'replaced_by'],
  ],
  access_grant: ['id', 'organisation', 'pattern', 'terms', 'starts', 'ends', 'created'],
  organisation_limit: [
    ...['organisation', 'requests_per_second', 'burst'],
    ...['rows_per_day', 'rows_per_month', 'concurrent_queries'],
  ],
  sign_in_link: ['id', 'organisation', 'scopes', 'hash', 'created', 'expires'],
  secret: ['name', 'value', 'replaced'],
};

/** 52 bits: see `row_checksum`. */
const MASK = '4503599627370495';

/** The rows of a mirror have the checksums that PostgreSQL has made. */
const UNLESS_MIRROR = 'WHEN NOT EXISTS (SELECT 1 FROM mirror)';

/** As before, but a checksum that is written after its row is no second change. */
const RIGHTS_CHANGED_AGAIN = ['access_grant', 'organisation_limit']
  .map(
    (name) => `DROP TRIGGER ${name}_changed;
    CREATE TRIGGER ${name}_changed
    AFTER UPDATE OF ${(CHECKED_COLUMNS[name] ?? []).join(', ')} ON ${name} BEGIN
      UPDATE organisation SET rights_version = rights_version + 1
      WHERE id IN (OLD.organisation, NEW.organisation);
    END;`,
  )
  .join('\n');

/** Adds the checksums of what is there, and triggers that write them with each change. */
function addChecksums(): string {
  const names = Object.keys(CHECKED_COLUMNS);
  const columnsOf = (name: string): string => (CHECKED_COLUMNS[name] ?? []).join(', ');
  const sealed = (name: string): string =>
    `UPDATE ${name} SET checksum = row_checksum('${name}', ${columnsOf(name)})`;
  const added = names.map(
    (name) => `ALTER TABLE ${name} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;`,
  );
  const filled = names.filter((name) => name !== 'organisation').map((name) => `${sealed(name)};`);
  const triggers = names.map(
    (
      name,
    ) => `CREATE TRIGGER ${name}_inserted_checksum AFTER INSERT ON ${name} ${UNLESS_MIRROR} BEGIN
      ${sealed(name)} WHERE rowid = NEW.rowid;
    END;
    CREATE TRIGGER ${name}_updated_checksum AFTER UPDATE OF ${columnsOf(name)} ON ${name} ${UNLESS_MIRROR} BEGIN
      ${sealed(name)} WHERE rowid = NEW.rowid;
    END;`,
  );
  // A sum, so that a change costs the same however many grants there are, and a wrong sum stays wrong.
  const sums = ['access_grant', 'organisation_limit'].map(
    (
      name,
    ) => `CREATE TRIGGER ${name}_checksum_changed AFTER UPDATE OF checksum ON ${name} ${UNLESS_MIRROR} BEGIN
      UPDATE organisation SET rights_checksum =
        ((rights_checksum & ${MASK}) - (OLD.checksum & ${MASK})) & ${MASK} WHERE id = OLD.organisation;
      UPDATE organisation SET rights_checksum =
        ((rights_checksum & ${MASK}) + (NEW.checksum & ${MASK})) & ${MASK} WHERE id = NEW.organisation;
    END;
    CREATE TRIGGER ${name}_checksum_removed AFTER DELETE ON ${name} ${UNLESS_MIRROR} BEGIN
      UPDATE organisation SET rights_checksum =
        ((rights_checksum & ${MASK}) - (OLD.checksum & ${MASK})) & ${MASK} WHERE id = OLD.organisation;
    END;`,
  );
  return `ALTER TABLE secret ADD COLUMN replaced INTEGER;
    ALTER TABLE organisation ADD COLUMN rights_checksum INTEGER NOT NULL DEFAULT 0;
    ${added.join('\n')}
    DROP TRIGGER organisation_changed;
    CREATE TRIGGER organisation_changed
    AFTER UPDATE OF id, name, created, rights_version, suspended ON organisation BEGIN
      INSERT INTO caller_change (organisation) VALUES (OLD.id);
    END;
    ${RIGHTS_CHANGED_AGAIN}
    ${filled.join('\n')}
    UPDATE organisation SET rights_checksum = (
      (SELECT coalesce(sum(checksum), 0) FROM access_grant AS rows WHERE rows.organisation = organisation.id) +
      (SELECT coalesce(sum(checksum), 0) FROM organisation_limit AS rows WHERE rows.organisation = organisation.id)
    ) & ${MASK};
    ${sealed('organisation')};
    ${triggers.join('\n')}
    ${sums.join('\n')}
    -- The mirror is copied again, with the checksums of PostgreSQL.
    UPDATE mirror SET store = '', number = 0;`;
}

/** The checksum covers the new column only if it has a value: see `RightsTable`. */
function addViewedRows(): string {
  const name = 'organisation_limit';
  const before = (CHECKED_COLUMNS[name] ?? []).join(', ');
  const columns = `${before}, viewed_rows_per_day`;
  const sealed = `UPDATE ${name} SET checksum = iif(viewed_rows_per_day IS NULL,
    row_checksum('${name}', ${before}), row_checksum('${name}', ${columns}))`;
  return `ALTER TABLE ${name} ADD COLUMN viewed_rows_per_day INTEGER;
    DROP TRIGGER ${name}_inserted_checksum;
    DROP TRIGGER ${name}_updated_checksum;
    DROP TRIGGER ${name}_changed;
    CREATE TRIGGER ${name}_inserted_checksum AFTER INSERT ON ${name} ${UNLESS_MIRROR} BEGIN
      ${sealed} WHERE rowid = NEW.rowid;
    END;
    CREATE TRIGGER ${name}_updated_checksum AFTER UPDATE OF ${columns} ON ${name} ${UNLESS_MIRROR} BEGIN
      ${sealed} WHERE rowid = NEW.rowid;
    END;
    CREATE TRIGGER ${name}_changed AFTER UPDATE OF ${columns} ON ${name} BEGIN
      UPDATE organisation SET rights_version = rights_version + 1
      WHERE id IN (OLD.organisation, NEW.organisation);
    END;
    -- A mirror reads the new column too.
    UPDATE mirror SET store = '', number = 0;`;
}

/**
 * The migrations from an empty file to the current schema; step n migrates version n to n + 1. A released
 * step never changes: a correction is a new step.
 *
 * Times are milliseconds since 1970-01-01 UTC. Only the SHA-256 of a token is stored.
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
  // Before this step every organisation could read everything, so each one gets a grant of everything.
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
  // Changes with everything that decides who a caller is and what it may see, but not with `last_used`.
  `CREATE TABLE revision (number INTEGER NOT NULL) STRICT;
   INSERT INTO revision (number) VALUES (0);
   CREATE TRIGGER token_changed
   AFTER UPDATE OF id, organisation, hash, scopes, expires, revoked ON token BEGIN
     UPDATE revision SET number = number + 1;
   END;
   CREATE TRIGGER token_removed AFTER DELETE ON token BEGIN
     UPDATE revision SET number = number + 1;
   END;
   CREATE TRIGGER organisation_changed AFTER UPDATE ON organisation BEGIN
     UPDATE revision SET number = number + 1;
   END;
   CREATE TRIGGER organisation_removed AFTER DELETE ON organisation BEGIN
     UPDATE revision SET number = number + 1;
   END;`,
  // Tells whose callers have changed, so that all others may be kept. The last thousand changes are enough.
  `DROP TRIGGER token_changed;
   DROP TRIGGER token_removed;
   DROP TRIGGER organisation_changed;
   DROP TRIGGER organisation_removed;
   DROP TABLE revision;
   CREATE TABLE caller_change (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     token TEXT,
     organisation TEXT,
     CHECK ((token IS NULL) <> (organisation IS NULL))
   ) STRICT;
   CREATE TRIGGER caller_change_added AFTER INSERT ON caller_change BEGIN
     DELETE FROM caller_change WHERE number <= NEW.number - 1000;
   END;
   CREATE TRIGGER token_changed
   AFTER UPDATE OF id, organisation, hash, scopes, expires, revoked ON token BEGIN
     INSERT INTO caller_change (token) VALUES (OLD.id);
   END;
   CREATE TRIGGER token_removed AFTER DELETE ON token BEGIN
     INSERT INTO caller_change (token) VALUES (OLD.id);
   END;
   CREATE TRIGGER organisation_changed AFTER UPDATE ON organisation BEGIN
     INSERT INTO caller_change (organisation) VALUES (OLD.id);
   END;
   CREATE TRIGGER organisation_removed AFTER DELETE ON organisation BEGIN
     INSERT INTO caller_change (organisation) VALUES (OLD.id);
   END;`,
  // `organisation_changed` writes this change too, so no caller of a suspended organisation is kept.
  'ALTER TABLE organisation ADD COLUMN suspended INTEGER;',
  // A link is removed when it is used. Its code is stored like a token: only the SHA-256.
  `CREATE TABLE sign_in_link (
     id TEXT NOT NULL PRIMARY KEY,
     organisation TEXT NOT NULL REFERENCES organisation (id),
     scopes TEXT NOT NULL,
     hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
     created INTEGER NOT NULL,
     expires INTEGER NOT NULL
   ) STRICT;`,
  // A file with this row mirrors a store in PostgreSQL, which protects the audit log there.
  `CREATE TABLE mirror (
     is_only INTEGER NOT NULL PRIMARY KEY CHECK (is_only = 1),
     store TEXT NOT NULL,
     number INTEGER NOT NULL,
     address TEXT NOT NULL,
     looked INTEGER NOT NULL
   ) STRICT;
   DROP TRIGGER audit_not_changed;
   DROP TRIGGER audit_not_removed;
   DROP TRIGGER audit_not_replaced;
   CREATE TRIGGER audit_not_changed BEFORE UPDATE ON audit
   WHEN NOT EXISTS (SELECT 1 FROM mirror) BEGIN
     SELECT RAISE(ABORT, 'The audit log is only appended to.');
   END;
   CREATE TRIGGER audit_not_removed BEFORE DELETE ON audit
   WHEN NOT EXISTS (SELECT 1 FROM mirror) BEGIN
     SELECT RAISE(ABORT, 'The audit log is only appended to.');
   END;
   CREATE TRIGGER audit_not_replaced BEFORE INSERT ON audit
   WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id) AND NOT EXISTS (SELECT 1 FROM mirror) BEGIN
     SELECT RAISE(ABORT, 'The audit log is only appended to.');
   END;`,
  addChecksums(),
  addViewedRows(),
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export const CONTROL_SCHEMA: SqliteSchema = {
  name: 'control store',
  // "lmcs" in ASCII.
  applicationId: 0x6c_6d_63_73,
  migrations: MIGRATIONS,
  prepare: addRowChecksum,
};
