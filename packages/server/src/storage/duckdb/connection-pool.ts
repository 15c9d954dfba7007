import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { openLender } from '../../domain/lend-items.ts';
import type { QueueLength } from '../../domain/load.ts';

/**
 * Lends connections, at most `connectionsMax` at once; who comes later waits in line, at most
 * `waitingMax` of them. A query needs a connection of its own so that it can be interrupted alone.
 */
export type ConnectionPool = {
  readonly use: <Result>(
    signal: AbortSignal,
    work: (connection: DuckDBConnection) => Promise<Result>,
  ) => Promise<Result>;
  /** How many queries run now, and how many wait. */
  readonly length: () => QueueLength;
  readonly close: () => void;
};

export function openConnectionPool(
  instance: DuckDBInstance,
  limits: { readonly connectionsMax: number; readonly waitingMax: number },
): ConnectionPool {
  const lender = openLender({
    create: () => instance.connect(),
    itemsMax: limits.connectionsMax,
    waitingMax: limits.waitingMax,
    busy: 'Too many queries are waiting for the database.',
  });
  return {
    use: async (signal, work) => {
      const connection = await lender.borrow(signal);
      try {
        return await interruptible(connection, signal, () => work(connection));
      } finally {
        lender.giveBack(connection);
      }
    },
    length: lender.length,
    close: () => {
      for (const connection of lender.takeIdle()) connection.closeSync();
    },
  };
}

/** How long after an interrupt that came too early for the query another one follows. */
const INTERRUPT_AGAIN_MS = 5;

/**
 * Ends the work when the signal aborts. An interrupt reaches only a query that runs already, and
 * one may still wait for a thread: so it is repeated until the work has ended. The connection can
 * be used again afterwards.
 */
async function interruptible<Result>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), INTERRUPT_AGAIN_MS);
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(timer);
  }
}
