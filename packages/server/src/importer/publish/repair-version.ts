import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openKeptVersion } from '../../storage/duckdb/publish/open-kept-version.ts';
import { VERSION_FILE } from '../../versions/data-directory.ts';
import { replaceDurably, syncDirectory } from '../../versions/durable-file.ts';
import { sealedText } from '../../versions/sealed-json.ts';
import { readVersionFile } from '../../versions/version-file.ts';
import type { LeasedVersion } from '../../versions/version-lease.ts';
import type { ImportingOptions } from './prepare-version.ts';
import { sealFiles } from './seal-files.ts';

/**
 * Makes the derived files of a version again from its column file, which must be whole. A service and a publish
 * may run meanwhile: only files that belong to this version alone are replaced.
 */
export async function repairVersion(
  { datasetName, version }: LeasedVersion,
  options: Pick<
    ImportingOptions,
    'directory' | 'writers' | 'memoryLimitBytes' | 'threads' | 'signal'
  > & { readonly onFraction?: (fraction: number) => void },
): Promise<void> {
  const { directory, writers, signal } = options;
  const folder = directory.version(datasetName, version);
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const workspace = await mkdtemp(join(directory.temporary, `repair-${process.pid}-`));
  try {
    const file = readVersionFile(folder);
    if (file === undefined) throw new Error(`${folder} has no ${VERSION_FILE}.`);
    const { dataset } = file.version;
    const connection = await openKeptVersion(folder, {
      ...options,
      temporaryDirectory: join(workspace, 'spills'),
      signal,
    });
    const derived = writers.filter(({ isDerived }) => isDerived);
    try {
      for (const writer of derived) await writer.write({ connection, dataset, folder: workspace });
    } finally {
      connection.close();
    }
    const names = derived.flatMap(({ files }) => files);
    const sealed = await sealFiles(workspace, names, { signal });
    for (const name of names) await rename(join(workspace, name), join(folder, name));
    await syncDirectory(folder);
    // Between these two the checksums differ: the files are not used then.
    const path = join(folder, VERSION_FILE);
    await replaceDurably(path, sealedText({ ...file, derived: sealed }));
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
