import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { takeProcessLock } from '@locmetrics/data-directory/files/process-lock';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { removeLeftovers } from '@locmetrics/data-directory/versions/remove-garbage';
import { SwitchLockedError } from '@locmetrics/data-directory/versions/switch-lock';
import { type LeasedVersion, leaseKey } from '@locmetrics/data-directory/versions/version-lease';
import type {
  ChangedFiles,
  FetchColumns,
  GarbageOptions,
  PublishLock,
  Switching,
  VersionStore,
} from '@locmetrics/data-directory/versions/version-store';
import type { Postgres } from '../postgres/open-postgres.ts';
import { isAway } from '../postgres/postgres-error.ts';
import { commitSwitch, readCurrent, type SharedCurrent } from './commit-switch.ts';
import { mirrorVersions } from './mirror-versions.ts';
import { removeUnused, type SharedDirectory } from './remove-unused.ts';
import { takeSharedLock } from './shared-lock.ts';
import { migrateVersionStore } from './version-store-schema.ts';

const SWITCH_WAIT_MS = 30_000;
const PUBLISH_WAIT_MS = 300;

export type SharedVersionOptions = SharedDirectory & {
  readonly fetchColumns?: FetchColumns | undefined;
};

/** The versions that several nodes share: PostgreSQL decides, and the data directory mirrors it. */
export function sharedVersions(options: SharedVersionOptions): VersionStore {
  const { postgres, directory, fetchColumns } = options;
  const completed = new Set<string>();
  return {
    directory,
    isShared: true,
    isInDatabase: true,
    fetchColumns,
    isAway,
    bringUpToDate: () => mirrorVersions(postgres, directory),
    whileNoneSwitches: async (work, waitMs = SWITCH_WAIT_MS) => {
      const lock = await takeSharedLock(postgres, 'switch', waitMs);
      if (lock === undefined) throw new SwitchLockedError(directory, waitMs);
      try {
        await mirrorVersions(postgres, directory);
        return await work(switching(options, await readCurrent(postgres), completed));
      } finally {
        await lock.release();
      }
    },
    takePublishLock: () => takePublishLock(options),
    announce: (versions) => announce(postgres, versions),
  };
}

/** Makes the tables where there are none yet, and the mirror: all its files are compared with PostgreSQL. */
export async function prepareMirror(postgres: Postgres, directory: DataDirectory): Promise<void> {
  await migrateVersionStore(postgres);
  await mirrorVersions(postgres, directory, { isThorough: true });
}

/** `completed`: the versions whose tables have their names from an attempt that met PostgreSQL away. */
function switching(
  options: SharedVersionOptions,
  before: SharedCurrent,
  completed: Set<string>,
): Switching {
  const { postgres, directory } = options;
  let shared = before;
  return {
    current: () => shared.current,
    replaceCurrent: async (next, files = {}) => {
      for (const version of files.added ?? []) {
        if (completed.has(leaseKey(version))) continue;
        await options.database?.complete(version);
        completed.add(leaseKey(version));
      }
      shared = await commitSwitch(postgres, shared, next, files);
      await followOwn(options, files);
    },
    removeGarbage: async (garbage) => {
      const ofAll = await removeUnused(options, shared.current, garbage);
      await mirrorVersions(postgres, directory);
      const own = await removeOwnLeftovers(directory, garbage);
      return { removed: [...ofAll.removed, ...own.removed], held: ofAll.held };
    },
  };
}

/** The switch is made, so this node follows later if the database is gone meanwhile. */
async function followOwn(
  { postgres, directory }: SharedVersionOptions,
  { added = [] }: ChangedFiles,
): Promise<void> {
  try {
    await mirrorVersions(postgres, directory);
  } catch (error) {
    if (!isAway(error)) throw error;
    return;
  }
  for (const { datasetName, version, folder } of added) {
    await moveOthers(folder, directory.version(datasetName, version));
  }
}

/** The files that are not in PostgreSQL stay on the node that made them: the next publish there extends them. */
async function moveOthers(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const there = new Set(await readdir(to));
  for (const name of await readdir(from)) {
    if (!there.has(name)) await rename(join(from, name), join(to, name));
  }
}

/** Waits for no other process of the node. */
async function removeOwnLeftovers(
  directory: DataDirectory,
  options: GarbageOptions,
): ReturnType<typeof removeLeftovers> {
  const lock = takeProcessLock(directory.switchLock);
  if (lock === undefined) return { removed: [], held: [] };
  try {
    return await removeLeftovers(directory, options);
  } finally {
    lock.release();
  }
}

/** The lock of the node protects its own `tmp/`, the one of all nodes the data elsewhere. */
async function takePublishLock({
  postgres,
  directory,
}: SharedVersionOptions): Promise<PublishLock | undefined> {
  const own = takeProcessLock(directory.publishLock, PUBLISH_WAIT_MS);
  if (own === undefined) return undefined;
  try {
    const shared = await takeSharedLock(postgres, 'publish', PUBLISH_WAIT_MS);
    if (shared !== undefined) {
      return {
        release: async () => {
          own.release();
          await shared.release();
        },
      };
    }
  } catch (error) {
    own.release();
    throw error;
  }
  own.release();
  return undefined;
}

async function announce(postgres: Postgres, versions: readonly LeasedVersion[]): Promise<void> {
  await postgres.query(
    `INSERT INTO announced_version (dataset, version) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (dataset, version) DO NOTHING`,
    [versions.map(({ datasetName }) => datasetName), versions.map(({ version }) => version)],
  );
}
