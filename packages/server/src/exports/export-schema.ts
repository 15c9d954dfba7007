import type { SqliteSchema } from '@locmetrics/data-directory/sqlite/sqlite-schema';

/** Times are milliseconds since 1970-01-01 UTC. */
export const EXPORT_SCHEMA: SqliteSchema = {
  name: 'export store',
  // "lmex" in ASCII.
  applicationId: 0x6c_6d_65_78,
  migrations: [
    `CREATE TABLE export (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       organisation TEXT NOT NULL,
       token TEXT NOT NULL,
       rights TEXT NOT NULL,
       state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'completed', 'failed')),
       created INTEGER NOT NULL,
       updated INTEGER NOT NULL,
       expires INTEGER,
       request TEXT NOT NULL,
       format TEXT NOT NULL,
       filename_prefix TEXT NOT NULL,
       row_limit INTEGER NOT NULL,
       rows INTEGER NOT NULL,
       rows_written INTEGER NOT NULL,
       rows_charged INTEGER NOT NULL,
       bytes INTEGER NOT NULL,
       files TEXT NOT NULL,
       failure_reason TEXT,
       failure_message TEXT,
       claim TEXT,
       claimed_until INTEGER,
       attempts INTEGER NOT NULL
     ) STRICT;
     CREATE INDEX export_of_token ON export (token, number);
     CREATE INDEX export_by_state ON export (state, organisation, number);`,
    // How long its files are kept, in ms; null: as long as the service keeps files.
    'ALTER TABLE export ADD COLUMN keep INTEGER',
  ],
};
