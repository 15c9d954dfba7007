import { CHANGE_LOG_SCHEMA, type LoggedTable, logChangesSql } from '../postgres/change-log.ts';
import type { Postgres } from '../postgres/open-postgres.ts';
import { migratePostgres, type PostgresSchema } from '../postgres/postgres-schema.ts';

/**
 * The current versions, the small files of all versions, and which nodes use them. Rows of records are never in it.
 *
 * - `current_versions` has one row: the text of `current.json`, empty before the first publish. `revision` grows with
 *   each change of it.
 * - `made_switch` tells a node that lost its connection during a commit whether its switch was made.
 * - `announced_version`: what a running publish is about to make; `is_abandoned` once its data are being removed.
 * - `unkept_version`: since when a version is not kept, by the clock of the database.
 * - `node`: what each node that lives may use, with the time of its last report; since step 2 also where it is served, and
 *   the number of the last switch in its mirror (null if it is not known).
 */
export const VERSION_STORE_SCHEMA: PostgresSchema = {
  name: 'version store',
  migrations: [
    `CREATE TABLE current_versions (
       name text PRIMARY KEY DEFAULT 'current' CHECK (name = 'current'),
       content text NOT NULL DEFAULT '',
       revision bigint NOT NULL DEFAULT 0
     );
     INSERT INTO current_versions DEFAULT VALUES;
     ${logChangesSql('current_versions', ['name'])}
     CREATE TABLE made_switch (
       id text PRIMARY KEY,
       time timestamptz NOT NULL DEFAULT clock_timestamp()
     );
     CREATE TABLE version_file (
       dataset text,
       version text,
       name text,
       content text NOT NULL,
       PRIMARY KEY (dataset, version, name)
     );
     ${logChangesSql('version_file', ['dataset', 'version', 'name'])}
     CREATE TABLE announced_version (
       dataset text,
       version text,
       is_abandoned boolean NOT NULL DEFAULT false,
       PRIMARY KEY (dataset, version)
     );
     CREATE TABLE unkept_version (
       dataset text,
       version text,
       since timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (dataset, version)
     );
     CREATE TABLE node (
       id text PRIMARY KEY,
       host text NOT NULL,
       release text NOT NULL,
       started timestamptz NOT NULL DEFAULT clock_timestamp(),
       last_seen timestamptz NOT NULL DEFAULT clock_timestamp(),
       uses_for_ms bigint NOT NULL,
       leased text
     );
     CREATE TABLE webhook_delivery (
       name text PRIMARY KEY DEFAULT 'webhook' CHECK (name = 'webhook'),
       id text NOT NULL,
       told bigint NOT NULL
     );`,
    `ALTER TABLE node ADD COLUMN addresses text NOT NULL DEFAULT '[]', ADD COLUMN last_switch bigint;`,
  ],
};

/** Makes the tables where there are none yet, or brings them to their current version. */
export function migrateVersionStore(postgres: Postgres): Promise<void> {
  return migratePostgres(postgres, [CHANGE_LOG_SCHEMA, VERSION_STORE_SCHEMA]);
}

export const CURRENT_TABLE: LoggedTable = {
  name: 'current_versions',
  key: { name: 'text' },
  columns: ['name', 'content'],
};

export const FILE_TABLE: LoggedTable = {
  name: 'version_file',
  key: { dataset: 'text', version: 'text', name: 'text' },
  columns: ['dataset', 'version', 'name', 'content'],
};

/** The numbers of the locks that a connection holds. */
export const SHARED_LOCKS = {
  switch: 0x6c_6d_11,
  publish: 0x6c_6d_12,
  webhook: 0x6c_6d_13,
} as const;
