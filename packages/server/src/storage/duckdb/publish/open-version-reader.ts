import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ReadableVersion } from '../../../domain/predicate.ts';
import { attachReadOnlySql } from '../attach-database.ts';
import type { AttachedRecords } from './check-records.ts';
import { toResultRow } from './result-row.ts';
import { runWatched } from './run-watched.ts';

/** Reads the records of versions, of several at once where a query joins them. */
export type VersionReader = {
  /** Attaches the column file of a version when it is first asked for. */
  readonly attach: (version: ReadableVersion) => Promise<AttachedRecords>;
  /** Runs a statement, for example one that makes a temporary table. */
  readonly run: (sql: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function openVersionReader(options: {
  /** The folder of a version. */
  readonly directoryOf: (version: ReadableVersion) => string;
  /** An existing folder for what does not fit into memory. */
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  readonly threads: number;
  /** Called some times a second while a query runs, with its progress from 0 to 1. */
  readonly onFraction?: (fraction: number) => void;
  readonly signal: AbortSignal | undefined;
}): VersionReader {
  const { signal, onFraction = () => {} } = options;
  const open = async () => {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${options.memoryLimitBytes}B`,
      threads: String(options.threads),
      temp_directory: options.temporaryDirectory,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    // Without it the engine knows no progress; it is reported, and not printed.
    await connection.run('SET enable_progress_bar = true');
    await connection.run('SET enable_progress_bar_print = false');
    return { instance, connection };
  };
  let opened: ReturnType<typeof open> | undefined;
  /** Opened with the first query: often nothing has to be read. */
  const connect = async (): Promise<DuckDBConnection> => {
    opened ??= open();
    return (await opened).connection;
  };
  const databases = new Map<string, string>();
  const list: AttachedRecords['list'] = async (sql) => {
    const connection = await connect();
    const query = async () =>
      (await connection.runAndReadAll(sql)).getRowObjectsJS().map(toResultRow);
    return runWatched({ connection, query, onFraction, signal });
  };
  return {
    attach: async (version) => {
      const folder = options.directoryOf(version);
      const known = databases.get(folder);
      if (known !== undefined) return { list, database: known };
      const database = `version_${databases.size}`;
      const connection = await connect();
      await runWatched({
        connection,
        query: () => connection.run(attachReadOnlySql(folder, database)),
        signal,
      });
      databases.set(folder, database);
      return { list, database };
    },
    run: async (sql) => {
      const connection = await connect();
      await runWatched({ connection, query: () => connection.run(sql), signal });
    },
    close: async () => {
      if (opened === undefined) return;
      const { instance, connection } = await opened;
      connection.closeSync();
      instance.closeSync();
    },
  };
}
