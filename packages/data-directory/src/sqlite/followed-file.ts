import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isDiskFull } from './disk-full.ts';
import { explainSqlite } from './explain-sqlite.ts';
import {
  type FileHold,
  fileGone,
  fileLost,
  holdFile,
  identityOf,
  isSameFile,
  lockPathOf,
  stampOf,
} from './file-hold.ts';
import { BUSY_TIMEOUT_MS, openSqliteFile } from './open-sqlite-file.ts';
import { correctMode, createPrivateFile, type OpenToOthers } from './private-file.ts';
import { type ReservedRoom, reservedRoom } from './reserved-room.ts';
import type { SqliteSchema } from './sqlite-schema.ts';
import { unusableFile } from './unusable-file.ts';

/**
 * An SQLite file that is followed by its path. If another file is moved to the path, for example a backup,
 * the next use opens that file. A file that disappears is never created again.
 *
 * A stat before each use, 2 µs, notices another file; SQLite itself would not. Every process checks the path each 50
 * ms too and closes the old file. Requests wait for that for half a second at most, then they are refused.
 */
export type FollowedFile<Opened> = {
  /** Returns what was opened from the current file. Throws a ControlError with the cause if that fails. */
  readonly use: () => Opened;
  /** A second call does nothing. */
  readonly close: () => void;
};

/** An object that depends on an open file and is closed with it. */
export type Closable = { readonly close: () => void };

/** An open file. */
export type OpenFile = {
  readonly database: DatabaseSync;
  /** Throws if another file has the path now. */
  readonly expectInPlace: () => void;
};

export type FollowOptions = {
  /** Default: `command`. */
  readonly use?: FileUse;
  /** Whether the file is a copy that can be made again, so that a lost one is no loss. Default: false. */
  readonly isCopy?: boolean;
  /** Disk space that is reserved for a full disk. Default: none. */
  readonly room?: ReservedRoom;
  /** Called for a file that other users could access; see `correctMode`. Default: ignored. */
  readonly onOpenToOthers?: (file: OpenToOthers) => void;
};

/**
 * The use of the file:
 *
 * - `command`: by a command. It creates the file if there never was one.
 * - `start`: by a starting service. It also creates the file, and checks all of it.
 * - `service`: by a part of a running service. A problem with the file is reported when the file is used, not
 *   when it is opened.
 */
export type FileUse = 'command' | 'start' | 'service';

/** How soon an idle process closes a replaced file; the other processes wait for that. */
const POLL_EVERY_MS = 50;
const POLLS_BETWEEN_ROOM = 20;

/** How long a request blocks the process until the others have closed the old file; once for each file. */
const WAIT_MS = 10 * POLL_EVERY_MS;

/** A failed file is retried after this time, because it may have been repaired in place. */
const TRY_AGAIN_MS = 250;

export function followFile<Opened extends Closable>(
  path: string,
  schema: SqliteSchema,
  open: (file: OpenFile) => Opened,
  {
    use = 'command',
    isCopy = false,
    room = reservedRoom(path, 0),
    onOpenToOthers = () => {},
  }: FollowOptions = {},
): FollowedFile<Opened> {
  const isServing = use === 'start' || use === 'service';
  let current: Current<Opened> | undefined;
  let hasBeenOpen = false;
  let isClosed = false;
  let failed:
    | { readonly stamp: string; readonly againMs: number; readonly error: unknown }
    | undefined;

  const openNow = ({
    isAlone,
    waitMs,
  }: {
    readonly isAlone: boolean;
    readonly waitMs: number;
  }): Current<Opened> => {
    const mayMake = use !== 'service' && !hasBeenOpen;
    if (mayMake) make(path, isCopy);
    const hold = holdFile(path, { waitMs, isLogOfBefore: hasBeenOpen });
    const expectInPlace = (): void => {
      if (!isSameFile(identityOf(path), hold.identity)) throw replacedMeanwhile(path);
    };
    try {
      for (const ending of ENDINGS) {
        const corrected = correctMode(path + ending);
        if (corrected !== undefined) onOpenToOthers(corrected);
      }
      const database = openSqliteFile(path, schema, {
        mayMigrate: !isServing || mayMake,
        checksContent: isServing,
        isAlone,
        check: expectInPlace,
      });
      return { hold, database, opened: openOf(database, () => open({ database, expectInPlace })) };
    } catch (error) {
      hold.release();
      throw error;
    }
  };

  const openFile = (waitMs: number): Opened => {
    const shared = () => openNow({ isAlone: false, waitMs });
    const found = explainSqlite(
      path,
      schema.name,
    )(() => {
      if (isServing) return room.find(shared);
      try {
        return shared();
      } catch (error) {
        // A command with exclusive access needs no shared-memory file.
        if (!isDiskFull(error, path)) throw error;
        return room.find(() => openNow({ isAlone: true, waitMs }));
      }
    });
    current = found;
    hasBeenOpen = true;
    failed = undefined;
    room.keep();
    return found.opened;
  };

  const letGo = (): void => {
    const before = current;
    if (before === undefined) return;
    if (!isInPlace()) emptyLog(before.database);
    current = undefined;
    before.opened.close();
    before.hold.release();
  };

  /** Opens the current file if it is not the open one. */
  const change = (): Opened => {
    letGo();
    if (identityOf(path) === undefined) throw fileGone(path);
    const stamp = stampOf(path);
    const isKnown = failed?.stamp === stamp;
    if (failed !== undefined && isKnown && performance.now() < failed.againMs) throw failed.error;
    try {
      return openFile(isKnown ? 0 : WAIT_MS);
    } catch (error) {
      failed = { stamp, againMs: performance.now() + TRY_AGAIN_MS, error };
      throw error;
    }
  };

  const isInPlace = (): boolean =>
    current !== undefined && isSameFile(identityOf(path), current.hold.identity);

  let polls = 0;
  const poll = (): void => {
    if (current !== undefined && !isInPlace()) letGo();
    polls += 1;
    // The space may have been given up, or there was none before.
    if (polls % POLLS_BETWEEN_ROOM === 0 && current !== undefined) room.keep();
  };
  if (use !== 'service') openFile(BUSY_TIMEOUT_MS);
  const timer = isServing ? setInterval(poll, POLL_EVERY_MS).unref() : undefined;

  return {
    use: () => {
      assert(!isClosed, `${path} is closed.`);
      return current !== undefined && isInPlace() ? current.opened : change();
    },
    close: () => {
      isClosed = true;
      clearInterval(timer);
      if (current === undefined) return;
      letGo();
      room.keep();
    },
  };
}

/** Creates the file if there never was one. A lost file must be restored instead, if it is no copy. */
function make(path: string, isCopy: boolean): void {
  // The order matters: this file is created before the other one.
  const wasMade = existsSync(lockPathOf(path));
  if (wasMade && identityOf(path) === undefined) {
    if (!isCopy) throw fileLost(path);
    // The log of the lost file would be applied to the new one.
    for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
  }
  createPrivateFile(path);
}

type Current<Opened> = {
  readonly hold: FileHold;
  readonly database: DatabaseSync;
  readonly opened: Opened;
};

/**
 * Checkpoints the log into its file and empties it. SQLite would leave the log of a file that was moved
 * away, and it would be applied to the file that has the path now.
 */
function emptyLog(database: DatabaseSync): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${POLL_EVERY_MS}; PRAGMA wal_checkpoint(TRUNCATE)`);
  } catch {
    // The log is removed before the other file is opened.
  }
}

const ENDINGS = ['', '-wal', '-shm', '-lock', '-reserve'];

/** Opens an object on a database, and closes the database if that fails. */
function openOf<Opened>(database: DatabaseSync, open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    database.close();
    throw error;
  }
}

function replacedMeanwhile(path: string): Error {
  return unusableFile(path, {
    problem: 'was replaced in the meantime',
    hint: 'Check whether the change was made, and repeat it if not.',
  });
}
