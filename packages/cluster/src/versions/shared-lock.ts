import type { Postgres, PostgresConnection } from '../postgres/open-postgres.ts';
import { PostgresError } from '../postgres/postgres-error.ts';
import { SHARED_LOCKS } from './version-store-schema.ts';

/** A lock among all nodes, held by a connection: it ends with it. */
export type SharedLock = { readonly release: () => Promise<void> };

/** Takes the lock, or returns undefined if another process holds it for as long as `waitMs`. */
export async function takeSharedLock(
  postgres: Pick<Postgres, 'connect'>,
  name: keyof typeof SHARED_LOCKS,
  waitMs: number,
): Promise<SharedLock | undefined> {
  const connection = await postgres.connect();
  try {
    if (await isTaken(connection, SHARED_LOCKS[name], waitMs)) return { release: connection.close };
  } catch (error) {
    await connection.close();
    throw error;
  }
  await connection.close();
  return undefined;
}

async function isTaken(
  { query }: PostgresConnection,
  number: number,
  waitMs: number,
): Promise<boolean> {
  // The lock of a node that is cut off must not be held for hours.
  await query(
    `SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
       set_config('tcp_keepalives_count', '3', false)`,
  );
  if (waitMs <= 0) {
    const [row] = await query('SELECT pg_try_advisory_lock($1) AS taken', [number]);
    return row?.['taken'] === true;
  }
  await query(
    `SELECT set_config('lock_timeout', $1, false), set_config('statement_timeout', '0', false)`,
    [String(Math.ceil(waitMs))],
  );
  try {
    await query('SELECT pg_advisory_lock($1)', [number]);
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof PostgresError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE;
}

const LOCK_NOT_AVAILABLE = '55P03';
