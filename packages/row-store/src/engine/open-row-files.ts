import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { ROW_FILE } from '../row-file.ts';
import { openRowFile, type RowFile } from './open-row-file.ts';

/**
 * The open row files of the process. A file is opened when a plan first needs it. It is closed after a time
 * without use, or when it was removed: until then its bytes stay on the disk.
 */
export type RowFiles = {
  /** Undefined for a version without a row file that can be used. */
  readonly find: FindRowFile;
  /** The file failed while it was read: it is used no more. */
  readonly leaveOut: (version: ReadableVersion, error: unknown) => void;
  readonly close: () => void;
};

export type FindRowFile = (version: ReadableVersion) => RowFile | undefined;

type Opened = {
  readonly file: RowFile | undefined;
  readonly openedMs: number;
  /** The file that failed: it would fail again, so only another one in its place is opened. */
  readonly failed?: string;
  lastUsedMs: number;
  isClosed: boolean;
};

const IDLE_MS = 10 * 60_000;
/** A file that was not there can have been made meanwhile. */
const LOOK_AGAIN_MS = 30_000;
const SWEEP_INTERVAL_MS = 10_000;

export function openRowFiles(options: {
  /** The folder of a version. */
  readonly directoryOf: (version: ReadableVersion) => string;
  /** Whether the file is known to be as it was written. Asked until it is true. */
  readonly isChecked: (version: ReadableVersion) => boolean;
  /** A file that is there cannot be used. */
  readonly onLeftOut: (version: ReadableVersion, error: unknown) => void;
}): RowFiles {
  const { directoryOf, isChecked, onLeftOut } = options;
  const opened = new Map<string, Opened>();
  /** Finds them without the path of the folder, which takes longer than a read of the file. */
  const ofVersion = new WeakMap<ReadableVersion, Opened>();
  const keep = (
    directory: string,
    file: RowFile | undefined,
    { hasFailed = false } = {},
  ): RowFile | undefined => {
    const openedMs = performance.now();
    const failed = hasFailed ? { failed: stampOf(directory) } : {};
    opened.set(directory, { file, openedMs, lastUsedMs: openedMs, isClosed: false, ...failed });
    return file;
  };
  const end = (one: Opened): void => {
    one.isClosed = true;
    one.file?.close();
  };
  const open = (version: ReadableVersion, directory: string): RowFile | undefined => {
    const path = join(directory, ROW_FILE);
    // Without a folder nothing is kept: the name of the version can be that of a later backup.
    if (!existsSync(path)) return existsSync(directory) ? keep(directory, undefined) : undefined;
    if (!isChecked(version)) return undefined;
    try {
      return keep(directory, openRowFile(path));
    } catch (error) {
      onLeftOut(version, error);
      return keep(directory, undefined, { hasFailed: true });
    }
  };
  const sweep = setInterval(() => {
    for (const [directory, one] of opened) {
      if (!isOld(one, directory) && existsSync(directory)) continue;
      opened.delete(directory);
      end(one);
    }
  }, SWEEP_INTERVAL_MS);
  sweep.unref();
  return {
    find: (version) => {
      const known = ofVersion.get(version);
      if (known?.isClosed === false) {
        known.lastUsedMs = performance.now();
        return known.file;
      }
      const directory = directoryOf(version);
      const one = opened.get(directory);
      if (one === undefined) return open(version, directory);
      ofVersion.set(version, one);
      one.lastUsedMs = performance.now();
      return one.file;
    },
    leaveOut: (version, error) => {
      const directory = directoryOf(version);
      const one = opened.get(directory);
      if (one !== undefined) end(one);
      keep(directory, undefined, { hasFailed: true });
      onLeftOut(version, error);
    },
    close: () => {
      clearInterval(sweep);
      for (const one of opened.values()) end(one);
      opened.clear();
    },
  };
}

/** Whether the file is closed, or looked for again, when it is next needed. */
function isOld({ file, failed, openedMs, lastUsedMs }: Opened, directory: string): boolean {
  if (failed !== undefined) return stampOf(directory) !== failed;
  const now = performance.now();
  return file === undefined ? now - openedMs > LOOK_AGAIN_MS : now - lastUsedMs > IDLE_MS;
}

/** Changes when the row file of a folder is replaced. */
function stampOf(directory: string): string {
  const found = statSync(join(directory, ROW_FILE), { throwIfNoEntry: false });
  return `${found?.ino} ${found?.mtimeMs}`;
}
