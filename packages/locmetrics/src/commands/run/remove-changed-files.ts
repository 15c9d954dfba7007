import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '@locmetrics/data-directory/files/durable-file';
import { readDerived } from '@locmetrics/data-directory/versions/own-derived';
import {
  type FileSummary,
  readVersionFile,
  summarizeFile,
} from '@locmetrics/data-directory/versions/version-file';
import { VERSION_WRITERS } from '../../compose/version-writers.ts';

/**
 * Removes those data files of a version that are not as they were published. Only for a version whose records are also in
 * a database: without the files it is answered from there. Returns their names.
 */
export async function removeChangedFiles(
  folder: string,
  {
    unusable,
    signal,
  }: {
    /** Names of files that are removed even if they are as published: of another release. */
    readonly unusable: readonly string[];
    readonly signal: AbortSignal | undefined;
  },
): Promise<readonly string[]> {
  const file = readVersionFile(folder);
  const published: Readonly<Record<string, FileSummary>> =
    file === undefined ? {} : { ...file.files, ...readDerived(folder, file) };
  const removed: string[] = [];
  for (const name of VERSION_WRITERS.flatMap((writer) => writer.files)) {
    const path = join(folder, name);
    // The engine would apply a log beside the file to it.
    const isWritten = existsSync(path) || existsSync(`${path}.wal`);
    const isUsable = !unusable.includes(name);
    if (!isWritten || (isUsable && (await isAsPublished(path, published[name], signal)))) continue;
    await rm(path, { force: true });
    await rm(`${path}.wal`, { force: true });
    removed.push(name);
  }
  if (removed.length > 0) await syncDirectory(folder);
  return removed;
}

async function isAsPublished(
  path: string,
  published: FileSummary | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (published === undefined || !existsSync(path) || existsSync(`${path}.wal`)) return false;
  const { bytes, sha256 } = await summarizeFile(path, { signal });
  return bytes === published.bytes && sha256 === published.sha256;
}
