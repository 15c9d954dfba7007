import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type ControlStore,
  type ControlStoreOptions,
  openControlStore,
} from '../auth/control-store.ts';
import { type DataDirectory, dataDirectory } from '../catalog/data-directory.ts';
import { ConfigError, resolveSetting, SETTINGS } from '../config/settings.ts';

/** The data directory that the flag or the environment names. */
export function findDataDirectory(flag: string | undefined): DataDirectory {
  return dataDirectory(resolve(resolveSetting(SETTINGS.data, flag, process.env)));
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
  flag: string | undefined,
  work: (store: ControlStore) => Result,
): Promise<Result> {
  expectDataDirectory(findDataDirectory(flag));
  return withNewStore(flag, work);
}

/** The same, but the data directory is made when it is not there. */
export async function withNewStore<Result>(
  flag: string | undefined,
  work: (store: ControlStore) => Result,
): Promise<Result> {
  const store = openStore(findDataDirectory(flag));
  try {
    return work(store);
  } finally {
    store.close();
  }
}
