import type { DatasetVersion } from '../domain/dataset.ts';
import { readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { readVersion } from './read-version.ts';
import { listByLastCurrent } from './switch-versions.ts';

/**
 * The current version of each dataset; where it is damaged, the one that was current before, and
 * none where no other is kept.
 */
export function readCurrentVersions(directory: DataDirectory): readonly DatasetVersion[] {
  const { datasets } = readCurrentFile(directory.current);
  return Object.entries(datasets).flatMap(([name, dataset]) => {
    for (const version of listByLastCurrent(dataset)) {
      const read = readVersion(directory.version(name, version));
      if (read.version !== undefined) return read.version;
    }
    return [];
  });
}
