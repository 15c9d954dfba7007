import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { syncDirectory } from '@locmetrics/data-directory/files/durable-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { writeOwnDerived } from '@locmetrics/data-directory/versions/own-derived';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import { deriveFiles } from '@locmetrics/ingest/publish/repair-version';
import { toDatabaseError } from '../compose/clickhouse-error.ts';
import { openConfiguredClickhouse } from '../compose/configured-clickhouse.ts';
import { restoreColumns } from '../compose/restore-columns.ts';
import { VERSION_WRITERS } from '../compose/version-writers.ts';
import type { Config } from '../config/settings.ts';

/**
 * Makes the row file of a version from its table in ClickHouse, by way of a column file whose values are all compared with
 * the table. Returns its size. A service may use the version meanwhile, and `version.json` stays as it is.
 */
export async function makeRowFile(
  { datasetName, version }: LeasedVersion,
  { config, directory }: { readonly config: Config; readonly directory: DataDirectory },
): Promise<number> {
  const folder = directory.version(datasetName, version);
  const file = readVersionFile(folder);
  const clickhouse = await openConfiguredClickhouse(config, directory);
  if (file === undefined || clickhouse === undefined) throw new Error('There is nothing to copy.');
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const workspace = await mkdtemp(join(directory.temporary, `repair-${process.pid}-`));
  try {
    await restoreColumns({ datasetName, version }, { config, clickhouse, file, folder: workspace });
    const derived = await deriveFiles(file.version.dataset, {
      folder: workspace,
      workspace,
      writers: VERSION_WRITERS,
      memoryLimitBytes: config.publishMemoryBytes,
      threads: config.threads,
    });
    // Before the files are in their places: absent files are allowed, and other ones than described are not used.
    if (!isDeepStrictEqual(derived, file.derived)) await writeOwnDerived(folder, derived);
    for (const name of Object.keys(derived))
      await rename(join(workspace, name), join(folder, name));
    await syncDirectory(folder);
    return Object.values(derived).reduce((sum, { bytes }) => sum + bytes, 0);
  } catch (error) {
    throw toDatabaseError(error, clickhouse.database.name);
  } finally {
    await clickhouse.database.close();
    await rm(workspace, { recursive: true, force: true });
  }
}
