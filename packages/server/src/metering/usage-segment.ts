import {
  close,
  existsSync,
  fdatasync,
  fsync,
  ftruncateSync,
  mkdirSync,
  open,
  write,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BASE32, randomText } from '../auth/random-text.ts';
import type { UsageFiles } from './usage-files.ts';

/** A file that one process appends records to, and no other process ever. */
export type UsageSegment = {
  readonly bytes: () => number;
  readonly openedMs: number;
  /**
   * Appends lines. Resolves when they outlive the process. When it rejects, the segment is to be
   * retired: how much of them was written is not known.
   */
  readonly append: (lines: string) => Promise<void>;
  /** Says that it gets nothing more, and closes it. */
  readonly retire: () => Promise<void>;
  /** Removes it with what is in it. */
  readonly discard: () => Promise<void>;
};

/**
 * `normal`: what is written survives a process that is killed; the last of it can be lost with the power
 * of the machine. `full`: it survives that too.
 */
export type UsageSync = 'normal' | 'full';

/** A segment that its process may still append to, and one that gets nothing more. */
export const OPEN_ENDING = '.open.ndjson';
export const DONE_ENDING = '.done.ndjson';

/**
 * A segment that was not appended to for so long is one of a process that was killed: others are done
 * after a minute. Whoever merges it renames it first, which `append` notices.
 */
export const ABANDONED_AFTER_MS = 10 * 60_000;

const [openFile, writeFile, syncData, syncFile, closeFile] = [
  promisify(open),
  promisify(write),
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
  // The time sorts them for who looks; 100 random bits make the name one that comes once.
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
    for (let written = 0; written < buffer.byteLength; ) {
      written += (await writeFile(file, buffer, written)).bytesWritten;
    }
    if (sync === 'full') await syncData(file);
    // Where the folder was removed, or the segment taken for abandoned while this process stood
    // still, nobody would ever read what was written. Looking takes microseconds.
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
        // Their requests failed, so they are not to be counted. Where they are merged already, they are.
        if (hasFailed) ftruncateSync(file, bytes);
        if (bytes === 0) await rm(path, { force: true });
        else await rename(path, join(segments, `${name}${DONE_ENDING}`));
      } catch {
        // It is taken for abandoned then, or is gone.
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
