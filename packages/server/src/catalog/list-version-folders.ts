import { readdirSync } from 'node:fs';
import { isVersionName } from '../domain/version-name.ts';
import type { DataDirectory } from './data-directory.ts';
import type { LeasedVersion } from './version-lease.ts';

/** The versions that have a folder, whatever is in it and whether or not they were ever current. */
export function listVersionFolders(directory: DataDirectory): readonly LeasedVersion[] {
  return listFolders(directory.versions).flatMap((datasetName) =>
    listFolders(directory.datasetVersions(datasetName))
      .filter(isVersionName)
      .map((version) => ({ datasetName, version })),
  );
}

/** In the order of their names. */
function listFolders(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
