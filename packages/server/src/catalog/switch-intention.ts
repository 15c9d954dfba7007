import { isVersionName } from '../domain/version-name.ts';
import type { DataDirectory } from './data-directory.ts';
import { syncDirectory, writeDurably } from './durable-file.ts';
import { readIfPresent } from './version-file.ts';
import type { LeasedVersion } from './version-lease.ts';

/**
 * What a publish is about to switch to, written before its folders get their names: if it is killed
 * then, it is known which of them are of no use. Read and written by who has the switch lock, and
 * removed with the garbage.
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
    // Killed while it was written, when nothing had its name yet.
    return [];
  }
}

/** What is read here is removed, so nothing but a version may be named. */
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
