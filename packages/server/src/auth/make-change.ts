import type { DatabaseSync } from 'node:sqlite';
import type { Explain } from '@locmetrics/data-directory/sqlite/explain-sqlite';
import type { OpenFile } from '@locmetrics/data-directory/sqlite/followed-file';
import { BUSY_TIMEOUT_MS } from '@locmetrics/data-directory/sqlite/open-sqlite-file';
import type { ReservedRoom } from '@locmetrics/data-directory/sqlite/reserved-room';
import { inTransaction } from '@locmetrics/data-directory/sqlite/sqlite-transaction';
import { type Actor, commandLineActor } from './actor.ts';
import type { Clock } from './clock.ts';

export type AuditAction =
  | 'organisation.create'
  | 'organisation.suspend'
  | 'organisation.resume'
  | 'token.create'
  | 'token.rotate'
  | 'token.revoke'
  | 'sign_in_link.create'
  | 'grant.add'
  | 'grant.replace'
  | 'grant.remove'
  | 'limits.set'
  | 'version.publish'
  | 'version.rollback'
  | 'version.withdraw'
  | 'dataset.remove'
  | 'secret.rotate';

/** A change of the control store, or of what is published. */
export type Change = {
  readonly action: AuditAction;
  /** The organisation that is affected; empty if the change is of what is published. */
  readonly organisationId: string;
  /** The id of the changed object. */
  readonly subject: string;
  /** The new state. It never contains the text or the hash of a token or code. */
  readonly details: Readonly<Record<string, unknown>>;
};

/**
 * Makes a change and logs it: `work` and its entry are one transaction. `work` returns its change, or none
 * if there was nothing to do.
 *
 * Triggers of the database refuse to change or remove entries.
 */
export type MakeChange = <Result>(
  by: Actor | undefined,
  work: (now: number) => { readonly result: Result; readonly change?: Change },
  /** `findsRoom`: the change must also be possible on a full disk, because it removes a right. */
  options?: { readonly findsRoom: boolean },
) => Result;

/** For changes that remove a right from someone. */
export const TAKES_AWAY = { findsRoom: true };

/** The writing side of the log; it is prepared before the operations that use it. */
export function prepareChanges(
  { database, expectInPlace }: OpenFile,
  {
    clock,
    waitsForLock,
    explain,
    room,
  }: {
    readonly clock: Clock;
    readonly waitsForLock: boolean;
    readonly explain: Explain;
    readonly room: ReservedRoom;
  },
): MakeChange {
  const log = prepareLog(database, clock);
  return (by, work, { findsRoom } = { findsRoom: false }) => {
    const makeChange = () =>
      (waitsForLock ? inTransaction : withoutWaiting)(database, () => log(by, work));
    const result = explain(() => (findsRoom ? withRoom(database, room, makeChange) : makeChange()));
    // Otherwise the change is in a file that no process uses any more.
    expectInPlace();
    return result;
  };
}

/** Makes a change and logs it in the transaction that is open. */
export function prepareLog(database: DatabaseSync, clock: Clock): MakeChange {
  const insert = database.prepare(
    `INSERT INTO audit (time, actor, action, organisation, subject, details)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return (by = commandLineActor(), work) => {
    const now = clock();
    const { result, change } = work(now);
    if (change !== undefined) {
      const { action, organisationId, subject, details } = change;
      const [actor, written] = [by, details].map((value) => JSON.stringify(value));
      insert.run(now, actor ?? '', action, organisationId, subject, written ?? '');
    }
    return result;
  };
}

/** On a full disk, moves the log into the existing space of the file and reserves the space again. */
export function withRoom<Result>(
  database: DatabaseSync,
  room: ReservedRoom,
  makeChange: () => Result,
): Result {
  let wasFull = false;
  const result = room.find(makeChange, () => {
    wasFull = true;
  });
  if (wasFull) {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    room.keep();
  }
  return result;
}

/** Fails immediately if another process holds the lock, because a serving process must not block. */
export function withoutWaiting<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return inTransaction(database, work);
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}
