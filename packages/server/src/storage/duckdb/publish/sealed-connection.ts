import { attachDatabaseSql } from '../attach-database.ts';
import type { InstanceOptions } from '../open-instance.ts';
import {
  openWatchedConnection,
  type WatchedConnection,
  type WatchOptions,
} from './watched-connection.ts';

/**
 * Opens a connection that sees one database and nothing else, for SQL of a manifest: it can open no file, load no
 * extension and change no setting. Memory and threads are limited as for an import.
 */
export async function openSealedConnection({
  file,
  name,
  ...options
}: InstanceOptions & WatchOptions & { readonly file: string; readonly name: string }): Promise<
  Pick<WatchedConnection, 'run' | 'list' | 'close'>
> {
  const connection = await openWatchedConnection(options);
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
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
