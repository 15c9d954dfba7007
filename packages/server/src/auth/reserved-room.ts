import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { isDiskFull } from './disk-full.ts';

/**
 * Room on the disk that is kept for the time when it is full, in a file beside the one it is for. Processes
 * share it.
 */
export type ReservedRoom = {
  /** Does the work; where the disk is full, gives up the room and does it once more. To be kept again after. */
  readonly find: <Result>(work: () => Result, onFull?: () => void) => Result;
  /** Takes the room again, or as much of it as there is. */
  readonly keep: () => void;
};

/**
 * A revocation with its audit entry is some 25 KiB in the write-ahead log, and the file that processes
 * share beside it 32 KiB. After each of them the log is emptied, so that it begins at its start again; what
 * stays are the entries, some 250 bytes each. So this is room for thousands, and for dozens where somebody
 * else reads for so long that the log cannot be emptied.
 */
const RESERVED_BYTES = 2 ** 20;

/** Room beside a file; of none, nothing is kept. */
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
  // A disk that is full keeps what fits; what goes wrong otherwise must not end what was done already.
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

/** Random, because a file system that compresses keeps no room for zeros. */
function fillingOf(bytes: number): Buffer {
  return randomBytes(Math.min(bytes, 2 ** 16));
}
