import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { copyDatabase } from '@locmetrics/data-directory/sqlite/copy-database';
import {
  type Explain,
  explainEach,
  explainSqlite,
} from '@locmetrics/data-directory/sqlite/explain-sqlite';
import {
  type FollowedFile,
  followFile,
  type OpenFile,
} from '@locmetrics/data-directory/sqlite/followed-file';
import { type ReservedRoom, reservedRoom } from '@locmetrics/data-directory/sqlite/reserved-room';
import { inTransaction } from '@locmetrics/data-directory/sqlite/sqlite-transaction';
import { unusableFile } from '@locmetrics/data-directory/sqlite/unusable-file';
import {
  type ControlOperations,
  prepareOperations,
} from '@locmetrics/server/auth/control-operations';
import { CONTROL_SCHEMA } from '@locmetrics/server/auth/control-schema';
import type { ControlStoreOptions } from '@locmetrics/server/auth/control-store';
import { forgetCallers } from '@locmetrics/server/auth/forget-callers';
import { prepareLog, withoutWaiting, withRoom } from '@locmetrics/server/auth/make-change';
import { type MirrorRow, readMirrorRow } from '@locmetrics/server/auth/mirror-row';
import type { ChangedRows, SeenState } from '../postgres/change-log.ts';
import type { PostgresRow } from '../postgres/open-postgres.ts';
import { CONTROL_TABLES, type ControlTable } from './control-tables.ts';
import { prepareTouchedRows, type TouchedRow } from './touched-rows.ts';

/** A file that has what a shared control store has. Each call can throw a ControlError. */
export type Mirror = {
  /** The operations; those that change something work only within `draft`. */
  readonly operations: ControlOperations;
  /** Undefined for a new file. */
  readonly readRow: () => MirrorRow | undefined;
  /** Makes a change, notes the rows that it touches, and takes it back. */
  readonly draft: <Result>(work: (operations: ControlOperations) => Result) => Draft<Result>;
  /** Writes what has changed in the shared store since a state; false if the file has another state. */
  readonly write: (changed: ChangedRows, since: SeenState | undefined) => boolean;
  /** Notes that the mirror was up to date at a time. It may be lost with the power, but not with the process. */
  readonly notePoll: (looked: number) => void;
  readonly readLastUsed: () => readonly LastUse[];
  readonly writeLastUsed: (times: readonly LastUse[]) => void;
  readonly copyTo: (target: string) => void;
  readonly close: () => void;
};

/** A change that was not made yet, and the state of the mirror that it follows from. */
export type Draft<Result> = {
  readonly result: Result;
  readonly base: SeenState;
  readonly rows: readonly TouchedRow[];
};

/**
 * Opens the mirror at a path, of the shared store at an address. Throws a ControlError for a control store of its own
 * that has organisations: they would be lost.
 */
export function openMirror(
  path: string,
  address: string,
  options: ControlStoreOptions,
): FollowedFile<Mirror> {
  const { use = 'command', onOpenToOthers } = options;
  const room = reservedRoom(path);
  return followFile(
    path,
    CONTROL_SCHEMA,
    (opened) => prepare(opened, { path, address, room }, options),
    { use, room, isCopy: true, ...(onOpenToOthers === undefined ? {} : { onOpenToOthers }) },
  );
}

type Place = { readonly path: string; readonly address: string; readonly room: ReservedRoom };

function prepare(opened: OpenFile, place: Place, options: ControlStoreOptions): Mirror {
  const { database, expectInPlace } = opened;
  const { clock = Date.now, waitsForLock = true } = options;
  const { path, address, room } = place;
  expectMirrorOrEmpty(database, path);
  const explain: Explain = explainSqlite(path, CONTROL_SCHEMA.name);
  const log = prepareLog(database, clock);
  let isDrafting = false;
  const { close, ...prepared } = prepareOperations(opened, path, {
    ...options,
    makesSecrets: false,
    makeChange: (by, work) => {
      if (!isDrafting) throw new Error('A mirror is changed by what its shared store tells.');
      return log(by, work);
    },
  });
  const operations = explainEach(prepared, explain);
  const touched = prepareTouchedRows(database);
  const update = <Result>(work: () => Result): Result => {
    const transaction = () => (waitsForLock ? inTransaction : withoutWaiting)(database, work);
    const result = explain(() => withRoom(database, room, transaction));
    expectInPlace();
    return result;
  };
  const tryOut = <Result>(work: () => Result): Result => {
    let result: { readonly value: Result } | undefined;
    const tried = new Error('The draft is taken back.');
    try {
      update(() => {
        isDrafting = true;
        result = { value: work() };
        throw tried;
      });
    } catch (error) {
      if (error !== tried || result === undefined) throw error;
    } finally {
      isDrafting = false;
    }
    if (result === undefined) throw tried;
    return result.value;
  };
  const setRow = database.prepare(
    `INSERT INTO mirror (is_only, store, number, address, looked) VALUES (1, ?, ?, ?, ?)
     ON CONFLICT (is_only) DO UPDATE
     SET (store, number, address, looked) = (excluded.store, excluded.number, excluded.address, excluded.looked)`,
  );
  const setPolled = database.prepare('UPDATE mirror SET looked = ?');
  const withoutSync = (work: () => void): void => {
    database.exec('PRAGMA synchronous = NORMAL');
    try {
      update(work);
    } finally {
      database.exec('PRAGMA synchronous = FULL');
    }
  };
  return {
    operations,
    readRow: () => readMirrorRow(database),
    draft: (work) =>
      tryOut(() => {
        const row = readMirrorRow(database);
        if (row === undefined) throw mirrorEmpty(path);
        touched.forget();
        // Within the draft the file is a store of its own, whose triggers write the checksums.
        database.exec('DELETE FROM mirror');
        const result = work(operations);
        return { result, base: row, rows: touched.read() };
      }),
    write: (changed, since) =>
      update(() => {
        const row = readMirrorRow(database);
        if (!isSameState(row, since)) return false;
        if (row === undefined) expectNoOrganisations(database, path);
        setRow.run(changed.storeId, changed.number, address, row?.looked ?? 0);
        writeMirrorRows(database, changed);
        const isForgotten = changed.isAll || (changed.tables.get('secret')?.rows.length ?? 0) > 0;
        if (isForgotten && row !== undefined) forgetCallers(database);
        return true;
      }),
    notePoll: (looked) => withoutSync(() => setPolled.run(looked)),
    readLastUsed: () => readLastUsed(database),
    writeLastUsed: (times) => withoutSync(() => writeLastUsed(database, times)),
    copyTo: (target) => explain(() => copyDatabase(database, target)),
    close: () => {
      close();
      database.close();
    },
  };
}

export function isSameState(left: SeenState | undefined, right: SeenState | undefined): boolean {
  return left?.storeId === right?.storeId && left?.number === right?.number;
}

function expectMirrorOrEmpty(database: DatabaseSync, path: string): void {
  if (readMirrorRow(database) === undefined) expectNoOrganisations(database, path);
}

function expectNoOrganisations(database: DatabaseSync, path: string): void {
  const { count } = database.prepare('SELECT count(*) AS count FROM organisation').get() ?? {};
  if (count === 0) return;
  throw unusableFile(path, {
    problem: `already has ${count} organisations, which the database of --control would replace`,
    hint: 'Copy them into the database: locmetrics control copy --to URL. Or give another data directory with --data.',
  });
}

function mirrorEmpty(path: string): Error {
  return unusableFile(path, {
    problem: 'does not have a copy of the shared control store yet',
    hint: 'Try again after a second.',
  });
}

/**
 * Writes rows of the shared store into a mirror, within a transaction of it that is open. The triggers of the file tell
 * all processes whose callers have changed.
 */
function writeMirrorRows(database: DatabaseSync, { isAll, tables }: ChangedRows): void {
  // Rows refer to each other; what counts is the state at the end.
  database.exec('PRAGMA defer_foreign_keys = ON');
  const lastUsed = isAll ? readLastUsed(database) : [];
  for (const table of CONTROL_TABLES) {
    if (isAll) database.exec(`DELETE FROM ${table.name}`);
    const changed = tables.get(table.name);
    if (changed === undefined) continue;
    const remove = database.prepare(`DELETE FROM ${table.name} WHERE ${table.keyColumn} = ?`);
    for (const [key = ''] of changed.removed) remove.run(key);
    const upsert = database.prepare(upsertSql(table));
    for (const row of changed.rows)
      upsert.run(...table.columns.map((column) => toSqlite(row[column])));
  }
  setRightsVersions(database, tables.get('organisation')?.rows ?? []);
  if (!isAll) return;
  writeLastUsed(database, lastUsed);
}

/** The triggers have counted on; the number of the shared store counts each of its changes. */
function setRightsVersions(database: DatabaseSync, organisations: readonly PostgresRow[]): void {
  const update = database.prepare(
    'UPDATE organisation SET rights_version = :version WHERE id = :id AND rights_version <> :version',
  );
  for (const row of organisations) {
    update.run({ id: toSqlite(row['id']), version: toSqlite(row['rights_version']) });
  }
}

export type LastUse = readonly [tokenId: string, time: number];

function readLastUsed(database: DatabaseSync): readonly LastUse[] {
  return database
    .prepare('SELECT id, last_used FROM token WHERE last_used IS NOT NULL')
    .all()
    .map((row) => [String(row['id']), Number(row['last_used'])]);
}

/** Later times stay. */
function writeLastUsed(database: DatabaseSync, times: readonly LastUse[]): void {
  const update = database.prepare(
    'UPDATE token SET last_used = :time WHERE id = :id AND ifnull(last_used, 0) < :time',
  );
  for (const [id, time] of times) update.run({ id, time });
}

function upsertSql({ name, columns, keyColumn }: ControlTable): string {
  const others = columns.filter((column) => column !== keyColumn);
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${keyColumn}) DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

/** The tables have no other types in either database. */
function toSqlite(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`PostgreSQL sent ${typeof value}, which no column has.`);
}
