import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { isDiskFull } from './disk-full.ts';

/**
 * Disk space that is reserved for the case of a full disk, as a file in the same folder. All processes
 * share it.
 *
 * It is released to revoke a token, to remove a grant and to suspend an organisation.
 */
export type ReservedRoom = {
  /** Runs the work. If the disk is full, frees the space and repeats it; call `keep` afterwards. */
  readonly find: <Result>(work: () => Result, onFull?: () => void) => Result;
  /** Reserves the space again, or as much of it as is free. */
  readonly keep: () => void;
};

/**
 * A revocation with its audit entry takes about 25 KiB in the write-ahead log, and the shared-memory file
 * 32 KiB. The log is emptied after each change and starts again; only the entries of about 250 bytes each
 * remain. So this space is enough for thousands of changes, or for dozens if a long-running reader keeps
 * the log from being emptied.
 */
const RESERVED_BYTES = 2 ** 20;

/** The reserved space for a file; 0 bytes reserve nothing. */
export function reservedRoom(path: string, bytes = RESERVED_BYTES): ReservedRoom {
  const file = `${path}-reserve`;
  return {
    find: (work, onFull = () => {}) => {
      try {
        return work();
      } catch (error) {
        if (!isDiskFull(error, path)) throw error;
        onFull();
        rmSync(file, { force: true });
        return work();
      }
    },
    keep: () => {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size < bytes) fill(file, bytes);
    },
  };
}

function fill(file: string, bytes: number): void {
  // A full disk keeps what fits. Other errors must not fail a change that is already made.
  try {
    const handle = openSync(file, 'a', 0o600);
    try {
      for (let size = fstatSync(handle).size; size < bytes; ) {
        size += writeSync(handle, fillingOf(bytes - size));
      }
    } finally {
      closeSync(handle);
    }
  } catch {}
}

/** Random, because a compressing file system would reserve no space for zeros. */
function fillingOf(bytes: number): Buffer {
  return randomBytes(Math.min(bytes, 2 ** 16));
}
