import { existsSync, mkdirSync } from 'node:fs';
import {
  type ControlStore,
  type ControlStoreOptions,
  openControlStore,
} from '../auth/control-store.ts';
import type { Output } from '../cli/output.ts';
import { ConfigError } from '../config/config-error.ts';
import { readConfig, type SettingFlags } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
import { type DataDirectory, dataDirectory } from '../versions/data-directory.ts';

/** The flags of a command, and the output for notices about its settings. */
export type StoreOptions = { readonly settings: SettingFlags; readonly output: Output };

/** The data directory of the settings, and the settings. */
export function findDataDirectory({ settings, output }: StoreOptions): OpenedDirectory {
  const { config, notices } = readConfig(settings);
  for (const notice of notices) output.messages(`${notice}\n`);
  return { directory: dataDirectory(config.data), config };
}

export type OpenedDirectory = { readonly directory: DataDirectory; readonly config: Config };

/** The same, for a data directory that must exist: a mistyped one must not look like an empty one. */
export function openDirectory(options: StoreOptions): OpenedDirectory {
  const opened = findDataDirectory(options);
  const { root } = opened.directory;
  if (existsSync(root)) return opened;
  throw new ConfigError(
    `The data directory ${root} does not exist.`,
    'Name an existing one with --data, or create it: locmetrics publish and locmetrics org create do.',
  );
}

/** Opens the control store of a data directory, which is created if it does not exist. */
export function openStore(
  directory: DataDirectory,
  options: ControlStoreOptions = {},
): ControlStore {
  makeDataDirectory(directory);
  return openControlStore(directory.control, options);
}

/** Creates the folder of a data directory if it does not exist. */
export function makeDataDirectory({ root }: DataDirectory): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
}

/** Runs work with the control store of a data directory and closes it again. */
export function withStoreOf<Result>(
  directory: DataDirectory,
  work: (store: ControlStore, directory: DataDirectory) => Result,
): Result {
  const store = openStore(directory);
  try {
    return work(store, directory);
  } finally {
    store.close();
  }
}

/** The same, for the data directory of the settings, which must exist. */
export async function withStore<Result>(
  options: StoreOptions,
  work: (store: ControlStore, directory: DataDirectory) => Result,
): Promise<Result> {
  return withStoreOf(openDirectory(options).directory, work);
}

/** The same, but the data directory is created if it does not exist. */
export async function withNewStore<Result>(
  options: StoreOptions,
  work: (store: ControlStore) => Result,
): Promise<Result> {
  return withStoreOf(findDataDirectory(options).directory, work);
}
