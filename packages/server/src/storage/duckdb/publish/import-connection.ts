import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { attachDatabaseSql } from '../attach-database.ts';
import { type ResultRow, toResultRow } from './result-row.ts';
import { runWatched } from './run-watched.ts';

export type Parameters = Record<string, DuckDBValue>;

/** One connection to a database of its own, for the time of an import. */
export type ImportConnection = {
  /** Runs a statement and gives the number of rows it wrote. */
  readonly run: (sql: string, parameters?: Parameters) => Promise<number>;
  readonly list: (sql: string, parameters?: Parameters) => Promise<readonly ResultRow[]>;
  /** Ends the import and removes the staged rows. Attached files have what was written up to a checkpoint. */
  readonly close: () => Promise<void>;
};

/** The tables of the rows as they were read and as they will be written, in a file of their own; the
 * second one has the numbers of those that are left out. */
export const STAGE_TABLE = 'stage.main.staged_rows';
export const REJECTED_TABLE = 'stage.main.rejected_rows';
export const SORTED_TABLE = 'stage.main.sorted_rows';
/** The rows that were read with those that are carried over from the current version. */
export const JOINED_TABLE = 'stage.main.joined_rows';
const STAGE_DATABASE = 'stage';

/**
 * Opens a database for the staged rows: it lies in the temporary directory, so the files of the version
 * never have holes, and memory stays bounded.
 */
export async function openImportConnection(options: {
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  readonly threads: number;
  /** Called some times a second while a statement runs, with its progress from 0 to 1. */
  readonly onFraction: (fraction: number) => void;
  readonly signal: AbortSignal | undefined;
}): Promise<ImportConnection> {
  const { signal } = options;
  signal?.throwIfAborted();
  // A folder for each import: two processes would give their spill files the same names.
  const folder = await mkdtemp(join(options.temporaryDirectory, 'import-'));
  const closers = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${options.memoryLimitBytes}B`,
      threads: String(options.threads),
      temp_directory: join(folder, 'spill'),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    closers.push(async () => instance.closeSync());
    const connection = await instance.connect();
    closers.push(async () => connection.closeSync());
    for (const statement of SETTINGS) await connection.run(statement);
    await connection.run(attachDatabaseSql(join(folder, 'stage.duckdb'), STAGE_DATABASE));
    const watched = async <Result>(query: () => Promise<Result>): Promise<Result> =>
      runWatched({ connection, query, onFraction: options.onFraction, signal });
    return {
      run: (sql, parameters) =>
        watched(async () => (await connection.run(sql, parameters)).rowsChanged),
      list: (sql, parameters) =>
        watched(async () => {
          const reader = await connection.runAndReadAll(sql, parameters);
          return reader.getRowObjectsJS().map(toResultRow);
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const SETTINGS = [
  // The binary collation orders text by its UTF-8 bytes, and rows keep the order of their file.
  `SET default_collation = ''`,
  'SET preserve_insertion_order = true',
  // Freed memory is returned to the system soon, and not only when the same thread allocates again.
  'SET allocator_background_threads = true',
  // An import that is stopped would write its staged rows once more, only to remove them.
  'PRAGMA disable_checkpoint_on_shutdown',
  'SET enable_progress_bar = true',
  'SET enable_progress_bar_print = false',
];
