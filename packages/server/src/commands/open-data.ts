import { existsSync, mkdirSync } from 'node:fs';
import {
  type ControlStore,
  type ControlStoreOptions,
  openControlStore,
} from '../auth/control-store.ts';
import { type DataDirectory, dataDirectory } from '../catalog/data-directory.ts';
import { ConfigError } from '../config/config-error.ts';
import { readConfig, type SettingFlags } from '../config/read-config.ts';

/** The data directory that the settings name. */
function findDataDirectory(settings: SettingFlags): DataDirectory {
  return dataDirectory(readConfig(settings).config.data);
}

/** Refuses a data directory that is not there: a mistyped one must not look like an empty one. */
function expectDataDirectory(directory: DataDirectory): void {
  if (existsSync(directory.root)) return;
  throw new ConfigError(
    `There is no data directory ${directory.root}.`,
    'Name the right one with --data, or make it: locmetrics publish and locmetrics org create do.',
  );
}

/** Opens the control store of a data directory, which is made when it is not there. */
export function openStore(
  directory: DataDirectory,
  options: ControlStoreOptions = {},
): ControlStore {
  mkdirSync(directory.root, { recursive: true, mode: 0o700 });
  return openControlStore(directory.control, options);
}

/** Runs work with the control store of an existing data directory and closes it again. */
export async function withStore<Result>(
  settings: SettingFlags,
  work: (store: ControlStore) => Result,
): Promise<Result> {
  expectDataDirectory(findDataDirectory(settings));
  return withNewStore(settings, work);
}

/** The same, but the data directory is made when it is not there. */
export async function withNewStore<Result>(
  settings: SettingFlags,
  work: (store: ControlStore) => Result,
): Promise<Result> {
  const store = openStore(findDataDirectory(settings));
  try {
    return work(store);
  } finally {
    store.close();
  }
}
