import { join } from 'node:path';
import { syncFile } from '@locmetrics/data-directory/files/durable-file';
import {
  type FileSummary,
  summarizeFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';

/** Syncs the written files to the disk, and summarizes them. */
export async function sealFiles(
  folder: string,
  names: readonly string[],
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<VersionFile['files']> {
  const files: Record<string, FileSummary> = {};
  for (const name of names) {
    const path = join(folder, name);
    await syncFile(path);
    files[name] = await summarizeFile(path, { signal });
  }
  return files;
}
