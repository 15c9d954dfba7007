import type { DatabaseSync } from 'node:sqlite';
import { explainSqlite } from '@locmetrics/data-directory/sqlite/explain-sqlite';
import {
  type FollowOptions,
  followFile,
  type OpenFile,
} from '@locmetrics/data-directory/sqlite/followed-file';
import { readInteger, readText } from '@locmetrics/data-directory/sqlite/sqlite-row';
import { inTransaction } from '@locmetrics/data-directory/sqlite/sqlite-transaction';
import { toClaimed, toExport } from './export-row.ts';
import { EXPORT_SCHEMA } from './export-schema.ts';
import { CLAIM_MS, type FileExportStore } from './export-store.ts';

/** Opens the exports of a data directory. Any number of processes may have the file open. */
export function openExportStore(path: string, options: FollowOptions = {}): FileExportStore {
  const file = followFile(path, EXPORT_SCHEMA, prepare, options);
  const explain = explainSqlite(path, EXPORT_SCHEMA.name);
  const use = <Result>(work: (store: FileExportStore) => Result): Result =>
    explain(() => work(file.use()));
  return {
    add: (...given) => use((store) => store.add(...given)),
    find: (id) => use((store) => store.find(id)),
    list: (tokenId) => use((store) => store.list(tokenId)),
    remove: (id) => use((store) => store.remove(id)),
    claim: (...given) => use((store) => store.claim(...given)),
    renew: (...given) => use((store) => store.renew(...given)),
    release: (...given) => use((store) => store.release(...given)),
    releaseAll: () => use((store) => store.releaseAll()),
    complete: (...given) => use((store) => store.complete(...given)),
    fail: (...given) => use((store) => store.fail(...given)),
    withdraw: (...given) => use((store) => store.withdraw(...given)),
    expired: (nowMs) => use((store) => store.expired(nowMs)),
    bytes: () => use((store) => store.bytes()),
    counts: () => use((store) => store.counts()),
    close: file.close,
  };
}

/** The operations on one opened file; they end when it is closed. */
function prepare({ database }: OpenFile): FileExportStore {
  return { ...prepareReads(database), ...prepareClaims(database), close: () => database.close() };
}

function prepareReads(database: DatabaseSync) {
  const countUnfinished = database.prepare(
    `SELECT count(*) AS exports FROM export
     WHERE organisation = ? AND state IN ('waiting', 'running')`,
  );
  const insert = database.prepare(
    `INSERT INTO export (id, organisation, token, rights, state, created, updated, request, format,
       filename_prefix, row_limit, keep, rows, rows_written, rows_charged, bytes, files, attempts)
     VALUES (?, ?, ?, ?, 'waiting', ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, '[]', 0)`,
  );
  const selectById = database.prepare('SELECT * FROM export WHERE id = ?');
  const selectAll = database.prepare('SELECT * FROM export ORDER BY number DESC');
  const selectOfToken = database.prepare(
    'SELECT * FROM export WHERE token = ? ORDER BY number DESC',
  );
  const deleteById = database.prepare('DELETE FROM export WHERE id = ?');
  const selectExpired = database.prepare('SELECT id FROM export WHERE expires <= ?');
  const sumBytes = database.prepare('SELECT ifnull(sum(bytes), 0) AS bytes FROM export');
  const countStates = database.prepare(
    'SELECT state, count(*) AS exports FROM export GROUP BY state',
  );
  return {
    add: (created, unfinishedMax) =>
      inTransaction(database, () => {
        const { organisationId, createdMs } = created;
        const unfinished = readInteger(countUnfinished.get(organisationId) ?? {}, 'exports');
        if (unfinished >= unfinishedMax) return false;
        insert.run(
          created.id,
          organisationId,
          created.tokenId,
          created.rights,
          createdMs,
          createdMs,
          JSON.stringify(created.request),
          created.format,
          created.filenamePrefix,
          created.limit,
          created.keepMs ?? null,
          created.rows,
        );
        return true;
      }),
    find: (id) => {
      const row = selectById.get(id);
      return row === undefined ? undefined : toExport(row);
    },
    list: (tokenId) =>
      (tokenId === undefined ? selectAll.all() : selectOfToken.all(tokenId)).map(toExport),
    remove: (id) => deleteById.run(id).changes > 0,
    expired: (nowMs) => selectExpired.all(nowMs).map((row) => readText(row, 'id')),
    bytes: () => readInteger(sumBytes.get() ?? {}, 'bytes'),
    counts: () => {
      const found = new Map(
        countStates.all().map((row) => [readText(row, 'state'), readInteger(row, 'exports')]),
      );
      const { waiting = 0, running = 0, completed = 0, failed = 0 } = Object.fromEntries(found);
      return { waiting, running, completed, failed };
    },
  } satisfies Partial<FileExportStore>;
}

function prepareClaims(database: DatabaseSync) {
  // Most of the time there is none, and a claim would take the lock of the file.
  const selectUnfinished = database.prepare(
    "SELECT 1 FROM export WHERE state IN ('waiting', 'running') LIMIT 1",
  );
  const claimNext = database.prepare(
    `UPDATE export SET state = 'running', claim = $claim, claimed_until = $until, updated = $now,
       rows_written = 0, bytes = 0, attempts = attempts + 1
     WHERE number = (
       SELECT min(number) FROM export AS next
       WHERE (state = 'waiting' OR (state = 'running' AND claimed_until < $now))
         AND NOT EXISTS (
           SELECT 1 FROM export AS other
           WHERE other.organisation = next.organisation AND other.state = 'running'
             AND other.claimed_until >= $now))
     RETURNING *`,
  );
  const renew = database.prepare(
    `UPDATE export SET claimed_until = ?, updated = ?, rows_written = ?, rows_charged = ?, bytes = ?
     WHERE id = ? AND claim = ? AND state = 'running'`,
  );
  const release = database.prepare(
    `UPDATE export SET state = 'waiting', claim = NULL, claimed_until = NULL, rows_written = 0,
       bytes = 0, attempts = attempts - 1
     WHERE id = ? AND claim = ? AND state = 'running'`,
  );
  const releaseAll = database.prepare(
    "UPDATE export SET claimed_until = 0 WHERE state = 'running'",
  );
  const complete = database.prepare(
    `UPDATE export SET state = 'completed', claimed_until = NULL, updated = ?, expires = ?,
       rows_written = ?, bytes = ?, files = ?
     WHERE id = ? AND claim = ? AND state = 'running'`,
  );
  const failure = `state = 'failed', claimed_until = NULL, updated = ?, expires = ?, bytes = 0,
       files = '[]', failure_reason = ?, failure_message = ?`;
  const fail = database.prepare(
    `UPDATE export SET ${failure} WHERE id = ? AND claim = ? AND state = 'running'`,
  );
  const withdraw = database.prepare(
    `UPDATE export SET ${failure} WHERE id = ? AND state <> 'failed'`,
  );
  return {
    claim: (claim, nowMs) => {
      if (selectUnfinished.get() === undefined) return undefined;
      const row = claimNext.get({ $claim: claim, $now: nowMs, $until: nowMs + CLAIM_MS });
      return row === undefined ? undefined : toClaimed(row);
    },
    renew: (id, claim, { nowMs, rowsWritten, rowsCharged, bytes }) =>
      renew.run(nowMs + CLAIM_MS, nowMs, rowsWritten, rowsCharged, bytes, id, claim).changes > 0,
    release: (id, claim) => void release.run(id, claim),
    releaseAll: () => void releaseAll.run(),
    complete: (id, claim, { nowMs, expiresMs, rowsWritten, files }) => {
      const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const written = JSON.stringify(files);
      return complete.run(nowMs, expiresMs, rowsWritten, bytes, written, id, claim).changes > 0;
    },
    fail: (id, claim, { nowMs, expiresMs, failure: { reason, message } }) =>
      fail.run(nowMs, expiresMs, reason, message, id, claim).changes > 0,
    withdraw: (id, { nowMs, expiresMs, failure: { reason, message } }) =>
      void withdraw.run(nowMs, expiresMs, reason, message, id),
  } satisfies Partial<FileExportStore>;
}
