import { attachReadOnlySql } from '../attach-database.ts';
import type { InstanceOptions } from '../open-instance.ts';
import {
  openWatchedConnection,
  type WatchedConnection,
  type WatchOptions,
} from './watched-connection.ts';

/** A connection whose main database is the column file in a folder, as for the writers after the first. */
export async function openKeptVersion(
  folder: string,
  options: InstanceOptions & WatchOptions,
): Promise<WatchedConnection> {
  const connection = await openWatchedConnection(options);
  try {
    await connection.run('SET preserve_insertion_order = true');
    await connection.run(attachReadOnlySql(folder, KEPT_DATABASE));
    await connection.run(`USE ${KEPT_DATABASE}`);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const KEPT_DATABASE = 'kept';
