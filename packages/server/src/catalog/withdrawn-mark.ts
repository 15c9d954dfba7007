import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfPresent } from './version-file.ts';

const MARK = 'withdrawn';

/**
 * Says in the folder of a version that it was withdrawn, as long as it is not removed: should `current.json`
 * be lost meanwhile, the version is not made one that can be asked for again. The withdrawal itself counts
 * without it, so a full disk, or a folder that is gone, is no reason to fail.
 */
export function markWithdrawn(folder: string, time: string): void {
  try {
    writeFileSync(join(folder, MARK), `${time}\n`);
  } catch {
    // The folder is removed as soon as no request reads it.
  }
}

/** When the version in a folder was withdrawn (RFC 3339, UTC); undefined where it was not. */
export function readWithdrawnMark(folder: string): string | undefined {
  const path = join(folder, MARK);
  const text = readIfPresent(path)?.trim();
  if (text === undefined) return undefined;
  // One that was cut short still says that it was withdrawn.
  const time = Number.isNaN(Date.parse(text)) ? statSync(path).mtime : new Date(text);
  return time.toISOString();
}
