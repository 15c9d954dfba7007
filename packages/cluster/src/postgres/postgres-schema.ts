import type { Postgres, RunStatement } from './open-postgres.ts';
import { SCHEMA } from './open-postgres.ts';
import { PostgresError } from './postgres-error.ts';

/** The tables of one part of the shared store. */
export type PostgresSchema = {
  /** The name of the part, for messages. */
  readonly name: string;
  /** Step n migrates version n to n + 1. A released step never changes: a correction is a new step. */
  readonly migrations: readonly string[];
};

/** Held while tables are made or changed, so that nodes that start together do it once. */
const MIGRATION_LOCK = 0x6c_6d_01;

/** Brings all parts to their current version, each step once, in one transaction. */
export async function migratePostgres(
  postgres: Postgres,
  schemas: readonly PostgresSchema[],
): Promise<void> {
  await postgres.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await query(
      'CREATE TABLE IF NOT EXISTS schema_version (part text PRIMARY KEY, version integer NOT NULL)',
    );
    for (const schema of schemas) await migratePart(query, schema, postgres.address);
  });
}

async function migratePart(
  query: RunStatement,
  { name, migrations }: PostgresSchema,
  address: string,
): Promise<void> {
  const [row] = await query('SELECT version FROM schema_version WHERE part = $1', [name]);
  const version = Number(row?.['version'] ?? 0);
  if (version > migrations.length) {
    throw new PostgresError(
      'refused',
      `The ${name} in PostgreSQL at ${address} was written by a newer version of locmetrics.`,
      'Update locmetrics on this machine.',
    );
  }
  for (const statements of migrations.slice(version)) await query(statements);
  if (version === migrations.length) return;
  await query(
    `INSERT INTO schema_version (part, version) VALUES ($1, $2)
     ON CONFLICT (part) DO UPDATE SET version = excluded.version`,
    [name, migrations.length],
  );
}
