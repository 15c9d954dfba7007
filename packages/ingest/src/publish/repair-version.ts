import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openKeptVersion } from '@locmetrics/column-store/publish/open-kept-version';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { replaceDurably, syncDirectory } from '@locmetrics/data-directory/files/durable-file';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { VERSION_FILE } from '@locmetrics/data-directory/versions/data-directory';
import { removeOwnDerived } from '@locmetrics/data-directory/versions/own-derived';
import {
  readVersionFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
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
