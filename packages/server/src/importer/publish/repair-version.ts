import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../../domain/dataset.ts';
import { openKeptVersion } from '../../storage/duckdb/publish/open-kept-version.ts';
import { VERSION_FILE } from '../../versions/data-directory.ts';
import { replaceDurably, syncDirectory } from '../../versions/durable-file.ts';
import { removeOwnDerived } from '../../versions/own-derived.ts';
import { sealedText } from '../../versions/sealed-json.ts';
import { readVersionFile, type VersionFile } from '../../versions/version-file.ts';
import type { LeasedVersion } from '../../versions/version-lease.ts';
import type { ImportingOptions } from './prepare-version.ts';
import { sealFiles } from './seal-files.ts';

type DerivingOptions = Pick<
  ImportingOptions,
  'writers' | 'memoryLimitBytes' | 'threads' | 'signal'
> & { readonly onFraction?: (fraction: number) => void };

/**
 * Makes the derived files of a version again from its column file, which must be whole. A service and a publish
 * may run meanwhile: only files that belong to this version alone are replaced.
 */
export async function repairVersion(
  { datasetName, version }: LeasedVersion,
  options: DerivingOptions & Pick<ImportingOptions, 'directory'>,
): Promise<void> {
  const { directory } = options;
  const folder = directory.version(datasetName, version);
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const workspace = await mkdtemp(join(directory.temporary, `repair-${process.pid}-`));
  try {
    const file = readVersionFile(folder);
    if (file === undefined) throw new Error(`${folder} has no ${VERSION_FILE}.`);
    const derived = await deriveFiles(file.version.dataset, { ...options, folder, workspace });
    for (const name of Object.keys(derived))
      await rename(join(workspace, name), join(folder, name));
    await syncDirectory(folder);
    // Between these two the checksums differ: the files are not used then.
    const path = join(folder, VERSION_FILE);
    await replaceDurably(path, sealedText({ ...file, derived }));
    await removeOwnDerived(folder);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

/** Writes the derived files of the column file in a folder into another folder. */
export async function deriveFiles(
  dataset: Dataset,
  {
    folder,
    workspace,
    writers,
    ...options
  }: DerivingOptions & { readonly folder: string; readonly workspace: string },
): Promise<VersionFile['files']> {
  const temporaryDirectory = join(workspace, 'spills');
  const { signal } = options;
  const connection = await openKeptVersion(folder, { ...options, temporaryDirectory, signal });
  const derived = writers.filter(({ isDerived }) => isDerived);
  try {
    for (const writer of derived) await writer.write({ connection, dataset, folder: workspace });
  } finally {
    await connection.close();
  }
  return sealFiles(
    workspace,
    derived.flatMap(({ files }) => files),
    options,
  );
}
