import { copyDatabase } from '../sqlite/copy-database.ts';
import { isDiskFull } from '../sqlite/disk-full.ts';
import { explainSqlite } from '../sqlite/explain-sqlite.ts';
import { type FollowOptions, followFile, type OpenFile } from '../sqlite/followed-file.ts';
import { type Merged, prepareMerge } from './merge-segments.ts';
import { prepareReads, type UsageReads } from './read-used.ts';
import type { UsageFiles } from './usage-files.ts';
import { USAGE_SCHEMA } from './usage-schema.ts';

export type UsageStore = {
  /** Merges the current content of the segments. */
  readonly merge: () => Merged;
  /**
   * Queries usage, including everything that was recorded before the call. If the disk is full, the segments
   * are merged in memory only.
   */
  readonly reading: <Result>(work: (reads: UsageReads) => Result) => Result;
  /** Removes single records older than `keepMs`; their sums stay. */
  readonly prune: (keepMs: number) => void;
  /** Writes all that was recorded before to another file. */
  readonly copyTo: (path: string) => void;
  readonly close: () => void;
};

/** Each step is one transaction of some milliseconds. */
const PRUNE_STEP_RECORDS = 2000;
const PRUNE_STEPS_MAX = 10;

/**
 * Opens the usage store of a data directory. Any number of processes may have it open. If another file is
 * moved to its path, that file is used from then on. All calls block the thread, so a serving process
 * opens it in a thread of its own.
 */
export function openUsageStore(files: UsageFiles, options: FollowOptions = {}): UsageStore {
  const { name } = USAGE_SCHEMA;
  const open = (opened: OpenFile) => prepareUsage(opened, files);
  const file = followFile(files.store, USAGE_SCHEMA, open, options);
  const explain = explainSqlite(files.store, name);
  return {
    merge: () => explain(() => file.use().merge()),
    reading: (work) => explain(() => file.use().reading(work)),
    prune: (keepMs) => explain(() => file.use().prune(keepMs)),
    copyTo: (path) => explain(() => file.use().copyTo(path)),
    close: file.close,
  };
}

function prepareUsage({ database }: OpenFile, files: UsageFiles): UsageStore {
  const { merge, whileMerged } = prepareMerge(database, files);
  const reads = prepareReads(database);
  // Records are inserted in the order of time, so only the first ones are checked.
  const deleteOld = database.prepare(
    `DELETE FROM record WHERE id IN (
       SELECT id FROM (SELECT id, time FROM record ORDER BY id LIMIT ${PRUNE_STEP_RECORDS})
       WHERE time < ?)`,
  );
  return {
    merge,
    reading: (work) => {
      try {
        merge();
      } catch (error) {
        if (isDiskFull(error, files.store)) return whileMerged(() => work(reads));
        throw error;
      }
      return work(reads);
    },
    prune: (keepMs) => {
      for (let step = 0; step < PRUNE_STEPS_MAX; step += 1) {
        const { changes } = deleteOld.run(Date.now() - keepMs);
        if (changes < PRUNE_STEP_RECORDS) return;
      }
    },
    copyTo: (path) => {
      merge();
      copyDatabase(database, path);
    },
    close: () => database.close(),
  };
}
