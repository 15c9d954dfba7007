import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { attachReadOnlySql } from '../attach-database.ts';
import { COLUMN_FILE } from '../record-table.ts';

/**
 * The column files that are attached read-only to the DuckDB instance of the process. A file is attached
 * when a plan first needs its version and stays attached while a plan uses it. It is detached after a time
 * without use, or when it was removed: until then its bytes stay on the disk, and the blocks that were read of it
 * stay in memory.
 */
export type AttachedVersions = {
  /**
   * Runs the work with the quoted names of the attached databases of the versions. After work that is done once for
   * a version its files are detached sooner: nobody may need all that it read again.
   */
  readonly use: <Result>(
    versions: readonly ReadableVersion[],
    work: (databaseOf: (version: ReadableVersion) => string) => Promise<Result>,
    options: { readonly isDoneOnce: boolean },
  ) => Promise<Result>;
  /** Resolves when the connection is idle, so that it can be closed. */
  readonly close: () => Promise<void>;
};

type Attachment = {
  readonly database: string;
  readonly ready: Promise<void>;
  users: number;
  lastUsedMs: number;
  /** The time without use after which the file is detached. */
  keptMs: number;
};

const IDLE_MS = 10 * 60_000;
/** Callers who ask for more than an index finds in the meantime keep what was read. */
const DONE_ONCE_IDLE_MS = 5_000;
const SWEEP_INTERVAL_MS = 10_000;

export function openAttachedVersions(options: {
  readonly connection: DuckDBConnection;
  readonly directoryOf: (version: ReadableVersion) => string;
  /** Called once files were detached. */
  readonly onDetached: () => void;
}): AttachedVersions {
  const { connection, directoryOf, onDetached } = options;
  const attachments = new Map<string, Attachment>();
  const underway = new Set<Promise<unknown>>();
  let count = 0;

  const run = (sql: string): Promise<unknown> => {
    const running = connection.run(sql).finally(() => underway.delete(running));
    underway.add(running);
    return running;
  };

  const attach = (directory: string): Attachment => {
    if (!existsSync(join(directory, COLUMN_FILE))) {
      throw new ServiceError('VERSION_NOT_FOUND', 'The data of this version are no longer kept.', {
        hint: 'Leave asOf out to read the current version.',
      });
    }
    count += 1;
    const name = `version_${count}`;
    const database = quoteIdentifier(name);
    const ready = run(attachReadOnlySql(directory, name)).then(() => undefined);
    // A failed attachment is dropped, so that the next request retries it.
    ready.catch(() => attachments.delete(directory));
    return { database, ready, users: 0, lastUsedMs: Date.now(), keptMs: IDLE_MS };
  };

  const hold = (version: ReadableVersion): Attachment => {
    const directory = directoryOf(version);
    const attachment = attachments.get(directory) ?? attach(directory);
    attachments.set(directory, attachment);
    attachment.users += 1;
    return attachment;
  };

  const sweep = setInterval(() => {
    const detaching: Promise<unknown>[] = [];
    for (const [directory, { users, lastUsedMs, keptMs, database }] of attachments) {
      const isIdle = Date.now() - lastUsedMs >= keptMs || !existsSync(directory);
      if (users > 0 || !isIdle) continue;
      attachments.delete(directory);
      detaching.push(run(`DETACH ${database}`));
    }
    // A file that stays attached costs an open file and the memory of its blocks.
    if (detaching.length > 0) void Promise.allSettled(detaching).then(onDetached);
  }, SWEEP_INTERVAL_MS);
  sweep.unref();

  return {
    use: async (used, work, { isDoneOnce }) => {
      const held = new Map<ReadableVersion, Attachment>();
      try {
        for (const version of used) held.set(version, hold(version));
        await Promise.all([...held.values()].map(({ ready }) => ready));
        return await work((version) => {
          const attachment = held.get(version);
          if (attachment === undefined) throw new Error('The plan did not list this version.');
          return attachment.database;
        });
      } finally {
        for (const attachment of held.values()) {
          attachment.users -= 1;
          attachment.lastUsedMs = Date.now();
          if (isDoneOnce) attachment.keptMs = DONE_ONCE_IDLE_MS;
        }
      }
    },
    close: async () => {
      clearInterval(sweep);
      // If one file fails, the others that are being attached are settled before the uses are released.
      await Promise.allSettled(underway);
    },
  };
}
