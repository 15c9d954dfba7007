import { copyDatabase } from '@locmetrics/data-directory/sqlite/copy-database';
import { isDiskFull } from '@locmetrics/data-directory/sqlite/disk-full';
import { explainSqlite } from '@locmetrics/data-directory/sqlite/explain-sqlite';
import {
  type FollowOptions,
  followFile,
  type OpenFile,
} from '@locmetrics/data-directory/sqlite/followed-file';
import { prepareMerge } from './merge-into-sqlite.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { prepareReads } from './read-sqlite-usage.ts';
import type { UsageFiles } from './usage-files.ts';
import { expectMergedIntoFile } from './usage-owner.ts';
import { USAGE_SCHEMA } from './usage-schema.ts';
import type { UsageStore } from './usage-store.ts';

export type SqliteUsage = UsageStore & {
  /** Writes all that was recorded before to another file. */
  readonly copyTo: (path: string) => Promise<void>;
};

/** Each step is one transaction of some milliseconds. */
const PRUNE_STEP_RECORDS = 2000;
const PRUNE_STEPS_MAX = 10;

/**
 * Opens the usage store in the file of a data directory. If another file is moved to its path, that file is used from
 * then on. If the disk is full, segments are merged in memory only, for the time of a query.
 */
export function openSqliteUsage(files: UsageFiles, options: FollowOptions = {}): SqliteUsage {
  const open = (opened: OpenFile) => prepareUsage(opened, files);
  const file = followFile(files.store, USAGE_SCHEMA, open, options);
  const explain = explainSqlite(files.store, USAGE_SCHEMA.name);
  const inTurn = oneAfterAnother();
  /** One after another, because a query may be in a transaction. */
  const using = <Result>(work: (usage: OpenUsage) => Promise<Result>): Promise<Result> =>
    inTurn(async () => {
      const usage = explain(() => file.use());
      return work(usage).catch((error: unknown) =>
        explain(() => {
          throw error;
        }),
      );
    });
  return {
    merge: (signal) => using((usage) => usage.merge(signal)),
    reading: (work) => using((usage) => usage.reading(work)),
    prune: (keepMs) => using((usage) => usage.prune(keepMs)),
    copyTo: (path) => using((usage) => usage.copyTo(path)),
    close: () => inTurn(async () => file.close()),
  };
}

type OpenUsage = Omit<SqliteUsage, 'close'> & { readonly close: () => void };

function prepareUsage({ database }: OpenFile, files: UsageFiles): OpenUsage {
  const { merge: mergeAll, whileMerged } = prepareMerge(database, files);
  const reads = prepareReads(database);
  // Records are inserted in the order of time, so only the first ones are checked.
  const deleteOld = database.prepare(
    `DELETE FROM record WHERE id IN (
       SELECT id FROM (SELECT id, time FROM record ORDER BY id LIMIT ${PRUNE_STEP_RECORDS})
       WHERE time < ?)`,
  );
  const merge: UsageStore['merge'] = async (signal) => {
    expectMergedIntoFile(files);
    return mergeAll(signal);
  };
  return {
    merge,
    reading: async (work) => {
      try {
        await merge();
      } catch (error) {
        if (isDiskFull(error, files.store)) return whileMerged(() => work(reads));
        throw error;
      }
      return work(reads);
    },
    prune: async (keepMs) => {
      for (let step = 0; step < PRUNE_STEPS_MAX; step += 1) {
        const { changes } = deleteOld.run(Date.now() - keepMs);
        if (changes < PRUNE_STEP_RECORDS) return;
      }
    },
    copyTo: async (path) => {
      await merge();
      copyDatabase(database, path);
    },
    close: () => database.close(),
  };
}
