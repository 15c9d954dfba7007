import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { takeProcessLock } from '../files/process-lock.ts';
import type { CurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { readIntention } from './switch-intention.ts';
import type { VersionDatabase, VersionTable } from './version-database.ts';
import { type LeasedVersion, type Leases, readLeases } from './version-lease.ts';
import type { CollectedGarbage, GarbageOptions } from './version-store.ts';

/** Removes unkept versions, and the leftover files of killed processes. The caller holds the switch lock. */
export async function removeGarbage(
  directory: DataDirectory,
  current: CurrentFile,
  options: GarbageOptions,
  database?: VersionDatabase,
): Promise<CollectedGarbage> {
  const { onlyKnown, isPublishing } = options;
  const leases = readLeases(directory, options.now);
  const unkept = await listUnkept(directory, current, onlyKnown);
  const tables = await removeOutdatedTables(database, {
    directory,
    current,
    leases,
    // While a service runs, an interrupted load can still resume.
    withLoads: !onlyKnown && isPublishFree(directory, isPublishing),
  });
  const files = await removeAll(directory, [
    ...unkept.map((version) => ({
      path: directory.version(version.datasetName, version.version),
      isHeld: leases.isHeld(version),
    })),
    ...(await listLeftovers(directory, leases, options)).filter(
      // It names tables that could not be removed.
      ({ path }) => tables.error === undefined || path !== directory.switchIntention,
    ),
  ]);
  if (tables.error !== undefined) throw tables.error;
  return {
    removed: [...files.removed, ...tables.removed],
    held: [...files.held, ...tables.held],
  };
}

/** Removes only the leftover files of killed processes. */
export async function removeLeftovers(
  directory: DataDirectory,
  options: Omit<GarbageOptions, 'onlyKnown'>,
): Promise<CollectedGarbage> {
  const leases = readLeases(directory, options.now);
  return removeAll(directory, await listLeftovers(directory, leases, options));
}

/**
 * Removes the files that the workers of an ended service were writing. The caller holds the serving lock, and has not
 * started a worker yet. Their leases end by themselves.
 */
export async function removeWorkerFolders(directory: DataDirectory): Promise<CollectedGarbage> {
  const names = (await list(directory.temporary)).filter((name) => name.startsWith('worker-'));
  const paths = names.map((name) => join(directory.temporary, name));
  return { removed: await removePaths(directory, paths), held: [] };
}

type Garbage = { readonly path: string; readonly isHeld: boolean };

/**
 * The versions that can no longer be queried. For a dataset that `current.json` does not name, these are
 * only the ones that a publish was about to switch to: if an older `current.json` was restored, all
 * versions that the newer one named must stay.
 */
async function listUnkept(
  directory: DataDirectory,
  current: CurrentFile,
  /** Whether versions without a history entry stay, because an older `current.json` was restored. */
  onlyKnown: boolean,
): Promise<readonly LeasedVersion[]> {
  const unkept: LeasedVersion[] = [];
  for (const [datasetName, dataset] of Object.entries(current.datasets)) {
    const known = new Set(dataset.history.map(({ version }) => version));
    for (const version of await list(directory.datasetVersions(datasetName))) {
      const isKept = dataset.kept.includes(version) || dataset.version === version;
      if (isKept || (onlyKnown && !known.has(version))) continue;
      unkept.push({ datasetName, version });
    }
  }
  // Of a removed dataset only versions published after the removal are kept.
  for (const { dataset: datasetName, kept } of current.removed ?? []) {
    const again = current.datasets[datasetName];
    for (const version of await list(directory.datasetVersions(datasetName))) {
      const isOther = again?.kept.includes(version) === true || !kept.includes(version);
      const isFound = unkept.some((one) => one.version === version);
      if (isOther || isFound) continue;
      unkept.push({ datasetName, version });
    }
  }
  const intended = readIntention(directory).filter(
    ({ datasetName, version }) =>
      current.datasets[datasetName]?.kept.includes(version) !== true &&
      !unkept.some((one) => one.version === version),
  );
  return [...unkept, ...intended];
}

/** Drafts of replaced files, and the folders of ended readers and publishes. */
async function listLeftovers(
  directory: DataDirectory,
  leases: Leases,
  { isPublishing }: Pick<GarbageOptions, 'isPublishing'>,
): Promise<readonly Garbage[]> {
  // This process holds the switch lock, so an existing intention belongs to a killed publish.
  const intention = basename(directory.switchIntention);
  const isDraft = isDraftOf(basename(directory.current));
  const drafts = (await list(directory.root)).filter((name) => name === intention || isDraft(name));
  const temporary = await list(directory.temporary);
  // Releases without leases named the folders of their workers `serve-`.
  const readers = temporary.filter(
    (name) => /^(worker|reader|serve)-/.test(name) && !leases.holders.has(name),
  );
  const publishes = temporary.filter((name) => name.startsWith('publish-'));
  // A publish removes its own folder itself. While another publish runs, the folders may belong to it.
  const areLeft = !isPublishing && publishes.length > 0 && isPublishFree(directory, false);
  return [
    ...drafts.map((name) => join(directory.root, name)),
    ...readers.map((name) => join(directory.temporary, name)),
    ...temporary.filter(isLeftByRepair).map((name) => join(directory.temporary, name)),
    ...(areLeft ? publishes.map((name) => join(directory.temporary, name)) : []),
  ].map((path) => ({ path, isHeld: false }));
}

/** Whether no other process publishes. */
function isPublishFree(directory: DataDirectory, isPublishing: boolean): boolean {
  if (isPublishing) return true;
  const lock = takeProcessLock(directory.publishLock);
  lock?.release();
  return lock !== undefined;
}

/** The folder of a repair has the number of its process, which removes it itself. */
function isLeftByRepair(name: string): boolean {
  const pid = Number(/^repair-(\d+)-/.exec(name)?.[1]);
  if (!Number.isSafeInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function isDraftOf(name: string): (file: string) => boolean {
  return (file) => file.startsWith(`${name}.`) && file.endsWith('.tmp');
}

async function removeAll(
  directory: DataDirectory,
  garbage: readonly Garbage[],
): Promise<CollectedGarbage> {
  const unheld = garbage.filter(({ isHeld }) => !isHeld);
  const removed = await removePaths(
    directory,
    unheld.map(({ path }) => path),
  );
  await removeEmpty(directory.versions);
  const held = garbage.filter(({ isHeld }) => isHeld);
  return { removed, held: held.map(({ path }) => ({ path: relative(directory.root, path) })) };
}

async function removePaths(
  directory: DataDirectory,
  paths: readonly string[],
): Promise<CollectedGarbage['removed']> {
  const removed: { readonly path: string; readonly bytes: number }[] = [];
  for (const path of paths) {
    const bytes = await sizeOf(path).catch(() => 0);
    await rm(path, { recursive: true, force: true });
    removed.push({ path: relative(directory.root, path), bytes });
  }
  return removed;
}

/** If the first publish of a dataset is killed, a folder without a version remains. */
async function removeEmpty(folder: string): Promise<void> {
  for (const name of await list(folder)) {
    if ((await list(join(folder, name))).length === 0) await rmdir(join(folder, name));
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  // A file that another version has, too, stays.
  if (!found.isDirectory()) return found.nlink > 1 ? 0 : found.size;
  const sizes = await Promise.all((await list(path)).map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function list(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

type WithTables = {
  readonly directory: DataDirectory;
  readonly current: CurrentFile;
  readonly leases: Leases;
  /** Whether tables of loads that have not ended are removed too. */
  readonly withLoads: boolean;
};

/** Removes the tables of versions that are not kept. An error of the database is returned, so that files are removed even if it does not answer. */
async function removeOutdatedTables(
  database: VersionDatabase | undefined,
  { leases, ...options }: WithTables,
): Promise<CollectedGarbage & { readonly error?: unknown }> {
  const removed: { readonly path: string; readonly bytes: number }[] = [];
  const held: { readonly path: string }[] = [];
  if (database === undefined) return { removed, held };
  try {
    for (const table of (await database.list()).filter(isOutdated(options))) {
      const { datasetName, version, isLoading, bytes } = table;
      const path = `${database.name}: ${datasetName}/${version}${isLoading ? '.loading' : ''}`;
      if (!isLoading && leases.isHeld(table)) {
        held.push({ path });
        continue;
      }
      await database.remove(table);
      removed.push({ path, bytes });
    }
    return { removed, held };
  } catch (error) {
    return { removed, held, error };
  }
}

/**
 * The tables of versions that were kept, or that a publish was about to switch to, and are not kept now. Other tables
 * may belong to somebody else. Those of loads are outdated once no publish runs, because none goes on with them.
 */
function isOutdated({
  directory,
  current,
  withLoads,
}: Omit<WithTables, 'leases'>): (table: VersionTable) => boolean {
  const intended = readIntention(directory);
  const removed = current.removed ?? [];
  return ({ datasetName, version, isLoading }) => {
    const dataset = current.datasets[datasetName];
    if (isLoading) {
      return (
        withLoads && (dataset !== undefined || removed.some((one) => one.dataset === datasetName))
      );
    }
    if (dataset?.version === version || dataset?.kept.includes(version) === true) return false;
    return (
      dataset?.history.some((one) => one.version === version) === true ||
      removed.some((one) => one.dataset === datasetName && one.kept.includes(version)) ||
      intended.some((one) => one.datasetName === datasetName && one.version === version)
    );
  };
}
