import { readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { verifyVersion } from './verify-version.ts';
import type { LeasedVersion } from './version-lease.ts';

export type DamageFound = {
  readonly damaged: readonly (LeasedVersion & { readonly problem: string })[];
  /** The number and size of the checked versions. */
  readonly versions: number;
  readonly bytes: number;
};

/** Checks the current versions. If one is damaged, checks the kept ones that could be served instead. */
export async function findDamagedVersions(
  directory: DataDirectory,
  options: { readonly content: boolean },
): Promise<DamageFound> {
  const damaged: (LeasedVersion & { readonly problem: string })[] = [];
  let versions = 0;
  let bytes = 0;
  const verify = async (datasetName: string, version: string): Promise<void> => {
    const verified = await verifyVersion(directory.version(datasetName, version), options);
    versions += 1;
    bytes += verified.bytes;
    const { problem } = verified;
    if (problem !== undefined) damaged.push({ datasetName, version, problem });
  };
  const datasets = Object.entries(readCurrentFile(directory.current).datasets);
  for (const [datasetName, { version }] of datasets) await verify(datasetName, version);
  if (damaged.length === 0) return { damaged, versions, bytes };
  for (const [datasetName, { version, kept }] of datasets) {
    for (const other of kept) if (other !== version) await verify(datasetName, other);
  }
  return { damaged, versions, bytes };
}
