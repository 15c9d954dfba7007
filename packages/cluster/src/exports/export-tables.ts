import type { PostgresSchema } from '../postgres/postgres-schema.ts';

/**
 * The exports of all nodes, with the meaning of the columns in `export-schema.ts`.
 *
 * - `export.node`: the URL of the node that writes it and has its files.
 * - `export_node`: when each node has last looked for exports.
 */
export const SHARED_EXPORT_SCHEMA: PostgresSchema = {
  name: 'export store',
  migrations: [
    `CREATE TABLE export (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       id text NOT NULL UNIQUE,
       node text NOT NULL,
       organisation text NOT NULL,
       token text NOT NULL,
       rights text NOT NULL,
       state text NOT NULL CHECK (state IN ('waiting', 'running', 'completed', 'failed')),
       created bigint NOT NULL,
       updated bigint NOT NULL,
       expires bigint,
       request text NOT NULL,
       format text NOT NULL,
       filename_prefix text NOT NULL,
       row_limit bigint NOT NULL,
       rows bigint NOT NULL,
       rows_written bigint NOT NULL DEFAULT 0,
       rows_charged bigint NOT NULL DEFAULT 0,
       bytes bigint NOT NULL DEFAULT 0,
       files text NOT NULL DEFAULT '[]',
       failure_reason text,
       failure_message text,
       claim text,
       claimed_until timestamptz,
       attempts bigint NOT NULL DEFAULT 0
     );
     CREATE INDEX export_of_token ON export (token, number);
     CREATE INDEX export_by_state ON export (state, organisation, number);
     CREATE TABLE export_node (
       url text PRIMARY KEY,
       last_seen timestamptz NOT NULL DEFAULT clock_timestamp()
     );`,
    'ALTER TABLE export ADD COLUMN keep bigint',
  ],
};

/** Held while an export is added or claimed, so that two nodes do not claim the same one. */
export const CLAIM_LOCK = 0x6c_6d_21;
