import { closeSync, fstatSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { dayText } from '../domain/calendar-date.ts';
import type { UsageRecord } from '../domain/usage-record.ts';
import { readInteger, readText } from '../sqlite/sqlite-row.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import type { UsageFiles } from './usage-files.ts';
import { readUsageLine } from './usage-line.ts';
import type { UsageSums } from './usage-query.ts';
import { ABANDONED_AFTER_MS, DONE_ENDING, OPEN_ENDING } from './usage-segment.ts';

export type Merge = {
  /**
   * Merges the records of all segments into the store, each exactly once: the records and the merged length
   * of their segment are written in one transaction. Any process may merge at any time, and may be killed
   * while it does.
   */
  readonly merge: () => Merged;
  /**
   * Runs `work` with all records merged, then rolls the merge back. The merge stays in memory, so it needs no
   * disk space. No other process can merge in the meantime.
   */
  readonly whileMerged: <Result>(work: () => Result) => Result;
};

export type Merged = {
  readonly records: number;
  /** Lines that are not a record; a power failure can leave them. */
  readonly unreadableLines: number;
};

/** The size of one transaction; it blocks the merges of other processes for some milliseconds. */
const CHUNK_BYTES = 2 ** 20;

export function prepareMerge(database: DatabaseSync, { segments }: UsageFiles): Merge {
  const selectMerged = database.prepare('SELECT merged_bytes FROM segment WHERE name = ?');
  const selectNames = database.prepare('SELECT name FROM segment');
  const deleteSegment = database.prepare('DELETE FROM segment WHERE name = ?');
  const updateMerged = database.prepare(
    `INSERT INTO segment (name, merged_bytes) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET merged_bytes = excluded.merged_bytes`,
  );
  const insertRecord = database.prepare(
    `INSERT INTO record (time, organisation, token, operation, resource, rows, bytes, request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addUsed = database.prepare(
    `INSERT INTO used (organisation, day, token, operation, resource, requests, rows, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (organisation, day, token, operation, resource) DO UPDATE SET
       requests = requests + excluded.requests,
       rows = rows + excluded.rows,
       bytes = bytes + excluded.bytes`,
  );

  const mergedBytes = (name: string): number => {
    const row = selectMerged.get(name);
    return row === undefined ? 0 : readInteger(row, 'merged_bytes');
  };

  const addRecords = (records: readonly UsageRecord[]): void => {
    for (const record of records) {
      const { time, organisationId, tokenId, operation, resource, rows, bytes, requestId } = record;
      insertRecord.run(
        ...[time, organisationId, tokenId, operation, resource, rows, bytes, requestId],
      );
    }
    for (const { parts, requests, rows, bytes } of addUp(records)) {
      addUsed.run(...parts, requests, rows, bytes);
    }
  };

  /** Merges one chunk; undefined if there is no chunk, or no complete line. */
  const mergeChunk = (path: string, name: string): Merged | undefined => {
    // The file is opened in the transaction. The row of a segment is deleted only after its file was
    // removed, so a file that exists never counts as unmerged by mistake.
    const chunk = readChunk(path, mergedBytes(name));
    if (chunk === undefined) return undefined;
    const lines = chunk.text.split('\n').slice(0, -1);
    const records = lines.map(readUsageLine).filter((record) => record !== undefined);
    addRecords(records);
    updateMerged.run(name, chunk.endBytes);
    return { records: records.length, unreadableLines: lines.length - records.length };
  };

  /** Each chunk is its own transaction, or part of a larger one. */
  const mergeChunks = (
    { path, name, bytes }: { path: string; name: string; bytes: number },
    inOwn: <Result>(work: () => Result) => Result,
  ): readonly Merged[] => {
    const merged: Merged[] = [];
    while (bytes > mergedBytes(name)) {
      const chunk = inOwn(() => mergeChunk(path, name));
      if (chunk === undefined) break;
      merged.push(chunk);
    }
    return merged;
  };

  const mergeSegment = (file: string): readonly Merged[] => {
    const path = join(segments, file);
    const name = nameOf(file);
    const found = lookAt(path);
    if (found === undefined) return [];
    const merged = mergeChunks({ path, name, bytes: found.bytes }, (work) =>
      inTransaction(database, work),
    );
    if (file.endsWith(DONE_ENDING)) rmSync(path, { force: true });
    else if (found.quietMs > ABANDONED_AFTER_MS) renameIfThere(path, join(segments, name));
    return merged;
  };

  /** A segment goes from open to done to removed, so its files are checked in this order. */
  const forgetRemoved = (): void => {
    for (const row of selectNames.all()) {
      const name = readText(row, 'name');
      const isThere = [OPEN_ENDING, DONE_ENDING].some(
        (ending) => lookAt(join(segments, `${name}${ending}`)) !== undefined,
      );
      if (!isThere) deleteSegment.run(name);
    }
  };

  return {
    merge: () => {
      forgetRemoved();
      const merged = listSegments(segments).flatMap(mergeSegment);
      return {
        records: merged.reduce((sum, { records }) => sum + records, 0),
        unreadableLines: merged.reduce((sum, { unreadableLines }) => sum + unreadableLines, 0),
      };
    },
    whileMerged: (work) => {
      // Without this, many changed pages would be written to disk before the rollback.
      database.exec('PRAGMA cache_spill = OFF; BEGIN IMMEDIATE');
      try {
        for (const file of listSegments(segments)) {
          const path = join(segments, file);
          const bytes = lookAt(path)?.bytes ?? 0;
          mergeChunks({ path, name: nameOf(file), bytes }, (merge) => merge());
        }
        return work();
      } finally {
        database.exec('ROLLBACK; PRAGMA cache_spill = ON');
      }
    },
  };
}

function nameOf(file: string): string {
  return file.slice(0, file.indexOf('.'));
}

type Chunk = { readonly text: string; readonly endBytes: number };

/** The complete lines after an offset; undefined if there are none. A truncated line is not complete. */
function readChunk(path: string, beginBytes: number): Chunk | undefined {
  const bytes = readBytes(path, beginBytes);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end > 0) return { text: bytes.toString('utf8', 0, end), endBytes: beginBytes + end };
  // No record is this long. The chunk is skipped, so that it does not block the records after it.
  if (bytes.byteLength === CHUNK_BYTES) return { text: '\n', endBytes: beginBytes + CHUNK_BYTES };
  return undefined;
}

function readBytes(path: string, beginBytes: number): Buffer {
  const file = openIfThere(path);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(file, buffer, 0, CHUNK_BYTES, beginBytes);
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Undefined if there is no such file. */
function lookAt(path: string): { readonly bytes: number; readonly quietMs: number } | undefined {
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

type Used = UsageSums & { readonly parts: readonly string[] };

/** The sums of records by day, organisation, token, operation and resource. */
function addUp(records: readonly UsageRecord[]): Iterable<Used> {
  const sums = new Map<string, Used>();
  for (const record of records) {
    const { organisationId, tokenId, operation, resource, rows, bytes } = record;
    const parts = [organisationId, dayText(record.time), tokenId, operation, resource];
    const key = JSON.stringify(parts);
    const sum = sums.get(key) ?? { parts, requests: 0, rows: 0, bytes: 0 };
    sums.set(key, {
      parts,
      requests: sum.requests + 1,
      rows: sum.rows + rows,
      bytes: sum.bytes + bytes,
    });
  }
  return sums.values();
}
