import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { NewerFormatError } from '../files/parse-format.ts';
import { type CurrentFile, readCurrentFile, replaceCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { whileNoneSwitches } from './switch-lock.ts';
import { readIfPresent } from './version-file.ts';

/** Why `current.json` cannot be read. */
export type Unreadable = {
  /** A whole sentence. */
  readonly problem: string;
  /** Its content; undefined if it is missing. */
  readonly text: string | undefined;
};

/** Undefined if it can be read; throws if a newer release wrote it, because that is no damage. */
export function findUnreadable(directory: DataDirectory): Unreadable | undefined {
  try {
    readCurrentFile(directory.current);
    return undefined;
  } catch (error) {
    if (!(error instanceof DataDirectoryError) || error instanceof NewerFormatError) throw error;
    return { problem: error.message, text: readIfPresent(directory.current) };
  }
}

/** Replaces it by a rebuilt file; returns the new name of a damaged file, which is kept. */
export async function replaceUnreadable(
  directory: DataDirectory,
  file: CurrentFile,
  now: number,
): Promise<string | undefined> {
  return whileNoneSwitches(directory, async () => {
    const unreadable = findUnreadable(directory);
    if (unreadable === undefined) {
      throw new DataDirectoryError(
        `${directory.current} was restored in the meantime, so it was not replaced.`,
        'List the current versions: locmetrics versions',
      );
    }
    const name = `current.damaged-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}.json`;
    const isThere = unreadable.text !== undefined;
    if (isThere) await copyFile(directory.current, join(directory.root, name));
    await replaceCurrentFile(directory.current, file);
    // The versions of a killed publish are kept like the others, and are no longer garbage.
    await rm(directory.switchIntention, { force: true });
    return isThere ? name : undefined;
  });
}
