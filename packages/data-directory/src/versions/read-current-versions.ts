import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { type ReadOptions, readVersion } from './read-version.ts';
import { listByLastCurrent } from './switch-versions.ts';

/**
 * The current version of each dataset. A damaged version is replaced by the previous one; a dataset
 * without an intact version is left out.
 */
export function readCurrentVersions(
  directory: DataDirectory,
  options: ReadOptions = {},
): readonly DatasetVersion[] {
  const { datasets } = readCurrentFile(directory.current);
  return Object.entries(datasets).flatMap(([name, dataset]) => {
    for (const version of listByLastCurrent(dataset)) {
      const read = readVersion(directory.version(name, version), options);
      if (read.version !== undefined) return read.version;
    }
    return [];
  });
}
