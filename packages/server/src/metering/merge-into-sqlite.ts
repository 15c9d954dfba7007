import type { DatabaseSync } from 'node:sqlite';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import { readInteger, readText } from '@locmetrics/data-directory/sqlite/sqlite-row';
import { inTransaction } from '@locmetrics/data-directory/sqlite/sqlite-transaction';
import { addUpRecords } from './add-up-records.ts';
import { hasSegment, type MergeTarget, mergeSegments } from './merge-segments.ts';
import type { UsageFiles } from './usage-files.ts';
import type { Merged } from './usage-store.ts';

export type Merge = {
  /** The records of a chunk and the merged length of their segment are written in one transaction. */
  readonly merge: (signal?: AbortSignal) => Promise<Merged>;
  /**
   * Runs `work` with all records merged, then rolls the merge back. The merge stays in memory, so it needs no
   * disk space. No other process can merge in the meantime.
   */
  readonly whileMerged: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

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
    for (const { parts, requests, rows, bytes } of addUpRecords(records)) {
      addUsed.run(...parts, requests, rows, bytes);
    }
  };

  /** Each chunk is its own transaction, or part of a larger one. */
  const targetOf = (inOwn: <Result>(work: () => Result) => Result): MergeTarget => ({
    mergedBytes: async (names) => new Map(names.map((name) => [name, mergedBytes(name)])),
    addChunk: async (name, read) =>
      inOwn(() => {
        const chunk = read(mergedBytes(name));
        if (chunk === undefined) return undefined;
        addRecords(chunk.lines);
        updateMerged.run(name, chunk.endBytes);
        return chunk;
      }),
    // The row is deleted at the next merge, so that it goes too if this process is killed before.
    forget: async () => {},
  });

  /** The row of a segment is deleted only after its file was removed, so a file never counts as unmerged by mistake. */
  const forgetRemoved = (): void => {
    for (const row of selectNames.all()) {
      const name = readText(row, 'name');
      if (!hasSegment(segments, name)) deleteSegment.run(name);
    }
  };

  return {
    merge: async (signal) => {
      forgetRemoved();
      const target = targetOf((work) => inTransaction(database, work));
      return mergeSegments(segments, target, { signal });
    },
    whileMerged: async (work) => {
      // Without this, many changed pages would be written to disk before the rollback.
      database.exec('PRAGMA cache_spill = OFF; BEGIN IMMEDIATE');
      try {
        const target = targetOf((add) => add());
        await mergeSegments(segments, target, { removesFiles: false });
        return await work();
      } finally {
        database.exec('ROLLBACK; PRAGMA cache_spill = ON');
      }
    },
  };
}
