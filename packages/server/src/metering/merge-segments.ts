import { closeSync, fstatSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import { readUsageLine } from './usage-line.ts';
import { ABANDONED_AFTER_MS, DONE_ENDING, OPEN_ENDING } from './usage-segment.ts';
import type { Merged } from './usage-store.ts';

/** Records of a segment, and the length up to which it is merged with them. */
export type Chunk = Merged & {
  readonly lines: readonly UsageRecord[];
  readonly endBytes: number;
};

/** A store that segments are merged into. */
export type MergeTarget = {
  /** The merged lengths of segments; one that is not known has none. */
  readonly mergedBytes: (names: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /**
   * In one transaction, and while no other process merges the same segment: calls `read` with its merged length, and
   * adds the records of the chunk and its end. `read` opens the file, so that a segment which was merged and removed
   * meanwhile has no chunk.
   */
  readonly addChunk: (
    name: string,
    read: (mergedBytes: number) => Chunk | undefined,
  ) => Promise<Chunk | undefined>;
  /** These segments are merged to their end, and their files removed. */
  readonly forget: (names: readonly string[]) => Promise<void>;
};

export type MergeOptions = {
  /** Default: true. Otherwise files stay as they are, because the merge is rolled back. */
  readonly removesFiles?: boolean;
  /** How many segments are merged at the same time. Default: 1. */
  readonly parallel?: number;
  /** Ends the merge between two chunks. */
  readonly signal?: AbortSignal | undefined;
};

/** The size of one transaction; it blocks the merges of other processes for some milliseconds. */
const CHUNK_BYTES = 2 ** 20;

/**
 * Merges the records of all segments of a folder, in the order of their time.
 *
 * The records and the merged length of their segment are written in one transaction, so any process may merge and may
 * be killed at any time. The service merges in a thread each second, because SQLite blocks. Usage has a file apart
 * from `control.sqlite`, so a revocation never waits for a merge.
 */
export async function mergeSegments(
  folder: string,
  target: MergeTarget,
  { removesFiles = true, parallel = 1, signal }: MergeOptions = {},
): Promise<Merged> {
  const files = listSegments(folder);
  const total = { records: 0, unreadableLines: 0 };
  if (files.length === 0) return total;
  const known = await target.mergedBytes(files.map(nameOf));
  const removed: string[] = [];
  let hasFailed = false;

  const mergeFile = async (file: string): Promise<void> => {
    const [name, path] = [nameOf(file), join(folder, file)];
    const found = statSegment(path);
    if (found === undefined) return;
    for (let merged = known.get(name) ?? 0; merged < found.bytes; ) {
      if (hasFailed || signal?.aborted === true) return;
      const chunk = await target.addChunk(name, (start) => readChunk(path, start));
      if (chunk === undefined) break;
      total.records += chunk.records;
      total.unreadableLines += chunk.unreadableLines;
      merged = chunk.endBytes;
    }
    if (!removesFiles) return;
    if (file.endsWith(DONE_ENDING)) {
      rmSync(path, { force: true });
      removed.push(name);
    } else if (found.quietMs > ABANDONED_AFTER_MS) renameIfThere(path, join(folder, name));
  };

  const left = files[Symbol.iterator]();
  const mergeLeft = async (): Promise<void> => {
    for (const file of left) {
      try {
        await mergeFile(file);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: parallel }, mergeLeft));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  if (removed.length > 0) await target.forget(removed);
  return total;
}

/** Whether the file of a segment is there. It goes from open to done to removed, and is looked for in this order. */
export function hasSegment(folder: string, name: string): boolean {
  return [OPEN_ENDING, DONE_ENDING].some(
    (ending) => statSegment(join(folder, `${name}${ending}`)) !== undefined,
  );
}

function nameOf(file: string): string {
  return file.slice(0, file.indexOf('.'));
}

/** The complete lines after an offset; undefined if there are none. A truncated line is not complete. */
function readChunk(path: string, startBytes: number): Chunk | undefined {
  const bytes = readBytes(path, startBytes);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end === 0) {
    if (bytes.byteLength < CHUNK_BYTES) return undefined;
    // No record is this long. The chunk is skipped, so that it does not block the records after it.
    const endBytes = startBytes + CHUNK_BYTES;
    return { lines: [], records: 0, unreadableLines: 1, endBytes };
  }
  const texts = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  const lines = texts.map(readUsageLine).filter((record) => record !== undefined);
  const unreadableLines = texts.length - lines.length;
  return { lines, records: lines.length, unreadableLines, endBytes: startBytes + end };
}

function readBytes(path: string, startBytes: number): Buffer {
  const file = openIfThere(path);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(file, buffer, 0, CHUNK_BYTES, startBytes);
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Undefined if there is no such file. */
function statSegment(
  path: string,
): { readonly bytes: number; readonly quietMs: number } | undefined {
  const file = openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const { size, mtimeMs } = fstatSync(file);
    return { bytes: size, quietMs: Date.now() - mtimeMs };
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  return unlessMissing(() => openSync(path, 'r'));
}

function renameIfThere(path: string, target: string): void {
  unlessMissing(() => renameSync(path, `${target}${DONE_ENDING}`));
}

function listSegments(folder: string): readonly string[] {
  const files = unlessMissing(() => readdirSync(folder)) ?? [];
  return files.filter((file) => file.endsWith(OPEN_ENDING) || file.endsWith(DONE_ENDING)).sort();
}

/** Another process may have removed the file: its owner, or one that also merges. */
function unlessMissing<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
