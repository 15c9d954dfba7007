import { mergeSegments } from '@locmetrics/server/metering/merge-segments';
import type { UsageFiles } from '@locmetrics/server/metering/usage-files';
import { markMergedIntoPostgres } from '@locmetrics/server/metering/usage-owner';
import type { UsageStore } from '@locmetrics/server/metering/usage-store';
import { openPostgres, type RunStatement } from '../postgres/open-postgres.ts';
import { isAway } from '../postgres/postgres-error.ts';
import { migratePostgres } from '../postgres/postgres-schema.ts';
import { postgresTarget } from './merge-into-postgres.ts';
import { POSTGRES_USAGE_SCHEMA } from './postgres-usage-schema.ts';
import { postgresReads } from './read-postgres-usage.ts';

const PRUNE_EVERY_MS = 60_000;
/** The records of one transaction of some 100 ms. If there are more, the next prune follows at once. */
const PRUNE_STEP_RECORDS = 20_000;
/** Held by the node that prunes. */
const PRUNE_LOCK = 0x6c_6d_10;

/**
 * Opens the usage store in the PostgreSQL that several nodes share. Only segments of this data directory are merged.
 * All calls reject with a PostgresError while it is away; nothing is lost, because segments stay until they are merged.
 */
export function openPostgresUsage(
  files: UsageFiles,
  {
    url,
    parallel,
  }: {
    readonly url: string;
    /** How many segments are merged at the same time, each on a connection of its own. */
    readonly parallel: number;
  },
): UsageStore {
  const postgres = openPostgres(url, {
    connectionsMax: parallel,
    applicationName: 'locmetrics usage',
  });
  const target = postgresTarget(postgres);
  const reads = postgresReads(postgres);
  let prepared: Promise<void> | undefined;
  let prunedMs = Number.NEGATIVE_INFINITY;

  const prepare = async (): Promise<void> => {
    markMergedIntoPostgres(files, postgres.address);
    await migratePostgres(postgres, [POSTGRES_USAGE_SCHEMA]);
  };
  /** The first call makes the tables; so does one after a refusal, because they may not be there any more. */
  const using = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
    try {
      return await work();
    } catch (error) {
      if (!isAway(error)) prepared = undefined;
      throw error;
    }
  };
  const merge: UsageStore['merge'] = (signal) =>
    using(() => mergeSegments(files.segments, target, { parallel, signal }));

  return {
    merge,
    reading: async (work) => {
      await merge();
      return using(() => work(reads));
    },
    prune: async (keepMs) => {
      if (performance.now() - prunedMs < PRUNE_EVERY_MS) return;
      const isDone = await using(() => postgres.transaction((query) => prune(query, keepMs)));
      if (isDone) prunedMs = performance.now();
    },
    close: postgres.close,
  };
}

/** Returns whether everything old is removed. One node prunes at a time. */
async function prune(query: RunStatement, keepMs: number): Promise<boolean> {
  const [lock] = await query('SELECT pg_try_advisory_xact_lock($1) AS is_held', [PRUNE_LOCK]);
  if (lock?.['is_held'] !== true) return true;
  await query(DELETE_REMOVED);
  const [row] = await query(DELETE_OLD, [Date.now() - keepMs]);
  return Number(row?.['deleted']) < PRUNE_STEP_RECORDS;
}

/** Records are inserted nearly in the order of time, so only the first ones are checked. */
const DELETE_OLD = `WITH deleted AS (
    DELETE FROM usage_record WHERE id IN (
      SELECT id FROM (SELECT id, time FROM usage_record ORDER BY id LIMIT ${PRUNE_STEP_RECORDS}) AS first
      WHERE time < $1)
    RETURNING 1
  ) SELECT count(*) AS deleted FROM deleted`;

const DELETE_REMOVED = `DELETE FROM usage_segment WHERE removed_at < now() - interval '30 days'`;
