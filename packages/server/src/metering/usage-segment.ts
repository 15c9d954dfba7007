import {
  close,
  existsSync,
  fdatasync,
  fsync,
  ftruncateSync,
  mkdirSync,
  open,
  writeSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BASE32, randomText } from '../auth/random-text.ts';
import type { UsageFiles } from './usage-files.ts';

/**
 * A file of usage records that only one process appends to.
 *
 * A name is never reused: its 100 random bits are unique over all nodes. The ending says whether the process still
 * writes to it. After ten minutes without a write, the segment of a killed process counts as abandoned and is renamed
 * before it is merged to its end. A process checks after each write that its segment still has its name, so that one
 * that was stopped for ten minutes does not record into a file that nobody reads. A copy of a data directory has the
 * same names, so its usage is merged once.
 */
export type UsageSegment = {
  readonly bytes: () => number;
  readonly openedMs: number;
  /**
   * Appends lines. Resolves when they survive the end of the process. After a rejection the segment must be
   * retired, because it is not known how much was written.
   */
  readonly append: (lines: string) => Promise<void>;
  /** Marks the segment as done and closes it. */
  readonly retire: () => Promise<void>;
  /** Removes the segment with its records. */
  readonly discard: () => Promise<void>;
};

/**
 * `normal`: records survive a killed process, but a power failure can lose the last ones. `full`: records
 * survive a power failure too.
 */
export type UsageSync = 'normal' | 'full';

/** File name endings: of a segment that its process may still append to, and of one that is done. */
export const OPEN_ENDING = '.open.ndjson';
export const DONE_ENDING = '.done.ndjson';

/**
 * A segment without an append for this long belongs to a killed process, because live processes finish a
 * segment after a minute. The merge renames it, and `append` detects that.
 */
export const ABANDONED_AFTER_MS = 10 * 60_000;

const [openFile, syncData, syncFile, closeFile] = [
  promisify(open),
  promisify(fdatasync),
  promisify(fsync),
  promisify(close),
];

export async function openSegment(
  { segments }: UsageFiles,
  sync: UsageSync,
): Promise<UsageSegment> {
  mkdirSync(segments, { recursive: true, mode: 0o700 });
  const openedMs = Date.now();
  // The time sorts the files for operators; 100 random bits make the name unique.
  const name = `${openedMs}-${randomText({ alphabet: BASE32, length: 20 })}`;
  const path = join(segments, `${name}${OPEN_ENDING}`);
  const file = await openFile(path, 'ax', 0o600);
  if (sync === 'full') {
    await syncFolder(segments).catch(async (error: unknown) => {
      await closeFile(file);
      await rm(path, { force: true });
      throw error;
    });
  }
  let bytes = 0;
  let hasFailed = false;

  const writeAll = async (buffer: Buffer): Promise<void> => {
    // The system only copies the bytes. Giving that to another thread costs more.
    for (let written = 0; written < buffer.byteLength; ) {
      written += writeSync(file, buffer, written);
    }
    if (sync === 'full') await syncData(file);
    // If the folder was removed, or the segment was treated as abandoned while this process was
    // suspended, the written lines would be lost. The check takes microseconds.
    if (!existsSync(path)) throw new Error(`The segment ${path} was removed.`);
  };

  return {
    bytes: () => bytes,
    openedMs,
    append: async (lines) => {
      const buffer = Buffer.from(lines);
      try {
        await writeAll(buffer);
        bytes += buffer.byteLength;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
    retire: async () => {
      try {
        // The requests of the last lines failed, so their usage is removed unless it is already merged.
        if (hasFailed) ftruncateSync(file, bytes);
        if (bytes === 0) await rm(path, { force: true });
        else await rename(path, join(segments, `${name}${DONE_ENDING}`));
      } catch {
        // The segment is later treated as abandoned, or is already removed.
      } finally {
        await closeFile(file);
      }
    },
    discard: async () => {
      await rm(path, { force: true });
      await closeFile(file);
    },
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await openFile(path, 'r');
  try {
    await syncFile(folder);
  } finally {
    await closeFile(folder);
  }
}
