import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { attachDatabaseSql } from '../attach-database.ts';
import type { InstanceOptions } from '../open-instance.ts';
import {
  openWatchedConnection,
  type WatchedConnection,
  type WatchOptions,
} from './watched-connection.ts';

/** One connection to a database of its own, for the time of an import. */
export type ImportConnection = Pick<
  WatchedConnection,
  'run' | 'list' | 'read' | 'addPointFunction' | 'addFunction'
> & {
  /** Ends the import and removes the staged rows. Attached files have what was written up to a checkpoint. */
  readonly close: () => Promise<void>;
};

/** The tables of the rows as they were read and as they will be written, in a file of their own; the
 * second one has the numbers of those that are left out. */
export const STAGE_TABLE = 'stage.main.staged_rows';
export const REJECTED_TABLE = 'stage.main.rejected_rows';
export const SORTED_TABLE = 'stage.main.sorted_rows';
/** A temporary table of new records and those of the current version between them, in memory as long as there is room. */
export const MERGED_TABLE = 'merged_rows';
const STAGE_DATABASE = 'stage';

/**
 * Opens a database for the staged rows: it lies in the temporary directory, so the files of the version
 * never have holes, and memory stays bounded.
 */
export async function openImportConnection(
  options: InstanceOptions & WatchOptions,
): Promise<ImportConnection> {
  options.signal?.throwIfAborted();
  // A folder for each import: two processes would give their spill files the same names.
  const folder = await mkdtemp(join(options.temporaryDirectory, 'import-'));
  let connection: WatchedConnection | undefined;
  const close = async () => {
    await connection?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    connection = await openWatchedConnection({
      ...options,
      temporaryDirectory: join(folder, 'spill'),
    });
    for (const statement of SETTINGS) await connection.run(statement);
    await connection.run(attachDatabaseSql(join(folder, 'stage.duckdb'), STAGE_DATABASE));
    return { ...connection, close };
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
];
