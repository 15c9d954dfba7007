import { copyDatabase } from '@locmetrics/data-directory/sqlite/copy-database';
import { explainEach, explainSqlite } from '@locmetrics/data-directory/sqlite/explain-sqlite';
import {
  type FileUse,
  followFile,
  type OpenFile,
} from '@locmetrics/data-directory/sqlite/followed-file';
import type { OpenToOthers } from '@locmetrics/data-directory/sqlite/private-file';
import { type ReservedRoom, reservedRoom } from '@locmetrics/data-directory/sqlite/reserved-room';
import type { Clock } from './clock.ts';
import { type ControlOperations, prepareOperations, readsOf } from './control-operations.ts';
import { CONTROL_SCHEMA } from './control-schema.ts';
import { prepareChanges } from './make-change.ts';
import { expectNoMirror } from './mirror-row.ts';
import type { RandomBytes } from './random-text.ts';
import { type RepairedRow, repairRights } from './repair-rights.ts';

export type ControlStoreOptions = {
  /** Default: the clock of the system. */
  readonly clock?: Clock;
  /** Default: `randomBytes` of node:crypto. */
  readonly random?: RandomBytes;
  /**
   * Whether a change blocks the process while another process holds the lock. Default: true. A serving
   * process does not block but retries: see `whenUnlocked`.
   */
  readonly waitsForLock?: boolean;
  /**
   * Called when the time of a token's last use could not be written. The times are kept and written
   * later, so this only needs to be observed. Default: ignored.
   */
  readonly onLastUsedFailed?: (error: unknown) => void;
  /** Default: `command`. */
  readonly use?: FileUse;
  /** Called for a file that was accessible to other users than its owner. Default: ignored. */
  readonly onOpenToOthers?: (file: OpenToOthers) => void;
};

/**
 * Organisations, their tokens, grants and limits, and the secrets of the service. All times are in ms since
 * 1970. Each change is logged; the default actor is the user of the command line.
 *
 * A change of a store that several nodes share waits for its database; reads never wait.
 */
export type ControlStore = {
  readonly [Name in Exclude<keyof FileControlStore, 'repairFrom'>]: Name extends ChangeName
    ? MayWait<FileControlStore[Name]>
    : FileControlStore[Name];
};

/** The management operations. */
export type ManagementOperations = Omit<
  ControlStore,
  | 'findCaller'
  | 'pollCallers'
  | 'findCallerById'
  | 'secret'
  | 'wasReplaced'
  | 'makeSecret'
  | 'rotateSecret'
  | 'findDamagedRows'
  | 'copyTo'
  | 'close'
>;

type ChangeName =
  | 'createOrganisation'
  | 'suspendOrganisation'
  | 'resumeOrganisation'
  | 'createToken'
  | 'revokeToken'
  | 'rotateToken'
  | 'createSignInLink'
  | 'signIn'
  | 'addGrant'
  | 'replaceGrant'
  | 'removeGrant'
  | 'setLimits'
  | 'recordVersionChanges'
  | 'makeSecret'
  | 'rotateSecret'
  | 'close';

type MayWait<Operation> = Operation extends (...given: infer Given) => infer Result
  ? (...given: Given) => Result | Promise<Result>
  : never;

/** A control store in a file alone, whose changes do not wait either. */
export type FileControlStore = ControlOperations & {
  /** Writes all that is in it now to another file. */
  copyTo(path: string): void;
  /** Restores damaged rows from a backup; returns what became of each. */
  repairFrom(backupPath: string): readonly RepairedRow[];
  /** Writes what is still in memory and closes the file. A second call does nothing. */
  close(): void;
};

/**
 * Opens the control store, the file `control.sqlite` of a data directory. Any number of processes may have
 * it open; each sees the commits of the others in its next call. If another file is moved to its path, for
 * example a backup, that file is used from the next call on.
 *
 * Throws a ControlError if the file cannot be created, is not a control store, is a mirror of a shared one, is
 * locked, or was written by a newer version. Each call throws it when this happens later.
 */
export function openControlStore(
  path: string,
  options: ControlStoreOptions = {},
): FileControlStore {
  const { use: fileUse = 'command', onOpenToOthers } = options;
  const room = reservedRoom(path);
  const file = followFile(path, CONTROL_SCHEMA, (opened) => prepare(opened, path, room, options), {
    use: fileUse,
    room,
    ...(onOpenToOthers === undefined ? {} : { onOpenToOthers }),
  });
  const { use } = file;
  return {
    ...readsOf(use),
    createOrganisation: (...given) => use().createOrganisation(...given),
    suspendOrganisation: (...given) => use().suspendOrganisation(...given),
    resumeOrganisation: (...given) => use().resumeOrganisation(...given),
    createToken: (...given) => use().createToken(...given),
    revokeToken: (...given) => use().revokeToken(...given),
    rotateToken: (...given) => use().rotateToken(...given),
    createSignInLink: (...given) => use().createSignInLink(...given),
    signIn: (code) => use().signIn(code),
    addGrant: (...given) => use().addGrant(...given),
    replaceGrant: (...given) => use().replaceGrant(...given),
    removeGrant: (...given) => use().removeGrant(...given),
    setLimits: (...given) => use().setLimits(...given),
    recordVersionChanges: (...given) => use().recordVersionChanges(...given),
    makeSecret: (name) => use().makeSecret(name),
    rotateSecret: (...given) => use().rotateSecret(...given),
    copyTo: (target) => use().copyTo(target),
    repairFrom: (backup) => use().repairFrom(backup),
    close: file.close,
  };
}

/** The operations on one opened file; they end when it is closed. */
function prepare(
  opened: OpenFile,
  path: string,
  room: ReservedRoom,
  options: ControlStoreOptions,
): FileControlStore {
  const { database, expectInPlace } = opened;
  const { clock = Date.now, waitsForLock = true } = options;
  expectNoMirror(database, path);
  const explain = explainSqlite(path, CONTROL_SCHEMA.name);
  const makeChange = prepareChanges(
    { database, expectInPlace },
    { clock, waitsForLock, explain, room },
  );
  const { close, ...operations } = prepareOperations(opened, path, { ...options, makeChange });
  return {
    ...explainEach(operations, explain),
    copyTo: (target) => explain(() => copyDatabase(database, target)),
    repairFrom: (backup) => explain(() => repairRights(database, backup)),
    close() {
      close();
      database.close();
    },
  };
}
