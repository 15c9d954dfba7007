import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { type InstanceOptions, openInstance } from '../open-instance.ts';
import type { ReusedInstance } from '../reused-instance.ts';
import { toEngineError } from './engine-error.ts';
import { addPointFunction, type PointFunction } from './point-function.ts';
import { type ReadChunk, readChunks } from './read-chunks.ts';
import { type ResultRow, toResultRow } from './result-row.ts';
import { textFunction } from './text-function.ts';

/** A connection whose statements report their progress and can be stopped, to an instance that no other one uses. */
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
  readonly close: () => Promise<void>;
};

/** Runs a query and returns its rows. */
export type ListRows = (sql: string, parameters?: Parameters) => Promise<readonly ResultRow[]>;

export type Parameters = Record<string, DuckDBValue>;

export type WatchOptions = {
  /** Called several times a second while a statement runs, with its progress from 0 to 1. */
  readonly onFraction?: ((fraction: number) => void) | undefined;
  /** Interrupts the statement. */
  readonly signal: AbortSignal | undefined;
  /** Lends the instance; absent: it is opened for this connection. */
  readonly reused?: ReusedInstance | undefined;
};

export async function openWatchedConnection(
  options: InstanceOptions & WatchOptions,
): Promise<WatchedConnection> {
  const { reused, signal } = options;
  const instance = await (reused?.take() ?? openInstance(options));
  const connection = await instance.connect();
  // An instance is not used again after a statement that failed, a result that is still read, or a function that was added.
  let unfinished = 0;
  const finish = async <Result>(work: Promise<Result>): Promise<Result> => {
    unfinished += 1;
    const result = await work;
    unfinished -= 1;
    return result;
  };
  // Without it the engine knows no progress; it is reported, and not printed.
  await connection.run('SET enable_progress_bar = true');
  await connection.run('SET enable_progress_bar_print = false');
  return {
    run: async (sql, parameters) => {
      const running = watch(connection, options, () => connection.run(sql, parameters));
      return (await finish(running)).rowsChanged;
    },
    list: async (sql, parameters) => {
      const reading = watch(connection, options, () => connection.runAndReadAll(sql, parameters));
      return (await finish(reading)).getRowObjectsJS().map(toResultRow);
    },
    read: async function* (sql) {
      unfinished += 1;
      yield* readChunks(connection, sql, signal);
      unfinished -= 1;
    },
    addPointFunction: (name, compute) => {
      unfinished += 1;
      addPointFunction(connection, name, compute);
    },
    addFunction: (name, compute) => {
      unfinished += 1;
      connection.registerScalarFunction(textFunction(name, compute));
    },
    close: async () => {
      const isClean = reused !== undefined && unfinished === 0 && (await detachAll(connection));
      connection.closeSync();
      if (isClean) reused.giveBack(instance);
      else instance.closeSync();
    },
  };
}

/** Detaches the files, and returns whether that worked. */
async function detachAll(connection: DuckDBConnection): Promise<boolean> {
  try {
    await connection.run('USE memory');
    const reader = await connection.runAndReadAll(
      `SELECT database_name FROM duckdb_databases() WHERE NOT internal AND database_name <> 'memory'`,
    );
    for (const [name] of reader.getRowsJS()) {
      await connection.run(`DETACH ${quoteIdentifier(String(name))}`);
    }
    return true;
  } catch {
    return false;
  }
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
