import { closePart } from '@locmetrics/core/runtime/close-part';
import type { OpenToOthers } from '@locmetrics/data-directory/sqlite/private-file';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import {
  type ServingLock,
  takeServingLock,
} from '@locmetrics/data-directory/versions/serving-lock';
import type { Log } from '@locmetrics/server/observe/open-log';
import { checkServing } from '../compose/check-serving.ts';
import { makeDataDirectory } from '../compose/open-data.ts';
import { refuseNewerStore } from '../compose/store-build.ts';
import type { ReadConfig } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
import { openServiceLog } from './open-service-log.ts';
import { openServingStore, type ServingStore } from './open-serving-store.ts';

/** The parts of a service after its settings are checked and its data directory is locked. */
export type Serving = ServingStore & {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly lock: ServingLock;
  readonly log: Log;
  /** Closes what is open. The service moves it, and then closes it together with its own parts. */
  readonly closing: AsyncDisposableStack;
};

/** Checks the settings, then locks the data directory before anything in it is opened. */
export async function prepareServing({ config, notices }: ReadConfig): Promise<Serving> {
  checkServing(config);
  const directory = dataDirectory(config.data);
  refuseNewerStore(directory);
  makeDataDirectory(directory);
  await using opening = new AsyncDisposableStack();
  const lock = opening.adopt(takeServingLock(directory), ({ release }) => release());
  const log = openServiceLog(config);
  for (const notice of notices) log.observe({ kind: 'setting_questioned', notice });
  const onOpenToOthers = (file: OpenToOthers) =>
    log.observe({ kind: 'file_open_to_others', ...file });
  const opened = await openServingStore(directory, config, { use: 'start', onOpenToOthers });
  opening.adopt(opened.store, closePart);
  return { config, directory, lock, log, ...opened, closing: opening.move() };
}
