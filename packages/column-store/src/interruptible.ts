import type { DuckDBConnection } from '@duckdb/node-api';
import type { StopSignal } from '@locmetrics/core/runtime/stop';

/** The interval of repeated interrupts, for one that came before the query started. */
const INTERRUPT_AGAIN_MS = 5;

/**
 * Interrupts the work when the signal aborts. An interrupt only reaches a running query, and a query may
 * still wait for a thread, so the interrupt is repeated until the work has ended. The connection can be
 * reused afterwards.
 */
export async function interruptible<Result>(
  connection: DuckDBConnection,
  signal: StopSignal,
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
