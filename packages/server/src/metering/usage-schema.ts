import type { SqliteSchema } from '@locmetrics/data-directory/sqlite/sqlite-schema';

/**
 * - `record`: single records, removed after the retention time. They are inserted in the order of time.
 * - `used`: their sums, kept for ever.
 * - `segment`: how much of each segment is merged. The row stays until the file is removed; file names are
 *   never reused.
 *
 * Times are milliseconds since 1970-01-01 UTC, days are `YYYY-MM-DD` in UTC.
 */
export const USAGE_SCHEMA: SqliteSchema = {
  name: 'usage store',
  // "lmus" in ASCII.
  applicationId: 0x6c_6d_75_73,
  migrations: [
    `CREATE TABLE record (
       id INTEGER PRIMARY KEY,
       time INTEGER NOT NULL,
       organisation TEXT NOT NULL,
       token TEXT NOT NULL,
       operation TEXT NOT NULL,
       resource TEXT NOT NULL,
       rows INTEGER NOT NULL,
       bytes INTEGER NOT NULL,
       request TEXT NOT NULL
     ) STRICT;
     CREATE INDEX record_of_organisation ON record (organisation, time);
     CREATE TABLE used (
       organisation TEXT NOT NULL,
       day TEXT NOT NULL,
       token TEXT NOT NULL,
       operation TEXT NOT NULL,
       resource TEXT NOT NULL,
       requests INTEGER NOT NULL,
       rows INTEGER NOT NULL,
       bytes INTEGER NOT NULL,
       PRIMARY KEY (organisation, day, token, operation, resource)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE segment (
       name TEXT NOT NULL PRIMARY KEY,
       merged_bytes INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID;`,
  ],
};
