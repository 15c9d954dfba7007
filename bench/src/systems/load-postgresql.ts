import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DATASET_FILES } from '../dataset/dataset-files.ts';
import type { DatasetReader } from '../dataset/dataset-reader.ts';
import type { Postgresql } from './open-postgresql.ts';
import { FUNCTIONS, INDEXES, TABLES } from './postgresql-schema.ts';

export const SCHEMA = 'locmetrics_bench';
/** The role of the requests. It may read, and cannot log in. */
export const READER_ROLE = 'locmetrics_bench_reader';

/** Loads the dataset into the schema, unless it is loaded already. */
export async function loadPostgresql(
  postgresql: Postgresql,
  {
    worldName,
    dataset,
    work,
    fresh,
  }: {
    readonly worldName: string;
    readonly dataset: DatasetReader;
    readonly work: string;
    readonly fresh: boolean;
  },
): Promise<void> {
  const marker = createHash('sha256')
    .update([worldName, TABLES, INDEXES, FUNCTIONS].join('\n'))
    .digest('hex');
  const loaded = await postgresql.run(
    `SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = '${SCHEMA}';`,
  );
  if (loaded.trim() === marker && !fresh) return;
  await postgresql.run(`
    DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE;
    CREATE SCHEMA ${SCHEMA};
    CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
    SET search_path = ${SCHEMA}, public;
    ${TABLES}`);
  for (const name of DATASET_FILES) {
    const file = join(work, `${name}.csv`);
    await dataset.rows(
      `COPY ${name} TO '${file.replaceAll("'", "''")}' (FORMAT csv, HEADER false)`,
    );
    await postgresql.run(
      `\\copy ${SCHEMA}.${name} FROM '${file.replaceAll("'", "''")}' (FORMAT csv)\n`,
    );
    await rm(file);
  }
  await postgresql.run(`
    SET search_path = ${SCHEMA}, public;
    ${INDEXES}
    ${FUNCTIONS}
    VACUUM ANALYZE places, visits, names;
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${READER_ROLE}') THEN
        CREATE ROLE ${READER_ROLE} NOLOGIN;
      END IF;
    END $$;
    GRANT ${READER_ROLE} TO CURRENT_USER;
    GRANT USAGE ON SCHEMA ${SCHEMA} TO ${READER_ROLE};
    GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${READER_ROLE};
    COMMENT ON SCHEMA ${SCHEMA} IS '${marker}';`);
}
