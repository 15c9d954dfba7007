import type { DuckDBConnection } from '@duckdb/node-api';
import { memoryLimitText } from '../open-instance.ts';

/** Memory that DuckDB has freed, but keeps for later. */
export type FreedMemory = {
  /** Returns it to the system. Queries go on meanwhile. */
  readonly give: () => void;
  /** Resolves when the connection is closed. */
  readonly close: () => Promise<void>;
};

/**
 * DuckDB's allocator keeps what was freed, such as the blocks of a detached file, until much more is freed at once.
 * Setting the memory limit makes it return all of that, also if the limit is the same.
 */
export function openFreedMemory(connection: DuckDBConnection, limitBytes: number): FreedMemory {
  let isClosed = false;
  let giving: Promise<void> | undefined;
  return {
    give: () => {
      if (isClosed || giving !== undefined) return;
      giving = connection
        .run(`SET memory_limit = '${memoryLimitText(limitBytes)}'`)
        .then(() => undefined)
        .catch(() => undefined)
        .finally(() => {
          giving = undefined;
        });
    },
    close: async () => {
      isClosed = true;
      await giving;
      connection.closeSync();
    },
  };
}
