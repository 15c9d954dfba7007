import { readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { listByLastCurrent } from './switch-versions.ts';
import { verifyVersion } from './verify-version.ts';
import type { LeasedVersion } from './version-lease.ts';

export type DamageFound = {
  readonly damaged: readonly (LeasedVersion & { readonly problem: string })[];
  /** How many versions were looked at, and how large they are. */
  readonly versions: number;
  readonly bytes: number;
};

/**
 * Checks the current version of each dataset; where it is damaged, those that were current before, until
 * one is whole.
 */
export async function findDamagedVersions(
  directory: DataDirectory,
  options: { readonly content: boolean },
): Promise<DamageFound> {
  const damaged: (LeasedVersion & { readonly problem: string })[] = [];
  let versions = 0;
  let bytes = 0;
  const { datasets } = readCurrentFile(directory.current);
  for (const [datasetName, dataset] of Object.entries(datasets)) {
    for (const version of listByLastCurrent(dataset)) {
      const verified = await verifyVersion(directory.version(datasetName, version), options);
      versions += 1;
      bytes += verified.bytes;
      if (verified.problem === undefined) break;
      damaged.push({ datasetName, version, problem: verified.problem });
    }
  }
  return { damaged, versions, bytes };
}
