import type { CurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import type { LeasedVersion } from './version-lease.ts';

/**
 * Decides what is current. All code that switches does so by it; all code that only reads uses the files of the data
 * directory. These are what is current (`fileVersions`), or a mirror of what several nodes share.
 */
export type VersionStore = {
  readonly directory: DataDirectory;
  /** Whether several nodes share it. */
  readonly isShared: boolean;
  /** Whether a database has the records of the versions, so that their data files may be absent. */
  readonly isInDatabase: boolean;
  /** Whether an error says that it cannot be reached now; the same call may succeed later. */
  readonly isAway: (error: unknown) => boolean;
  /** Copies what other nodes have switched into the data directory. */
  readonly bringUpToDate: () => Promise<void>;
  /** Runs work while nobody else switches. Throws a `SwitchLockedError` if somebody else does for too long. */
  readonly whileNoneSwitches: <Result>(
    work: (switching: Switching) => Promise<Result>,
    /** For files it blocks the event loop. */
    waitMs?: number,
  ) => Promise<Result>;
  /** Ensures that only one publish runs at a time; undefined while another one does. */
  readonly takePublishLock: () => Promise<PublishLock | undefined>;
  /**
   * Tells which versions the publish that holds the lock is about to make, before their data are written anywhere outside
   * of the data directory. If the publish is killed, the next removal of garbage removes these data.
   */
  readonly announce: (versions: readonly LeasedVersion[]) => Promise<void>;
  /**
   * Writes the column file of a version into a folder, for a machine that does not have it. Absent if all data are in the
   * data directory.
   */
  readonly fetchColumns?: FetchColumns | undefined;
};

export type FetchColumns = (
  version: LeasedVersion,
  options: { readonly folder: string; readonly signal?: AbortSignal | undefined },
) => Promise<void>;

export type PublishLock = { readonly release: () => void | Promise<void> };

/** The operations that are possible while nobody else switches. */
export type Switching = {
  readonly current: () => CurrentFile;
  /** Replaces what is current, together with the files of versions: all of it, or nothing if it throws. */
  readonly replaceCurrent: (next: CurrentFile, files?: ChangedFiles) => Promise<void>;
  /** Removes versions that are not kept and not in use, and the leftover files of killed processes. */
  readonly removeGarbage: (options: GarbageOptions) => Promise<CollectedGarbage>;
};

export type ChangedFiles = {
  /** New versions, each in a folder of `tmp/`, which is moved away. */
  readonly added?: readonly (LeasedVersion & { readonly folder: string })[];
  readonly withdrawn?: {
    readonly versions: readonly LeasedVersion[];
    /** RFC 3339, UTC. */
    readonly time: string;
  };
};

export type GarbageOptions = {
  /** Whether versions without a history entry stay, because an older `current.json` was restored. */
  readonly onlyKnown: boolean;
  /** Whether the caller holds the publish lock. */
  readonly isPublishing: boolean;
  readonly now: number;
};

export type CollectedGarbage = {
  /** Paths are relative to the data directory; of a table it is its place in the database. */
  readonly removed: readonly { readonly path: string; readonly bytes: number }[];
  /** Outdated paths that may still be used. */
  readonly held: readonly { readonly path: string }[];
};
