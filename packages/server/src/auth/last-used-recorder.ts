import type { DatabaseSync } from 'node:sqlite';
import type { OpenFile } from '@locmetrics/data-directory/sqlite/followed-file';
import { openExisting } from '@locmetrics/data-directory/sqlite/open-sqlite-file';
import { inTransaction } from '@locmetrics/data-directory/sqlite/sqlite-transaction';

/** Records when tokens were last used, and writes the times periodically. */
export type LastUsedRecorder = {
  /** Only sets a map entry; the file is written later. `time` is in ms since 1970. */
  record(tokenId: string, time: number): void;
  /** Writes the remaining times, or drops them if the file stays locked. */
  close(): void;
};

const FLUSH_EVERY_MS = 1_000;

/** Limits the time that one flush blocks requests (some milliseconds); the rest is written later. */
const TOKENS_PER_FLUSH = 1_000;

/** The last flush cannot be repeated later, so it may wait for a lock. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * The recorder has its own connection, opened on first use, with the opposite settings of management
 * changes. It runs between requests, so it waits neither for a lock nor for the disk
 * (synchronous = NORMAL), and it can lose its last second.
 */
export function openLastUsedRecorder(
  path: string,
  {
    expectInPlace,
    onFailed,
  }: Pick<OpenFile, 'expectInPlace'> & { readonly onFailed: (error: unknown) => void },
): LastUsedRecorder {
  const pending = new Map<string, number>();
  let connection: DatabaseSync | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function schedule(): void {
    timer ??= setTimeout(flush, FLUSH_EVERY_MS).unref();
  }

  function flush(): void {
    timer = undefined;
    attempt(() => write([...pending].slice(0, TOKENS_PER_FLUSH)));
    if (pending.size > 0) schedule();
  }

  function write(times: readonly (readonly [string, number])[]): void {
    connection ??= openConnection(path, expectInPlace);
    writeTimes(connection, times);
    for (const [tokenId] of times) pending.delete(tokenId);
  }

  /** A failed write must not break a request or the process. */
  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      onFailed(error);
    }
  }

  return {
    record(tokenId, time) {
      // The file was replaced between a poll and the use of its callers.
      if (isClosed) return;
      pending.set(tokenId, time);
      schedule();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      if (pending.size > 0) {
        attempt(() => {
          connection ??= openConnection(path, expectInPlace);
          connection.exec(`PRAGMA busy_timeout = ${CLOSE_TIMEOUT_MS}`);
          write([...pending]);
        });
      }
      connection?.close();
    },
  };
}

function openConnection(path: string, expectInPlace: () => void): DatabaseSync {
  const connection = openExisting(path, 0);
  try {
    expectInPlace();
    connection.exec('PRAGMA synchronous = NORMAL');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function writeTimes(connection: DatabaseSync, times: readonly (readonly [string, number])[]): void {
  // Another process may have written a later time already.
  const update = connection.prepare(
    'UPDATE token SET last_used = :time WHERE id = :id AND ifnull(last_used, 0) < :time',
  );
  inTransaction(connection, () => {
    for (const [id, time] of times) update.run({ id, time });
  });
}
