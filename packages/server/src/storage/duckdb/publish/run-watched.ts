import type { DuckDBConnection } from '@duckdb/node-api';
import { toEngineError } from './engine-error.ts';

const PROGRESS_PERIOD_MS = 250;

/** Runs a query, reports its progress several times a second, and interrupts it when the signal aborts. */
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
  const interrupt = () => connection.interrupt();
  const timer = setInterval(() => {
    // An interrupt is lost if it comes while the engine prepares the query, so it is repeated.
    if (signal?.aborted === true) interrupt();
    const { percentage } = connection.progress;
    // DuckDB reports -1 while the progress is unknown.
    if (percentage >= 0) onFraction?.(Math.min(1, percentage / 100));
  }, PROGRESS_PERIOD_MS);
  signal?.addEventListener('abort', interrupt);
  try {
    const result = await query();
    signal?.throwIfAborted();
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    throw toEngineError(error);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}
