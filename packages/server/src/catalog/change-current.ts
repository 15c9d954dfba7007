import { type CurrentFile, readCurrentFile, replaceCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { DataDirectoryError } from './data-directory-error.ts';
import { takeProcessLock } from './process-lock.ts';

/** Switches take milliseconds; who waits longer waits for a process that stands still. */
const SWITCH_WAIT_MS = 30_000;

/**
 * Replaces `current.json` by what `change` makes of it, while no other process changes it; where that is
 * the same object, nothing is written. `then` is run before others may change it again.
 */
export async function changeCurrent(
  directory: DataDirectory,
  change: (current: CurrentFile) => CurrentFile | Promise<CurrentFile>,
  then?: (changed: CurrentFile) => Promise<void>,
): Promise<CurrentFile> {
  const lock = takeProcessLock(directory.switchLock, SWITCH_WAIT_MS);
  if (lock === undefined) {
    throw new DataDirectoryError(
      `Another process has been switching versions in ${directory.root} for ${SWITCH_WAIT_MS / 1000} s.`,
      'Look for a locmetrics command that stands still, and end it.',
    );
  }
  try {
    const current = readCurrentFile(directory.current);
    const changed = await change(current);
    if (changed !== current) await replaceCurrentFile(directory.current, changed);
    await then?.(changed);
    return changed;
  } finally {
    lock.release();
  }
}
