import type { DuckDBConnection } from '@duckdb/node-api';

const PROGRESS_PERIOD_MS = 250;

/** Runs a query, tells its progress some times a second, and interrupts it when the signal aborts. */
export async function runWatched<Result>({
  connection,
  query,
  onFraction,
  signal,
}: {
  readonly connection: DuckDBConnection;
  readonly query: () => Promise<Result>;
  /** Called with 0 to 1. */
  readonly onFraction?: (fraction: number) => void;
  readonly signal: AbortSignal | undefined;
}): Promise<Result> {
  signal?.throwIfAborted();
  const timer = setInterval(() => {
    const { percentage } = connection.progress;
    // DuckDB says -1 as long as it does not know.
    if (percentage >= 0) onFraction?.(Math.min(1, percentage / 100));
  }, PROGRESS_PERIOD_MS);
  const interrupt = () => connection.interrupt();
  signal?.addEventListener('abort', interrupt);
  try {
    return await query();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}
