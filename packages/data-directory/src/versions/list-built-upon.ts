import { DataDirectoryError } from '../files/data-directory-error.ts';
import type { CurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { readVersionFile } from './version-file.ts';

/** The kept versions that contain rows of another one, because they were built upon it. */
export function listBuiltUpon(
  directory: DataDirectory,
  { datasets }: CurrentFile,
  datasetName: string,
  version: string,
): readonly string[] {
  const built = new Set([version]);
  // The kept versions are in publish order, so each comes after the version that it was built upon.
  for (const one of datasets[datasetName]?.kept ?? []) {
    const base = readBase(directory.version(datasetName, one));
    if (base !== undefined && built.has(base)) built.add(one);
  }
  built.delete(version);
  return [...built];
}

function readBase(folder: string): string | undefined {
  try {
    return readVersionFile(folder)?.base?.version;
  } catch (error) {
    if (error instanceof DataDirectoryError) return undefined;
    throw error;
  }
}
