import { existsSync, mkdirSync } from 'node:fs';
import { extname } from 'node:path';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import {
  type ControlStore,
  type ControlStoreOptions,
  openControlStore,
} from '@locmetrics/server/auth/control-store';
import type { UsagePlace } from '@locmetrics/server/metering/usage-files';
import type { Output } from '../cli/output.ts';
import { ConfigError } from '../config/config-error.ts';
import { readConfig, type SettingFlags } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
import { openStoreOfNodes } from './open-store-of-nodes.ts';
import { recordBuild, refuseNewerStore } from './store-build.ts';

/** The flags of a command, and the output for notices about its settings. */
export type StoreOptions = { readonly settings: SettingFlags; readonly output: Output };

/** The data directory of the settings, and the settings. */
export function findDataDirectory({ settings, output }: StoreOptions): OpenedDirectory {
  const { config, notices } = readConfig(settings);
  for (const notice of notices) output.messages(`${notice}\n`);
  const directory = dataDirectory(config.data);
  refuseNewerStore(directory);
  return { directory, config };
}

export type OpenedDirectory = { readonly directory: DataDirectory; readonly config: Config };

/** The same, for a data directory that must exist: a mistyped one must not look like an empty one. */
export function openDirectory(options: StoreOptions): OpenedDirectory {
  return expectDirectory(findDataDirectory(options));
}

function expectDirectory(opened: OpenedDirectory): OpenedDirectory {
  const { root } = opened.directory;
  if (existsSync(root) || areVersionsShared(opened.config)) return opened;
  throw new ConfigError(
    `The data directory ${root} does not exist.`,
    'Name an existing one with --data, or create it: locmetrics publish and locmetrics org create do.',
  );
}

/**
 * Opens the control store of a data directory, which is created if it does not exist; one that nodes share is brought
 * up to date.
 */
export async function openStore(
  { directory, config }: OpenedDirectory,
  options: ControlStoreOptions = {},
): Promise<ControlStore> {
  makeDataDirectory(directory);
  if (config.control === undefined) return openControlStore(directory.control, options);
  const store = await openStoreOfNodes(directory, config.control, options);
  try {
    await store.migrate();
    await store.bringUpToDate();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Whether several nodes share what is current: then the data directory is a mirror, which is made where there is none. */
export function areVersionsShared({ control, clickhouse }: Config): boolean {
  return control !== undefined && clickhouse !== undefined;
}

/** Whether there is a control store: before the first organisation a data directory of its own has none. */
export function hasStore({ directory, config }: OpenedDirectory): boolean {
  return config.control !== undefined || existsSync(directory.control);
}

/** Creates the folder of a data directory if it does not exist. */
export function makeDataDirectory(directory: DataDirectory): void {
  mkdirSync(directory.root, { recursive: true, mode: 0o700 });
  recordBuild(directory);
}

export type WorkWithStore<Result> = (
  store: ControlStore,
  directory: DataDirectory,
  config: Config,
) => Result | Promise<Result>;

/** Runs work with the control store of a data directory and closes it again. */
export async function withStoreOf<Result>(
  opened: OpenedDirectory,
  work: WorkWithStore<Result>,
): Promise<Result> {
  const store = await openStore(opened);
  try {
    return await work(store, opened.directory, opened.config);
  } finally {
    await store.close();
  }
}

/** The same, for the data directory of the settings, which must exist if the control store is in it. */
export async function withStore<Result>(
  options: StoreOptions,
  work: WorkWithStore<Result>,
): Promise<Result> {
  return withStoreOf(findStore(options), work);
}

/** The data directory of the settings, which must exist if the control store is in it. */
export function findStore(options: StoreOptions): OpenedDirectory {
  const found = findDataDirectory(options);
  return found.config.control === undefined ? expectDirectory(found) : found;
}

/** The same, but the data directory is created if it does not exist. */
export async function withNewStore<Result>(
  options: StoreOptions,
  work: (store: ControlStore) => Result | Promise<Result>,
): Promise<Result> {
  return withStoreOf(findDataDirectory(options), work);
}

/**
 * The place where the usage of a data directory is recorded and merged: into its own file, or into the PostgreSQL that several
 * nodes share.
 */
export function usagePlace({ directory, config }: OpenedDirectory): UsagePlace {
  return { ...directory.usage, postgres: config.control };
}

/** The code of the thread that merges and reads usage: the TypeScript source, or the built JavaScript. */
export const USAGE_THREAD = new URL(`../usage-thread${extname(import.meta.url)}`, import.meta.url);
