import { syncDirectory, writeDurably } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
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
    return (JSON.parse(text) as { readonly versions: readonly LeasedVersion[] }).versions;
  } catch {
    // Killed while it was written, when nothing had its name yet.
    return [];
  }
}
