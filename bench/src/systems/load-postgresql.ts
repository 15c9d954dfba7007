import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DATASET_FILES } from '../dataset/dataset-files.ts';
import type { DatasetReader } from '../dataset/dataset-reader.ts';
import type { Postgresql } from './open-postgresql.ts';
import { FUNCTIONS, INDEXES, PARTNER_VIEWS, TABLES } from './postgresql-schema.ts';

export const SCHEMA = 'locmetrics_bench';
/** The role of the requests. It may read, and cannot log in. */
export const READER_ROLE = 'locmetrics_bench_reader';

/** The role of the partner's requests. */
export const PARTNER_ROLE = 'locmetrics_bench_partner';

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
    .update([worldName, TABLES, INDEXES, PARTNER_VIEWS, FUNCTIONS].join('\n'))
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
    ${PARTNER_VIEWS}
    ${FUNCTIONS}
    VACUUM ANALYZE ${DATASET_FILES.join(', ')};
    ${[READER_ROLE, PARTNER_ROLE].map(createRole).join('\n')}
    GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${READER_ROLE};
    GRANT SELECT ON partner_places, partner_visits TO ${PARTNER_ROLE};
    COMMENT ON SCHEMA ${SCHEMA} IS '${marker}';`);
}

/** Creates a role that may enter the schema. Roles are of the whole cluster, so it may exist. */
function createRole(role: string): string {
  return `
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
        CREATE ROLE ${role} NOLOGIN;
      END IF;
    END $$;
    GRANT ${role} TO CURRENT_USER;
    GRANT USAGE ON SCHEMA ${SCHEMA} TO ${role};`;
}
