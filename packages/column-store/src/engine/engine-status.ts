import type { DuckDBConnection } from '@duckdb/node-api';
import type { EngineMemory } from '@locmetrics/core/runtime/engine-load';
import { withinTime } from '@locmetrics/core/runtime/within-time';
import type { EngineStatus } from '@locmetrics/core/storage/engine';

/** A reading is cached for this time. */
const READ_EVERY_MS = 1000;
/** The timeout of a reading, because it can be delayed by long queries. */
const READ_TIMEOUT_MS = 500;
const PROBE_TIMEOUT_MS = 5000;

/**
 * The status of DuckDB, on a connection of its own so that no query waits for it. It shares the thread
 * pool of Node with the queries.
 *
 * There is no probe while every connection is busy: a service under load is ready, and without it the other services
 * would get its load too.
 */
export function duckdbStatus({
  connection,
  memoryLimitBytes,
  connectionsMax,
  queries,
}: {
  readonly connection: DuckDBConnection;
  readonly memoryLimitBytes: number;
  readonly connectionsMax: number;
  readonly queries: EngineStatus['queries'];
}): EngineStatus & { readonly close: () => Promise<void> } {
  let memory: EngineMemory | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let probing: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const [row] = await (await connection.run(MEMORY_SQL)).getRowsJS();
    const [memoryBytes, temporaryBytes] = row ?? [];
    memory = {
      memoryBytes: Number(memoryBytes),
      memoryLimitBytes,
      temporaryBytes: Number(temporaryBytes),
    };
    readAt = performance.now();
  };

  return {
    queries,
    readMemory: async () => {
      if (performance.now() - readAt < READ_EVERY_MS) return memory;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await withinTime(reading, toLimit(READ_TIMEOUT_MS)).catch(() => {
        // The previous reading is returned again.
      });
      return memory;
    },
    probe: async () => {
      // All connections are busy; each query ends at its deadline at the latest.
      if (queries().running >= connectionsMax) return;
      probing ??= connection
        .run('SELECT 1')
        .then(() => undefined)
        .finally(() => {
          probing = undefined;
        });
      await withinTime(probing, toLimit(PROBE_TIMEOUT_MS));
    },
    close: async () => {
      await Promise.allSettled([reading, probing]);
      connection.closeSync();
    },
  };
}

const MEMORY_SQL =
  'SELECT sum(memory_usage_bytes)::DOUBLE, sum(temporary_storage_bytes)::DOUBLE FROM duckdb_memory()';

function toLimit(timeoutMs: number) {
  return { timeoutMs, message: `The database did not answer within ${timeoutMs} ms.` };
}
