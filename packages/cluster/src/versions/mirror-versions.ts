import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passTime } from 'node:timers/promises';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import {
  replaceDurably,
  syncDirectory,
  writeDurably,
} from '@locmetrics/data-directory/files/durable-file';
import { takeProcessLock } from '@locmetrics/data-directory/files/process-lock';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { NOTHING_CURRENT } from '@locmetrics/data-directory/versions/current-file';
import {
  type DataDirectory,
  VERSION_FILE,
} from '@locmetrics/data-directory/versions/data-directory';
import { listVersionFolders } from '@locmetrics/data-directory/versions/list-version-folders';
import { withReservedSpace } from '@locmetrics/data-directory/versions/reserved-space';
import { readIfPresent } from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import { type ChangedRows, readChanges, type SeenState } from '../postgres/change-log.ts';
import type { Postgres } from '../postgres/open-postgres.ts';
import { readMirrorMark, refuseOwnVersions, writeMirrorMark } from './mirror-mark.ts';
import { CURRENT_TABLE, FILE_TABLE } from './version-store-schema.ts';

/**
 * Copies what has changed in the shared store into the data directory. The files of a version are there before
 * `current.json` names it, and are removed after it. Every process of the node may call it; a process that is killed in
 * between leaves work that the next call does again. `isThorough`: compares all files, also those that seem up to date.
 */
export async function mirrorVersions(
  postgres: Pick<Postgres, 'transaction'>,
  directory: DataDirectory,
  { isThorough = false }: { readonly isThorough?: boolean } = {},
): Promise<void> {
  let copiesAll = isThorough;
  for (;;) {
    const mark = readMirrorMark(directory);
    const seen = copiesAll ? undefined : mark;
    // The lock is not held meanwhile, so that a slow database does not block the other processes of the node.
    const changed = await readChanges(postgres, [CURRENT_TABLE, FILE_TABLE], seen);
    if (changed === undefined) return;
    const outcome = await whileNoneMirrors(directory, async () => {
      if (!isSame(readMirrorMark(directory), mark)) return 'overtaken';
      return (await applyChanges(directory, changed)) ? 'applied' : 'incomplete';
    });
    if (outcome === 'applied') return;
    if (outcome === 'incomplete') copiesAll = true;
  }
}

function isSame(left: SeenState | undefined, right: SeenState | undefined): boolean {
  return left?.storeId === right?.storeId && left?.number === right?.number;
}

/** Among the processes of the node; it takes milliseconds. Nothing is switched by the files of a mirror. */
async function whileNoneMirrors<Result>(
  directory: DataDirectory,
  work: () => Promise<Result>,
): Promise<Result> {
  await mkdir(directory.root, { recursive: true, mode: 0o700 });
  const giveUpAtMs = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const lock = takeProcessLock(directory.switchLock);
    if (lock !== undefined) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (performance.now() > giveUpAtMs) {
      throw new DataDirectoryError(
        `Another process has been copying versions into ${directory.root} for ${LOCK_WAIT_MS / 1000} s.`,
        'Look for a locmetrics command that hangs, and end it.',
      );
    }
    await passTime(TRY_AGAIN_MS);
  }
}

const LOCK_WAIT_MS = 30_000;
const TRY_AGAIN_MS = 5;

/** False if a folder is lost of which only a part has changed. */
async function applyChanges(directory: DataDirectory, changed: ChangedRows): Promise<boolean> {
  refuseOwnVersions(directory);
  const { storeId, number, isAll } = changed;
  if (readIfPresent(directory.mirror) === undefined) {
    await writeMirrorMark(directory, { storeId, number: null });
  }
  await removeDrafts(directory);
  const [row] = changed.tables.get(CURRENT_TABLE.name)?.rows ?? [];
  const text = row === undefined ? undefined : String(row['content']);
  // It is there before the first version, because versions without it mean that it is lost.
  if (text !== undefined && text !== '' && !existsSync(directory.current)) {
    await replaceText(directory.current, sealedText(NOTHING_CURRENT));
  }
  const there = new Set(listVersionFolders(directory).map(keyOf));
  const changes = groupFiles(changed);
  for (const { version, written, removed } of changes.values()) {
    const folder = directory.version(version.datasetName, version.version);
    if (there.has(keyOf(version))) {
      await changeFiles(folder, written);
    } else if (written.has(VERSION_FILE)) {
      await addFolder(directory, version, written);
    } else if (written.size > 0 && !isGone(written, removed)) {
      return false;
    }
  }
  if (text !== undefined) await replaceText(directory.current, text);
  for (const version of listVersionFolders(directory)) {
    const change = changes.get(keyOf(version));
    const isOver = isAll ? change === undefined : change?.removed.has(VERSION_FILE) === true;
    if (isOver) await removeFolder(directory, version);
  }
  await writeMirrorMark(directory, { storeId, number });
  return true;
}

type FolderChange = {
  readonly version: LeasedVersion;
  /** Their content, by name. */
  readonly written: Map<string, string>;
  readonly removed: Set<string>;
};

function groupFiles({ tables }: ChangedRows): ReadonlyMap<string, FolderChange> {
  const changes = new Map<string, FolderChange>();
  const of = (datasetName: string, name: string): FolderChange => {
    const version = { datasetName, version: name };
    const known = changes.get(keyOf(version)) ?? {
      version,
      written: new Map(),
      removed: new Set(),
    };
    changes.set(keyOf(version), known);
    return known;
  };
  const { rows = [], removed = [] } = tables.get(FILE_TABLE.name) ?? {};
  for (const { dataset, version, name, content } of rows) {
    of(String(dataset), String(version)).written.set(String(name), String(content));
  }
  for (const [dataset = '', version = '', name = ''] of removed) {
    of(dataset, version).removed.add(name);
  }
  return changes;
}

function isGone(written: FolderChange['written'], removed: FolderChange['removed']): boolean {
  return removed.has(VERSION_FILE) && !written.has(VERSION_FILE);
}

function keyOf({ datasetName, version }: LeasedVersion): string {
  return `${datasetName}/${version}`;
}

/** Files that a mirror has besides, such as the column file on the node that published, stay. */
async function changeFiles(folder: string, written: FolderChange['written']): Promise<void> {
  for (const [name, content] of written) {
    const path = join(folder, name);
    if (readIfPresent(path) !== content) await replaceDurably(path, content);
  }
}

async function addFolder(
  directory: DataDirectory,
  { datasetName, version }: LeasedVersion,
  written: FolderChange['written'],
): Promise<void> {
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(directory.temporary, DRAFT));
  for (const [name, content] of written) await writeDurably(join(draft, name), content);
  await syncDirectory(draft);
  const parent = directory.datasetVersions(datasetName);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await rename(draft, directory.version(datasetName, version));
  await syncDirectory(parent);
  await syncDirectory(directory.versions);
}

/** An empty text is that of a store in which nothing was ever published. */
async function replaceText(path: string, text: string): Promise<void> {
  if ((readIfPresent(path) ?? '') === text) return;
  if (text === '') {
    await rm(path, { force: true });
    return;
  }
  await withReservedSpace({ root: join(path, '..') }, () =>
    replaceDurably(path, text, `${path}.${process.pid}.tmp`),
  );
}

/** It is moved away first, so that it is there as a whole or not at all. */
async function removeFolder(
  directory: DataDirectory,
  { datasetName, version }: LeasedVersion,
): Promise<void> {
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(directory.temporary, DRAFT));
  await rename(directory.version(datasetName, version), join(draft, version));
  await rm(draft, { recursive: true, force: true });
  const others = await readdir(directory.datasetVersions(datasetName));
  if (others.length === 0) await rm(directory.datasetVersions(datasetName), { recursive: true });
}

const DRAFT = 'mirror-';

/** Those of killed processes: nobody else mirrors now. */
async function removeDrafts({ temporary }: DataDirectory): Promise<void> {
  const names = await readdir(temporary).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(DRAFT))) {
    await rm(join(temporary, name), { recursive: true, force: true });
  }
}
