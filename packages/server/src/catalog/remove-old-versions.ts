import { readdir, rm } from 'node:fs/promises';
import type { CurrentDataset, CurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';

/** The last versions of a dataset are kept, and those that were current a short while ago. */
const KEPT_VERSIONS = 3;
const KEPT_MS = 60 * 60_000;

/**
 * Removes the versions that nobody can need any more. One that is open in a server stays readable
 * there until it lets go of the file; pages that come back later are told that they expired.
 */
export async function removeOldVersions(
  directory: DataDirectory,
  current: CurrentFile,
  now: Date,
): Promise<void> {
  for (const [name, dataset] of Object.entries(current.datasets)) {
    const kept = keptVersions(dataset, now);
    for (const version of await readdir(directory.datasetVersions(name))) {
      if (kept.has(version)) continue;
      await rm(directory.version(name, version), { recursive: true, force: true });
    }
  }
}

function keptVersions({ history }: CurrentDataset, now: Date): ReadonlySet<string> {
  const kept = new Set(history.slice(-KEPT_VERSIONS).map(({ version }) => version));
  for (const [index, { version }] of history.entries()) {
    const next = history[index + 1];
    // A version was current until the next one was; the last one still is.
    if (next === undefined || now.getTime() - Date.parse(next.since) < KEPT_MS) kept.add(version);
  }
  return kept;
}
