import { randomUUID } from 'node:crypto';
import { setTimeout as passTime } from 'node:timers/promises';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { FollowedFile } from '@locmetrics/data-directory/sqlite/followed-file';
import { unusableFile } from '@locmetrics/data-directory/sqlite/unusable-file';
import { type ControlOperations, readsOf } from '@locmetrics/server/auth/control-operations';
import type { ControlStore, ControlStoreOptions } from '@locmetrics/server/auth/control-store';
import { whenUnlocked } from '@locmetrics/server/auth/when-unlocked';
import {
  CHANGE_LOG_SCHEMA,
  type ChangedRows,
  readChanges,
  readState,
  type SeenState,
} from '../postgres/change-log.ts';
import type { Postgres, RunStatement } from '../postgres/open-postgres.ts';
import { isAway, PostgresError } from '../postgres/postgres-error.ts';
import { migratePostgres } from '../postgres/postgres-schema.ts';
import { CONTROL_TABLES, type ControlTable, SHARED_CONTROL_SCHEMA } from './control-tables.ts';
import { type Draft, isSameState, type Mirror, openMirror } from './open-mirror.ts';
import type { TouchedRow } from './touched-rows.ts';

/** A control store that several nodes share. */
export type SharedControlStore = ControlStore & {
  /** Makes the tables in PostgreSQL, or migrates them. Throws a ControlError. */
  readonly migrate: () => Promise<void>;
  /** Copies into the mirror what has changed. Throws a ControlError, CONTROL_STORE_AWAY if PostgreSQL is. */
  readonly bringUpToDate: () => Promise<void>;
  readonly mirror: () => Mirror;
};

/**
 * Opens the control store that several nodes share in PostgreSQL. Reads are those of the mirror, the file at `path`.
 * A change is tried out in the mirror, written to PostgreSQL, and copied into the mirror before the call returns. The
 * connection to PostgreSQL is the caller's.
 */
export function openSharedStore(
  path: string,
  postgres: Postgres,
  { changeMs = CHANGE_MS, ...options }: SharedStoreOptions = {},
): SharedControlStore {
  const file = openMirror(path, postgres.address, options);
  const store: Shared = { path, postgres, file, changeMs };
  const change = oneAfterAnother((work) => makeChange(store, work));
  return {
    ...readsOf(() => file.use().operations),
    createOrganisation: (...given) => change((one) => one.createOrganisation(...given)),
    suspendOrganisation: (...given) => change((one) => one.suspendOrganisation(...given)),
    resumeOrganisation: (...given) => change((one) => one.resumeOrganisation(...given)),
    createToken: (...given) => change((one) => one.createToken(...given)),
    revokeToken: (...given) => change((one) => one.revokeToken(...given)),
    rotateToken: (...given) => change((one) => one.rotateToken(...given)),
    createSignInLink: (...given) => change((one) => one.createSignInLink(...given)),
    signIn: (code) => change((one) => one.signIn(code)),
    addGrant: (...given) => change((one) => one.addGrant(...given)),
    replaceGrant: (...given) => change((one) => one.replaceGrant(...given)),
    removeGrant: (...given) => change((one) => one.removeGrant(...given)),
    setLimits: (...given) => change((one) => one.setLimits(...given)),
    recordVersionChanges: (...given) => change((one) => one.recordVersionChanges(...given)),
    makeSecret: (name) => change((one) => one.makeSecret(name)),
    rotateSecret: (...given) => change((one) => one.rotateSecret(...given)),
    copyTo: (target) => file.use().copyTo(target),
    migrate: () =>
      explaining(() => migratePostgres(postgres, [CHANGE_LOG_SCHEMA, SHARED_CONTROL_SCHEMA])),
    bringUpToDate: () => explaining(() => bringUpToDate(store, postgres)).then(() => undefined),
    mirror: file.use,
    close: file.close,
  };
}

type SharedStoreOptions = ControlStoreOptions & {
  /** A change is refused after this time. Default: 1.5 s. */
  readonly changeMs?: number;
};

type Shared = {
  readonly path: string;
  readonly postgres: Postgres;
  readonly file: FollowedFile<Mirror>;
  readonly changeMs: number;
};

type Work<Result> = (operations: ControlOperations) => Result;

type MakeOne = <Result>(work: Work<Result>) => Promise<Result>;

/**
 * Makes one change after the other: those of a process would only get in each other's way. If one finds that PostgreSQL
 * is away, those that waited for it are refused too, so that no change waits for several timeouts.
 */
function oneAfterAnother(makeOne: MakeOne): MakeOne {
  let last: Promise<unknown> = Promise.resolve();
  let failed: { readonly atMs: number; readonly cause: PostgresError } | undefined;
  return (work) => {
    const calledMs = performance.now();
    const next = last.then(async () => {
      if (failed !== undefined && calledMs <= failed.atMs) throw storeAway(failed.cause);
      try {
        return await makeOne(work);
      } catch (error) {
        const cause = error instanceof ControlError ? error.cause : undefined;
        if (cause instanceof PostgresError && isAway(cause))
          failed = { atMs: performance.now(), cause };
        throw error;
      }
    });
    last = next.catch(() => undefined);
    return next;
  };
}

/** The statements that run within one transaction, or outside of one. */
type Reading = Pick<Postgres, 'transaction'>;

function within(postgres: Postgres, untilMs: number): Reading {
  return { transaction: (work, options) => postgres.transaction(work, { ...options, untilMs }) };
}

/** Copies what has changed into the mirror; true if something has. */
async function bringUpToDate({ file }: Shared, reading: Reading): Promise<boolean> {
  for (let hasChanged = false; ; hasChanged = true) {
    const seen = file.use().readRow();
    const changed = await readChanges(reading, CONTROL_TABLES, seen);
    if (changed === undefined) return hasChanged;
    // If another process was faster, the next round finds that nothing has changed since.
    await whenUnlocked(() => file.use().write(changed, seen));
  }
}

const CHANGE_MS = 1_500;
/** After the time for a change, it is found out for so long whether a commit was made that was not answered. */
const FIND_OUT_MS = 400;

async function makeChange<Result>(store: Shared, work: Work<Result>): Promise<Result> {
  return explaining(async () => {
    const untilMs = performance.now() + store.changeMs;
    const limited = within(store.postgres, untilMs);
    const draft = await draftChange(store, limited, work);
    const batch = randomUUID();
    let committing: Committing<Result> = { draft, changed: undefined };
    try {
      await limited.transaction(async (query) => {
        committing = await writeChange(store, { query, work, draft, batch });
      });
    } catch (error) {
      const isUnsure = error instanceof PostgresError && error.kind === 'unsure';
      if (!isUnsure) throw error;
      if (!(await wasCommitted(store.postgres, batch, untilMs + FIND_OUT_MS))) throw error;
    }
    const { draft: made, changed } = committing;
    if (changed !== undefined) await copyAfterCommit(store, changed, made.base);
    return made.result;
  });
}

/** Tries a change out. What the mirror refuses may be possible, if it is behind. */
async function draftChange<Result>(
  store: Shared,
  reading: Reading,
  work: Work<Result>,
): Promise<Draft<Result>> {
  const tryOut = () => whenUnlocked(() => store.file.use().draft(work));
  try {
    return await tryOut();
  } catch (error) {
    if (!(error instanceof ControlError || error instanceof ServiceError)) throw error;
    if (!(await bringUpToDate(store, reading))) throw error;
    return tryOut();
  }
}

type Committing<Result> = {
  readonly draft: Draft<Result>;
  /** The rows that the mirror lacks after the commit; undefined if there was nothing to write. */
  readonly changed: ChangedRows | undefined;
};

/**
 * Writes a draft, within a transaction that has the lock of the log. If the store has changed since the draft, that is
 * copied into the mirror first, and the change made anew: nothing else is committed meanwhile.
 */
async function writeChange<Result>(
  store: Shared,
  {
    query,
    work,
    draft,
    batch,
  }: {
    readonly query: RunStatement;
    readonly work: Work<Result>;
    readonly draft: Draft<Result>;
    readonly batch: string;
  },
): Promise<Committing<Result>> {
  const inside: Reading = { transaction: (reading) => reading(query) };
  const state = await readState(query, { locks: true });
  const current = isSameState(draft.base, state) ? draft : await draftAgain(store, inside, work);
  if (!isSameState(current.base, state)) throw mirrorReplaced(store.path);
  if (current.rows.length === 0) return { draft: current, changed: undefined };
  await query('INSERT INTO control_batch (id) VALUES ($1)', [batch]);
  await query(`DELETE FROM control_batch WHERE time < now() - interval '1 hour'`);
  await writeRows(query, current.rows);
  return { draft: current, changed: await readChanges(inside, CONTROL_TABLES, current.base) };
}

async function draftAgain<Result>(
  store: Shared,
  inside: Reading,
  work: Work<Result>,
): Promise<Draft<Result>> {
  await bringUpToDate(store, inside);
  return whenUnlocked(() => store.file.use().draft(work));
}

/** The change is made: if it cannot be copied now, the next poll does. */
async function copyAfterCommit(
  { file }: Shared,
  changed: ChangedRows,
  base: SeenState,
): Promise<void> {
  try {
    await whenUnlocked(() => file.use().write(changed, base));
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
  }
}

const ASK_AGAIN_MS = 100;

/** Whether a commit was made whose answer was lost. A transaction that still runs has the lock until its end. */
async function wasCommitted(postgres: Postgres, batch: string, untilMs: number): Promise<boolean> {
  for (;;) {
    try {
      return await within(postgres, untilMs).transaction(async (query) => {
        await readState(query, { locks: true });
        const rows = await query('SELECT 1 FROM control_batch WHERE id = $1', [batch]);
        return rows.length > 0;
      });
    } catch (error) {
      if (!isAway(error) || performance.now() > untilMs) throw unknownOutcome(error);
    }
    await passTime(ASK_AGAIN_MS);
  }
}

/** Explains an error of PostgreSQL to callers and operators. */
export async function explaining<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PostgresError)) throw error;
    throw storeAway(error);
  }
}

/** Whether an error of a shared store means that PostgreSQL cannot be reached. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof ControlError && isAway(error.cause);
}

/** For callers without the address of the database. */
function storeAway(error: PostgresError): ControlError {
  return new ControlError(error.message, error.hint, {
    reason: 'CONTROL_STORE_AWAY',
    forCallers: {
      message:
        'The database that the nodes of the service share cannot be used now: nothing was changed.',
      hint: 'Try again later. If the error persists, report it to the operator of the service.',
    },
    cause: error,
  });
}

function unknownOutcome(cause: unknown): ControlError {
  const message =
    'The connection to the database was lost during the change, so it is not known whether it was made.';
  const hint = 'Check the audit log before you repeat it.';
  return new ControlError(message, hint, {
    reason: 'CONTROL_STORE_AWAY',
    forCallers: { message, hint },
    cause,
  });
}

function mirrorReplaced(path: string): ControlError {
  return unusableFile(path, {
    problem: 'was replaced in the meantime',
    hint: 'Nothing was changed: try again.',
  });
}

/** Writes rows into the shared store, within a transaction. */
async function writeRows(query: RunStatement, rows: readonly TouchedRow[]): Promise<void> {
  for (const { table, key, row } of rows) {
    if (row === undefined) {
      await query(`DELETE FROM ${table.name} WHERE ${table.keyColumn} = $1`, [key]);
    } else {
      await query(
        upsertSql(table),
        table.written.map((column) => row[column]),
      );
    }
  }
}

/** An entry of the audit log that is there already is refused by its trigger. */
function upsertSql({ name, written, keyColumn }: ControlTable): string {
  const others = written.filter((column) => column !== keyColumn);
  return `INSERT INTO ${name} (${written.join(', ')})
    VALUES (${written.map((_, index) => `$${index + 1}`).join(', ')})
    ON CONFLICT (${keyColumn}) DO UPDATE
    SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}
