import type { PostgresSchema } from '../postgres/postgres-schema.ts';

/**
 * The usage of all nodes in PostgreSQL, with the meaning of the tables in `usage-schema.ts`:
 *
 * - `usage_record`: single records, removed after the retention time. They are inserted nearly in the order of time.
 * - `usage_sum`: their sums, kept for ever.
 * - `usage_segment`: how much of each segment is merged. The row stays for a while after the file is removed, so that
 *   a segment which comes back with an old copy of its disk is not merged again.
 *
 * Texts are compared byte by byte, as SQLite does.
 */
export const POSTGRES_USAGE_SCHEMA: PostgresSchema = {
  name: 'usage store',
  migrations: [
    `CREATE TABLE usage_record (
       id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       time bigint NOT NULL,
       organisation text COLLATE "C" NOT NULL,
       token text COLLATE "C" NOT NULL,
       operation text COLLATE "C" NOT NULL,
       resource text COLLATE "C" NOT NULL,
       rows bigint NOT NULL,
       bytes bigint NOT NULL,
       request text COLLATE "C" NOT NULL
     );
     CREATE INDEX usage_record_of_organisation ON usage_record (organisation, time, id);
     CREATE TABLE usage_sum (
       organisation text COLLATE "C" NOT NULL,
       day text COLLATE "C" NOT NULL,
       token text COLLATE "C" NOT NULL,
       operation text COLLATE "C" NOT NULL,
       resource text COLLATE "C" NOT NULL,
       requests bigint NOT NULL,
       rows bigint NOT NULL,
       bytes bigint NOT NULL,
       PRIMARY KEY (organisation, day, token, operation, resource)
     ) WITH (fillfactor = 70);
     CREATE INDEX usage_sum_of_day ON usage_sum (day);
     CREATE TABLE usage_segment (
       name text COLLATE "C" PRIMARY KEY,
       merged_bytes bigint NOT NULL,
       removed_at timestamptz
     ) WITH (fillfactor = 70);
     CREATE INDEX usage_segment_removed ON usage_segment (removed_at) WHERE removed_at IS NOT NULL;`,
  ],
};
