import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { type InstanceOptions, openInstance } from '../open-instance.ts';
import { toEngineError } from './engine-error.ts';
import { addPointFunction, type PointFunction } from './point-function.ts';
import { type ReadChunk, readChunks } from './read-chunks.ts';
import { type ResultRow, toResultRow } from './result-row.ts';
import { textFunction } from './text-function.ts';

/** A connection whose statements report their progress and can be stopped, to an instance of its own. */
export type WatchedConnection = {
  /** Runs a statement and returns the number of rows it wrote. */
  readonly run: (sql: string, parameters?: Parameters) => Promise<number>;
  readonly list: ListRows;
  /** Runs a query and returns its rows in chunks, as they are needed. */
  readonly read: (sql: string) => AsyncIterable<ReadChunk>;
  /** Adds a function of SQL that is computed here. */
  readonly addPointFunction: (name: string, compute: PointFunction) => void;
  /** Adds a function from text to text, which SQL can call. */
  readonly addFunction: (name: string, compute: (text: string) => string) => void;
  readonly close: () => void;
};

/** Runs a query and returns its rows. */
export type ListRows = (sql: string, parameters?: Parameters) => Promise<readonly ResultRow[]>;

export type Parameters = Record<string, DuckDBValue>;

export type WatchOptions = {
  /** Called several times a second while a statement runs, with its progress from 0 to 1. */
  readonly onFraction?: ((fraction: number) => void) | undefined;
  /** Interrupts the statement. */
  readonly signal: AbortSignal | undefined;
};

export async function openWatchedConnection(
  options: InstanceOptions & WatchOptions,
): Promise<WatchedConnection> {
  const instance = await openInstance(options);
  const connection = await instance.connect();
  // Without it the engine knows no progress; it is reported, and not printed.
  await connection.run('SET enable_progress_bar = true');
  await connection.run('SET enable_progress_bar_print = false');
  return {
    run: async (sql, parameters) => {
      const { rowsChanged } = await watch(connection, options, () =>
        connection.run(sql, parameters),
      );
      return rowsChanged;
    },
    list: async (sql, parameters) => {
      const reader = await watch(connection, options, () =>
        connection.runAndReadAll(sql, parameters),
      );
      return reader.getRowObjectsJS().map(toResultRow);
    },
    read: (sql) => readChunks(connection, sql, options.signal),
    addPointFunction: (name, compute) => addPointFunction(connection, name, compute),
    addFunction: (name, compute) => connection.registerScalarFunction(textFunction(name, compute)),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const PROGRESS_PERIOD_MS = 250;

async function watch<Result>(
  connection: DuckDBConnection,
  { onFraction, signal }: WatchOptions,
  query: () => Promise<Result>,
): Promise<Result> {
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
