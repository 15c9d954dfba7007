import { openSqliteFile } from '../auth/open-sqlite-file.ts';
import { explainBusy } from '../auth/sqlite-busy.ts';
import { type Merged, prepareMerge } from './merge-segments.ts';
import { prepareReads, type UsageReads } from './read-used.ts';
import type { UsageFiles } from './usage-files.ts';
import { USAGE_SCHEMA } from './usage-schema.ts';

export type UsageStore = UsageReads & {
  /** Takes over what the segments hold by now. */
  readonly merge: () => Merged;
  /** Removes single records that are older than so long; their sums stay. */
  readonly prune: (keepMs: number) => void;
  readonly close: () => void;
};

/** A step is a transaction of some milliseconds. */
const PRUNE_STEP_RECORDS = 2000;
const PRUNE_STEPS_MAX = 10;

/**
 * Opens the usage store of a data directory, and creates it when it is absent. Any number of processes
 * may have it open. All that it does blocks the thread, so a process that serves has it in another one.
 */
export function openUsageStore(files: UsageFiles): UsageStore {
  const database = openSqliteFile(files.store, USAGE_SCHEMA);
  const merge = prepareMerge(database, files);
  // Records come about in the order of time, so the first ones are looked at and no others.
  const deleteOld = database.prepare(
    `DELETE FROM record WHERE id IN (
       SELECT id FROM (SELECT id, time FROM record ORDER BY id LIMIT ${PRUNE_STEP_RECORDS})
       WHERE time < ?)`,
  );
  return {
    ...prepareReads(database),
    merge: () => explainBusy(merge, USAGE_SCHEMA.name),
    prune: (keepMs) => {
      for (let step = 0; step < PRUNE_STEPS_MAX; step += 1) {
        const { changes } = deleteOld.run(Date.now() - keepMs);
        if (changes < PRUNE_STEP_RECORDS) return;
      }
    },
    close: () => database.close(),
  };
}
