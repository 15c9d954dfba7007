import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { QueueLength } from '@locmetrics/core/runtime/engine-load';
import { openPool } from '@locmetrics/core/runtime/pool';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { interruptible } from '../interruptible.ts';

/**
 * A pool of at most `connectionsMax` connections. When all are in use, up to `waitingMax` queries are
 * queued. Each query has a connection of its own, so that it can be interrupted separately.
 */
export type ConnectionPool = {
  readonly use: <Result>(
    signal: StopSignal,
    work: (connection: DuckDBConnection) => Promise<Result>,
  ) => Promise<Result>;
  /** The number of running and of queued queries. */
  readonly length: () => QueueLength;
  readonly close: () => void;
};

export function openConnectionPool(
  instance: DuckDBInstance,
  limits: { readonly connectionsMax: number; readonly waitingMax: number },
): ConnectionPool {
  const pool = openPool({
    create: () => instance.connect(),
    itemsMax: limits.connectionsMax,
    waitingMax: limits.waitingMax,
    full: () => ServiceError.overloaded('Too many queries are waiting for the database.'),
  });
  return {
    use: async (signal, work) => {
      const connection = await pool.acquire(signal);
      try {
        return await interruptible(connection, signal, () => work(connection));
      } finally {
        pool.release(connection);
      }
    },
    length: pool.length,
    close: () => {
      for (const connection of pool.takeIdle()) connection.closeSync();
    },
  };
}
