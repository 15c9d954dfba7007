import { existsSync } from 'node:fs';
import type { ExportStore } from '@locmetrics/server/exports/export-store';
import { exportStoreOf } from '../../compose/export-store-of.ts';
import { type OpenedDirectory, openDirectory, type StoreOptions } from '../../compose/open-data.ts';

/** Runs work with the exports of a data directory; undefined if the service has never run. */
export async function withExports<Result>(
  options: StoreOptions,
  work: (store: ExportStore, opened: OpenedDirectory) => Result | Promise<Result>,
): Promise<Result | undefined> {
  const opened = openDirectory(options);
  const { config, directory } = opened;
  if (config.control === undefined && !existsSync(directory.exports.store)) return undefined;
  const store = await exportStoreOf(opened, 'command');
  try {
    return await work(store, opened);
  } finally {
    await store.close();
  }
}
