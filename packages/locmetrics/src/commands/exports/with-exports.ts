import { existsSync } from 'node:fs';
import type { ExportStore } from '@locmetrics/server/exports/export-store';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import { type OpenedDirectory, openDirectory, type StoreOptions } from '../../compose/open-data.ts';

/** Runs work with the exports of a data directory; undefined if the service has never run. */
export async function withExports<Result>(
  options: StoreOptions,
  work: (store: ExportStore, opened: OpenedDirectory) => Result | Promise<Result>,
): Promise<Result | undefined> {
  const opened = openDirectory(options);
  const path = opened.directory.exports.store;
  if (!existsSync(path)) return undefined;
  const store = openExportStore(path);
  try {
    return await work(store, opened);
  } finally {
    store.close();
  }
}
