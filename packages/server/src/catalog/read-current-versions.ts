import type { DatasetVersion } from '../domain/dataset.ts';
import { readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { readVersionFile } from './version-file.ts';

/** The current version of each dataset; one whose folder is missing is left out. */
export function readCurrentVersions(directory: DataDirectory): readonly DatasetVersion[] {
  const { datasets } = readCurrentFile(directory.current);
  return Object.entries(datasets).flatMap(
    ([name, { version }]) => readVersionFile(directory.version(name, version))?.version ?? [],
  );
}
