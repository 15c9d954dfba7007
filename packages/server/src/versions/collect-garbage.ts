import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { type CurrentFile, readCurrentFile, replaceCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { takeProcessLock } from './process-lock.ts';
import { readIntention } from './switch-intention.ts';
import { whileNoneSwitches } from './switch-lock.ts';
import { type Retention, retain } from './switch-versions.ts';
import { type LeasedVersion, type Leases, readLeases } from './version-lease.ts';

export type CollectedGarbage = {
  /** Paths are relative to the data directory. */
  readonly removed: readonly { readonly path: string; readonly bytes: number }[];
  /** Outdated paths that a worker still uses. */
  readonly held: readonly { readonly path: string }[];
};

/**
 * Drops outdated versions, then removes versions that can no longer be queried and that no worker uses,
 * and the leftover files of killed processes.
 *
 * No switch can happen in the meantime, so a version that is not kept was dropped, or its publish ended
 * before its switch.
 */
export async function collectGarbage(
  directory: DataDirectory,
  {
    retention,
    now,
    isPublishing = false,
    waitMs,
  }: {
    /** Absent: no version is dropped. */
    readonly retention?: Retention;
    readonly now: number;
    /** Whether the caller holds the publish lock. */
    readonly isPublishing?: boolean;
    /** How long it blocks the event loop while another process switches. */
    readonly waitMs?: number;
  },
): Promise<CollectedGarbage> {
  const collect = async (): Promise<CollectedGarbage> => {
    const before = readCurrentFile(directory.current);
    const current = retention === undefined ? before : retained(before, retention, now);
    if (current !== before) await replaceCurrentFile(directory.current, current);
    const leases = readLeases(directory, now);
    const unkept = await listUnkept(directory, current, retention === undefined);
    return removeAll(directory, [
      ...unkept.map((version) => ({
        path: directory.version(version.datasetName, version.version),
        isHeld: leases.isHeld(version),
      })),
      ...(await listLeftovers(directory, leases, isPublishing)),
    ]);
  };
  return whileNoneSwitches(directory, collect, waitMs);
}

function retained(current: CurrentFile, retention: Retention, now: number): CurrentFile {
  const next = retain(current, retention, now);
  const isSame = Object.entries(next.datasets).every(
    ([name, { kept }]) => kept.length === current.datasets[name]?.kept.length,
  );
  return isSame ? current : next;
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
  isPublishing: boolean,
): Promise<readonly Garbage[]> {
  // This process holds the switch lock, so an existing intention belongs to a killed publish.
  const intention = basename(directory.switchIntention);
  const isDraft = isDraftOf(basename(directory.current));
  const drafts = (await list(directory.root)).filter((name) => name === intention || isDraft(name));
  const temporary = await list(directory.temporary);
  // Releases without leases named the folders of their workers `serve-`.
  const readers = temporary.filter(
    (name) => /^(reader|serve)-/.test(name) && !leases.holders.has(name),
  );
  const publishes = temporary.filter((name) => name.startsWith('publish-'));
  // A publish removes its own folder itself. While another publish runs, the folders may belong to it.
  const lock =
    isPublishing || publishes.length === 0 ? undefined : takeProcessLock(directory.publishLock);
  lock?.release();
  return [
    ...drafts.map((name) => join(directory.root, name)),
    ...readers.map((name) => join(directory.temporary, name)),
    ...temporary.filter(isLeftByRepair).map((name) => join(directory.temporary, name)),
    ...(lock === undefined ? [] : publishes.map((name) => join(directory.temporary, name))),
  ].map((path) => ({ path, isHeld: false }));
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
  const removed: { readonly path: string; readonly bytes: number }[] = [];
  for (const { path } of garbage.filter(({ isHeld }) => !isHeld)) {
    const bytes = await sizeOf(path).catch(() => 0);
    await rm(path, { recursive: true, force: true });
    removed.push({ path: relative(directory.root, path), bytes });
  }
  await removeEmpty(directory.versions);
  const held = garbage.filter(({ isHeld }) => isHeld);
  return { removed, held: held.map(({ path }) => ({ path: relative(directory.root, path) })) };
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
