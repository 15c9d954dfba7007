import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import { findClickhouseConflicts } from '../config/check-config.ts';
import { servingRefusal } from './check-serving.ts';
import type { ClickhouseConfig, OpenedClickhouse } from './open-clickhouse.ts';

/**
 * The database of the settings for publishing and removing; undefined without one, and then its code is not loaded. Refuses
 * settings that conflict.
 */
export async function openConfiguredClickhouse(
  config: ClickhouseConfig,
  directory: DataDirectory,
): Promise<OpenedClickhouse | undefined> {
  const conflicts = findClickhouseConflicts(config);
  if (conflicts.length > 0) throw servingRefusal(conflicts);
  const { clickhouse: address } = config;
  if (address === undefined) return undefined;
  const { openClickhouse } = await import('./open-clickhouse.ts');
  return openClickhouse(address, config, directory);
}

/** Runs work with the database of the settings, if there is one, and closes it. */
export async function withDatabase<Result>(
  config: ClickhouseConfig,
  directory: DataDirectory,
  work: (database: VersionDatabase | undefined) => Promise<Result>,
): Promise<Result> {
  const opened = await openConfiguredClickhouse(config, directory);
  try {
    return await work(opened?.database);
  } finally {
    await opened?.database.close();
  }
}
