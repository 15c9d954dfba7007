import { attachDatabaseSql } from '../attach-database.ts';
import type { InstanceOptions } from '../open-instance.ts';
import {
  openWatchedConnection,
  type WatchedConnection,
  type WatchOptions,
} from './watched-connection.ts';

/** A connection that sees one database and nothing else. */
export type SealedConnection = Pick<WatchedConnection, 'run' | 'list'> & {
  readonly close: () => Promise<void>;
};

export type SealedOptions = InstanceOptions &
  WatchOptions & {
    /** The database that it sees, and its name in SQL. */
    readonly file: string;
    readonly name: string;
  };

export type OpenSealed = (
  options: SealedOptions & {
    /** The time after which a statement is stopped; `openSealedConnection` leaves that to the signal. */
    readonly statementTimeMaxMs: number;
  },
) => Promise<SealedConnection>;

/**
 * Opens a connection that sees one database and nothing else, for SQL of a manifest: it can open no file, load no
 * extension and change no setting. Memory and threads are limited as for an import.
 */
export async function openSealedConnection({
  file,
  name,
  ...options
}: SealedOptions): Promise<SealedConnection> {
  // Its settings are those of an instance, which nothing else may have.
  const { close, ...connection } = await openWatchedConnection({ ...options, reused: undefined });
  try {
    for (const statement of [
      `SET default_collation = ''`,
      'SET preserve_insertion_order = true',
      attachDatabaseSql(file, name),
      'SET enable_external_access = false',
      'SET lock_configuration = true',
    ]) {
      await connection.run(statement);
    }
    return { run: connection.run, list: connection.list, close };
  } catch (error) {
    await close();
    throw error;
  }
}
