import { isVersionName } from '@locmetrics/core/domain/version-name';
import { syncDirectory, writeDurably } from '../files/durable-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { readIfPresent } from './version-file.ts';
import type { LeasedVersion } from './version-lease.ts';

/**
 * Records the versions that a publish is about to switch to, before their folders are renamed. If the
 * publish is killed then, the record identifies the useless folders. It is only read and written under the
 * switch lock, and removed by garbage collection.
 */
export async function writeIntention(
  directory: DataDirectory,
  versions: readonly LeasedVersion[],
): Promise<void> {
  const all = [...readIntention(directory), ...versions];
  await writeDurably(directory.switchIntention, `${JSON.stringify({ versions: all })}\n`);
  await syncDirectory(directory.root);
}

export function readIntention(directory: DataDirectory): readonly LeasedVersion[] {
  const text = readIfPresent(directory.switchIntention);
  if (text === undefined) return [];
  try {
    const { versions }: { readonly versions?: unknown } = Object(JSON.parse(text));
    return Array.isArray(versions) ? versions.filter(isNamedVersion) : [];
  } catch {
    // The publish was killed during the write, before any folder was renamed.
    return [];
  }
}

/** The named folders are removed, so only names of versions are accepted. */
function isNamedVersion(value: unknown): value is LeasedVersion {
  return (
    typeof value === 'object' &&
    value !== null &&
    'datasetName' in value &&
    typeof value.datasetName === 'string' &&
    /^[a-z0-9_]+\.[a-z0-9_]+$/.test(value.datasetName) &&
    'version' in value &&
    typeof value.version === 'string' &&
    isVersionName(value.version)
  );
}
