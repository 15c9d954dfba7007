import { mkdir, rename, rm } from 'node:fs/promises';
import { syncDirectory } from '../files/durable-file.ts';
import { takeProcessLock } from '../files/process-lock.ts';
import { NOTHING_CURRENT, readCurrentFile, replaceCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { refuseMirror } from './refuse-mirror.ts';
import { removeGarbage } from './remove-garbage.ts';
import { writeIntention } from './switch-intention.ts';
import { whileNoneSwitches } from './switch-lock.ts';
import type { VersionDatabase } from './version-database.ts';
import type { ChangedFiles, VersionStore } from './version-store.ts';
import { markWithdrawn } from './withdrawn-mark.ts';

/** Garbage collection holds the publish lock for a moment, to ensure that no publish runs. */
const PUBLISH_WAIT_MS = 300;

/** See `refuseMirror`. */
const NOTHING_SWITCHED = 'nothing can be switched in it';

type Options = {
  /** Has the records of the versions, too, as tables; absent: there is none. */
  readonly database?: VersionDatabase | undefined;
};

/** The versions of a data directory that says itself what is current. */
export function fileVersions(directory: DataDirectory, { database }: Options = {}): VersionStore {
  return {
    directory,
    isShared: false,
    isInDatabase: database !== undefined,
    isAway: () => false,
    bringUpToDate: async () => {},
    whileNoneSwitches: (work, waitMs) => {
      refuseMirror(directory, NOTHING_SWITCHED);
      const switching = {
        current: () => readCurrentFile(directory.current),
        replaceCurrent: replacing(directory, database),
        removeGarbage: (options: Parameters<typeof removeGarbage>[2]) =>
          removeGarbage(directory, readCurrentFile(directory.current), options, database),
      };
      return whileNoneSwitches(directory, () => work(switching), waitMs);
    },
    takePublishLock: async () => {
      refuseMirror(directory, NOTHING_SWITCHED);
      return takeProcessLock(directory.publishLock, PUBLISH_WAIT_MS);
    },
    // The folders of a killed publish are known by `writeIntention`.
    announce: async () => {},
  };
}

function replacing(directory: DataDirectory, database: VersionDatabase | undefined) {
  return async (
    next: Parameters<typeof replaceCurrentFile>[1],
    { added = [], withdrawn }: ChangedFiles = {},
  ): Promise<void> => {
    try {
      if (added.length > 0) await moveIntoPlace(added, directory);
      for (const version of added) await database?.complete(version);
      await replaceCurrentFile(directory.current, next);
    } catch (error) {
      await removeUnlessCurrent(added, directory, database);
      throw error;
    }
    for (const { datasetName, version } of withdrawn?.versions ?? []) {
      markWithdrawn(directory.version(datasetName, version), withdrawn?.time ?? '');
    }
  };
}

type Added = NonNullable<ChangedFiles['added']>;

/** Renames the folders to their final names. They are not read before `current.json` names them. */
async function moveIntoPlace(added: Added, directory: DataDirectory): Promise<void> {
  // It is written before the versions, so that there are never versions without it, even after a kill.
  const current = readCurrentFile(directory.current);
  if (current === NOTHING_CURRENT) await replaceCurrentFile(directory.current, current);
  const names = added.map(({ datasetName, version }) => ({ datasetName, version }));
  await writeIntention(directory, names);
  for (const { datasetName, version, folder } of added) {
    const parent = directory.datasetVersions(datasetName);
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await rename(folder, directory.version(datasetName, version));
    await syncDirectory(parent);
  }
}

/** Removes versions that were already moved into place when the switch failed, for example on a full disk. */
async function removeUnlessCurrent(
  added: Added,
  directory: DataDirectory,
  database: VersionDatabase | undefined,
): Promise<void> {
  const { datasets } = readCurrentFile(directory.current);
  for (const { datasetName, version } of added) {
    if (datasets[datasetName]?.version === version) continue;
    // A file that cannot be removed now is removed with the next garbage.
    await database?.remove({ datasetName, version, isLoading: false }).catch(() => {});
    await rm(directory.version(datasetName, version), { recursive: true, force: true });
  }
}
