import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { REPORT_FILE } from './data-directory.ts';
import { readVersionFile } from './version-file.ts';

/** A version, or the problem why it cannot be read, as a whole sentence. */
export type ReadVersion =
  | { readonly version: DatasetVersion }
  | { readonly version?: undefined; readonly problem: string };

export type ReadOptions = {
  /**
   * Whether its data files may be absent, because a database answers instead. Files that are there must be as they were
   * written all the same.
   */
  readonly isInDatabase?: boolean | undefined;
};

/** Reads the description of the version in a folder, and checks the sizes of its files. */
export function readVersion(
  directory: string,
  { isInDatabase = false }: ReadOptions = {},
): ReadVersion {
  try {
    const file = readVersionFile(directory);
    if (file === undefined) return { problem: `There is no ${directory}.` };
    for (const [name, { bytes }] of Object.entries(file.files)) {
      const path = join(directory, name);
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      if (size === undefined && isInDatabase && name !== REPORT_FILE) continue;
      if (size === undefined) return { problem: `There is no ${path}.` };
      if (size !== bytes) {
        return { problem: `${path} has ${size} bytes, but ${bytes} were written.` };
      }
    }
    return { version: file.version };
  } catch (error) {
    if (error instanceof DataDirectoryError) return { problem: error.message };
    throw error;
  }
}
