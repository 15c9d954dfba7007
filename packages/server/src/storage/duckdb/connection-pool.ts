import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ServiceError } from '../../domain/service-error.ts';

/**
 * Lends connections, at most `connectionsMax` at once; who comes later waits in line, at most
 * `waitingMax` of them. A query needs a connection of its own so that it can be interrupted alone.
 */
export type ConnectionPool = {
  readonly use: <Result>(
    signal: AbortSignal,
    work: (connection: DuckDBConnection) => Promise<Result>,
  ) => Promise<Result>;
  readonly close: () => void;
};

export function openConnectionPool(
  instance: DuckDBInstance,
  limits: { readonly connectionsMax: number; readonly waitingMax: number },
): ConnectionPool {
  const idle: DuckDBConnection[] = [];
  const waiting: ((connection: DuckDBConnection) => void)[] = [];
  let open = 0;

  const borrow = async (signal: AbortSignal): Promise<DuckDBConnection> => {
    signal.throwIfAborted();
    const free = idle.pop();
    if (free !== undefined) return free;
    if (open < limits.connectionsMax) {
      open += 1;
      try {
        return await instance.connect();
      } catch (error) {
        open -= 1;
        throw error;
      }
    }
    if (waiting.length >= limits.waitingMax) {
      throw new ServiceError('OVERLOADED', 'Too many queries are waiting for the database.', {
        hint: 'Try again after a second.',
      });
    }
    return waitInLine(waiting, signal);
  };

  const giveBack = (connection: DuckDBConnection): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else next(connection);
  };

  return {
    use: async (signal, work) => {
      const connection = await borrow(signal);
      try {
        return await interruptible(connection, signal, () => work(connection));
      } finally {
        giveBack(connection);
      }
    },
    close: () => {
      for (const connection of idle.splice(0)) connection.closeSync();
    },
  };
}

function waitInLine(
  waiting: ((connection: DuckDBConnection) => void)[],
  signal: AbortSignal,
): Promise<DuckDBConnection> {
  return new Promise((resolve, reject) => {
    const take = (connection: DuckDBConnection): void => {
      signal.removeEventListener('abort', leave);
      resolve(connection);
    };
    const leave = (): void => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(signal.reason);
    };
    waiting.push(take);
    signal.addEventListener('abort', leave, { once: true });
  });
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
