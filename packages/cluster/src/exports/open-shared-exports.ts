import type { SqliteRow } from '@locmetrics/data-directory/sqlite/sqlite-row';
import { toClaimed, toExport } from '@locmetrics/server/exports/export-row';
import { CLAIM_MS, type ExportStore } from '@locmetrics/server/exports/export-store';
import { explaining } from '../control/open-shared-store.ts';
import type { Postgres, PostgresRow, RunStatement } from '../postgres/open-postgres.ts';
import { migratePostgres } from '../postgres/postgres-schema.ts';
import { CLAIM_LOCK, SHARED_EXPORT_SCHEMA } from './export-tables.ts';

export type SharedExportOptions = {
  readonly postgres: Postgres;
  /** The URL of this node. */
  readonly node: string;
  /** The exports of a node that has not looked for any for this long are written by others. Default: a minute. */
  readonly takeOverMs?: number;
  /** The files of a node that has not looked for this long are gone. Default: an hour. */
  readonly lostAfterMs?: number;
};

const TAKE_OVER_MS = 60_000;
const LOST_AFTER_MS = 3_600_000;
const REPORT_EVERY_MS = 5_000;

/**
 * Opens the exports that several nodes share in PostgreSQL. Each belongs to the node that created it, which alone claims
 * it and counts its files; the others read and remove it. The exports of a node that does not come back are written by
 * another one, or fail if they were complete.
 *
 * Claims end by the clock of the database. The connection is the caller's.
 */
export function openSharedExports({
  postgres,
  node,
  takeOverMs = TAKE_OVER_MS,
  lostAfterMs = LOST_AFTER_MS,
}: SharedExportOptions): ExportStore {
  let isMigrated = false;
  let reportedMs = Number.NEGATIVE_INFINITY;
  const use = <Result>(work: () => Promise<Result>): Promise<Result> =>
    explaining(async () => {
      if (!isMigrated) await migratePostgres(postgres, [SHARED_EXPORT_SCHEMA]);
      isMigrated = true;
      return work();
    });
  const query: RunStatement = (...given) => use(() => postgres.query(...given));
  const locked = <Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> =>
    use(() =>
      postgres.transaction(async (run) => {
        await run('SELECT pg_advisory_xact_lock($1)', [CLAIM_LOCK]);
        return work(run);
      }),
    );
  const changes = async (text: string, values: readonly unknown[]): Promise<boolean> =>
    (await query(`${text} RETURNING id`, values)).length > 0;
  const numberOf = async (text: string, values: readonly unknown[]): Promise<number> =>
    Number((await query(text, values))[0]?.['number'] ?? 0);
  const report = async (): Promise<void> => {
    if (performance.now() - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = performance.now();
    await query(REPORT, [node]);
    const nowMs = Date.now();
    await query(FAIL_LOST, [node, lostAfterMs, nowMs]);
  };
  return {
    add: (created, unfinishedMax) =>
      locked(async (run) => {
        const { organisationId, createdMs } = created;
        const [row] = await run(COUNT_UNFINISHED, [organisationId]);
        if (Number(row?.['number']) >= unfinishedMax) return false;
        await run(INSERT, [
          ...[created.id, node, organisationId, created.tokenId, created.rights, createdMs],
          ...[JSON.stringify(created.request), created.format, created.filenamePrefix],
          ...[created.limit, created.keepMs ?? null, created.rows],
        ]);
        return true;
      }),
    find: async (id) => {
      const [row] = await query('SELECT * FROM export WHERE id = $1', [id]);
      return row === undefined ? undefined : toExport(asStored(row));
    },
    list: async (tokenId) => {
      const rows =
        tokenId === undefined
          ? await query('SELECT * FROM export ORDER BY number DESC')
          : await query('SELECT * FROM export WHERE token = $1 ORDER BY number DESC', [tokenId]);
      return rows.map((row) => toExport(asStored(row)));
    },
    remove: (id) => changes('DELETE FROM export WHERE id = $1', [id]),
    claim: async (claim, nowMs) => {
      await report();
      const found = await query(FIND_CLAIMABLE, [node, takeOverMs]);
      if (found.length === 0) return undefined;
      const [row] = await locked((run) => run(CLAIM, [claim, nowMs, node, CLAIM_MS, takeOverMs]));
      return row === undefined ? undefined : toClaimed(asStored(row));
    },
    renew: async (id, claim, { nowMs, rowsWritten, rowsCharged, bytes }) => {
      await report();
      return changes(RENEW, [id, claim, CLAIM_MS, nowMs, rowsWritten, rowsCharged, bytes]);
    },
    release: async (id, claim) => void (await query(RELEASE, [id, claim])),
    releaseAll: async () => void (await query(RELEASE_ALL, [node])),
    complete: (id, claim, { nowMs, expiresMs, rowsWritten, files }) => {
      const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const written = JSON.stringify(files);
      return changes(COMPLETE, [id, claim, nowMs, expiresMs, rowsWritten, bytes, written]);
    },
    fail: (id, claim, { nowMs, expiresMs, failure: { reason, message } }) =>
      changes(`${FAIL} AND claim = $6 AND state = 'running'`, [
        ...[id, nowMs, expiresMs, reason, message, claim],
      ]),
    withdraw: async (id, { nowMs, expiresMs, failure: { reason, message } }) =>
      void (await changes(`${FAIL} AND state <> 'failed'`, [
        ...[id, nowMs, expiresMs, reason, message],
      ])),
    expired: async (nowMs) => {
      const rows = await query(
        `SELECT id FROM export WHERE expires <= $1 AND ${isOurs('export', 2, 3)}`,
        [...[nowMs, node, takeOverMs]],
      );
      return rows.map((row) => String(row['id']));
    },
    bytes: () =>
      numberOf('SELECT sum(bytes)::bigint AS number FROM export WHERE node = $1', [node]),
    counts: async () => {
      const rows = await query(COUNT_STATES, [node]);
      const found = new Map(rows.map((row) => [row['state'], Number(row['number'])]));
      const { waiting = 0, running = 0, completed = 0, failed = 0 } = Object.fromEntries(found);
      return { waiting, running, completed, failed };
    },
    close: () => {},
  };
}

/** Its values are texts, numbers and nulls, as those of SQLite. */
function asStored(row: PostgresRow): SqliteRow {
  return row as SqliteRow;
}

/** Whether an export is one of this node, or of one that has not looked for a while. */
function isOurs(table: string, nodePlace: number, afterPlace: number): string {
  return `(${table}.node = $${nodePlace} OR NOT EXISTS (
    SELECT 1 FROM export_node WHERE url = ${table}.node
      AND last_seen > clock_timestamp() - $${afterPlace} * interval '1 ms'))`;
}

const REPORT = `INSERT INTO export_node (url) VALUES ($1)
  ON CONFLICT (url) DO UPDATE SET last_seen = clock_timestamp()`;

const FAIL_LOST = `UPDATE export SET state = 'failed', updated = $3, bytes = 0, files = '[]',
    failure_reason = 'EXPORT_ENDED', failure_message = 'The node that had the files is gone.'
  WHERE state = 'completed' AND node <> $1 AND ${isOurs('export', 1, 2)}`;

const COUNT_UNFINISHED = `SELECT count(*) AS number FROM export
  WHERE organisation = $1 AND state IN ('waiting', 'running')`;

const CAN_BE_CLAIMED = `(state = 'waiting' OR (state = 'running' AND claimed_until < clock_timestamp()))`;

const FIND_CLAIMABLE = `SELECT 1 FROM export WHERE ${CAN_BE_CLAIMED} AND ${isOurs('export', 1, 2)} LIMIT 1`;

const INSERT = `INSERT INTO export (id, node, organisation, token, rights, state, created, updated,
    request, format, filename_prefix, row_limit, keep, rows)
  VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $6, $7, $8, $9, $10, $11, $12)`;

const CLAIM = `UPDATE export SET state = 'running', claim = $1, updated = $2, node = $3, rows_written = 0, bytes = 0,
    claimed_until = clock_timestamp() + $4 * interval '1 ms', attempts = attempts + 1
  WHERE number = (
    SELECT min(number) FROM export AS next
    WHERE ${CAN_BE_CLAIMED} AND ${isOurs('next', 3, 5)}
      AND NOT EXISTS (
        SELECT 1 FROM export AS other
        WHERE other.organisation = next.organisation AND other.state = 'running'
          AND other.claimed_until >= clock_timestamp()))
  RETURNING *`;

const RENEW = `UPDATE export SET claimed_until = clock_timestamp() + $3 * interval '1 ms', updated = $4,
    rows_written = $5, rows_charged = $6, bytes = $7
  WHERE id = $1 AND claim = $2 AND state = 'running'`;

const RELEASE = `UPDATE export SET state = 'waiting', claim = NULL, claimed_until = NULL, rows_written = 0,
    bytes = 0, attempts = attempts - 1
  WHERE id = $1 AND claim = $2 AND state = 'running'`;

const RELEASE_ALL = `UPDATE export SET claimed_until = '-infinity' WHERE state = 'running' AND node = $1`;

const COMPLETE = `UPDATE export SET state = 'completed', claimed_until = NULL, updated = $3, expires = $4,
    rows_written = $5, bytes = $6, files = $7
  WHERE id = $1 AND claim = $2 AND state = 'running'`;

const FAIL = `UPDATE export SET state = 'failed', claimed_until = NULL, updated = $2, expires = $3, bytes = 0,
    files = '[]', failure_reason = $4, failure_message = $5
  WHERE id = $1`;

const COUNT_STATES = 'SELECT state, count(*) AS number FROM export WHERE node = $1 GROUP BY state';
