import { existsSync, mkdirSync } from 'node:fs';
import {
  type ControlStore,
  type ControlStoreOptions,
  openControlStore,
} from '../auth/control-store.ts';
import { type DataDirectory, dataDirectory } from '../catalog/data-directory.ts';
import type { Output } from '../cli/output.ts';
import { ConfigError } from '../config/config-error.ts';
import { readConfig, type SettingFlags } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';

/** The flags of a command, and where it writes what is probably a mistake in its settings. */
export type StoreOptions = { readonly settings: SettingFlags; readonly output: Output };

/** The data directory that the settings name, and the settings. */
function findDataDirectory({ settings, output }: StoreOptions): OpenedDirectory {
  const { config, notices } = readConfig(settings);
  for (const notice of notices) output.messages(`${notice}\n`);
  return { directory: dataDirectory(config.data), config };
}

export type OpenedDirectory = { readonly directory: DataDirectory; readonly config: Config };

/** The same, of a data directory that exists. */
export function openDirectory(options: StoreOptions): OpenedDirectory {
  const opened = findDataDirectory(options);
  expectDataDirectory(opened.directory);
  return opened;
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
  makeDataDirectory(directory);
  return openControlStore(directory.control, options);
}

/** Makes the folder of a data directory where it is not there. */
export function makeDataDirectory({ root }: DataDirectory): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
}

/** Runs work with the control store of an existing data directory and closes it again. */
export async function withStore<Result>(
  options: StoreOptions,
  work: (store: ControlStore, directory: DataDirectory) => Result,
): Promise<Result> {
  return withStoreOf(openDirectory(options).directory, work);
}

/** Runs work with an existing data directory. */
export async function withDirectory<Result>(
  options: StoreOptions,
  work: (directory: DataDirectory) => Result,
): Promise<Result> {
  return work(openDirectory(options).directory);
}

/** The same, but the data directory is made when it is not there. */
export async function withNewStore<Result>(
  options: StoreOptions,
  work: (store: ControlStore) => Result,
): Promise<Result> {
  return withStoreOf(findDataDirectory(options).directory, work);
}

function withStoreOf<Result>(
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
