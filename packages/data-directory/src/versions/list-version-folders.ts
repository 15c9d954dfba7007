import { readdirSync } from 'node:fs';
import { isVersionName } from '@locmetrics/core/domain/version-name';
import type { DataDirectory } from './data-directory.ts';
import type { LeasedVersion } from './version-lease.ts';

/** All versions that have a folder, also damaged ones and ones that were never current. */
export function listVersionFolders(directory: DataDirectory): readonly LeasedVersion[] {
  return listFolders(directory.versions).flatMap((datasetName) =>
    listFolders(directory.datasetVersions(datasetName))
      .filter(isVersionName)
      .map((version) => ({ datasetName, version })),
  );
}

/** The folders, sorted by name. */
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
