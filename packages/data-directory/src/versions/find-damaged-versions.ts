import { readCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { verifyVersion } from './verify-version.ts';
import { findTableProblem, type VersionDatabase } from './version-database.ts';
import { readVersionFile } from './version-file.ts';
import type { LeasedVersion } from './version-lease.ts';

export type DamageFound = {
  readonly damaged: readonly (LeasedVersion & { readonly problem: string })[];
  /** The number and size of the checked versions. */
  readonly versions: number;
  readonly bytes: number;
};

/**
 * Checks the current versions, and their tables if a database answers. If one is damaged, checks the kept ones that could
 * be served instead.
 */
export async function findDamagedVersions(
  directory: DataDirectory,
  {
    content,
    database,
  }: { readonly content: boolean; readonly database?: VersionDatabase | undefined },
): Promise<DamageFound> {
  const tables = await database?.list();
  const damaged: (LeasedVersion & { readonly problem: string })[] = [];
  let versions = 0;
  let bytes = 0;
  const problemOfTable = (datasetName: string, version: string, folder: string) => {
    if (database === undefined || tables === undefined) return undefined;
    const rowCount = readVersionFile(folder)?.version.rowCount;
    return findTableProblem(tables, { datasetName, version, rowCount }, database);
  };
  const verify = async (datasetName: string, version: string): Promise<void> => {
    const folder = directory.version(datasetName, version);
    const verified = await verifyVersion(folder, { content, isInDatabase: tables !== undefined });
    versions += 1;
    bytes += verified.bytes;
    const problem = verified.problem ?? problemOfTable(datasetName, version, folder);
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
