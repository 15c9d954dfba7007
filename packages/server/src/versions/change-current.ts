import { type CurrentFile, readCurrentFile, replaceCurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { DataDirectoryError } from './data-directory-error.ts';
import { takeProcessLock } from './process-lock.ts';

/** Switches take milliseconds; a lock held for longer belongs to a stuck process. */
export const SWITCH_WAIT_MS = 30_000;

/** Another process is switching versions. */
export class SwitchLockedError extends DataDirectoryError {
  constructor({ root }: DataDirectory, waitedMs: number) {
    super(
      `Another process has been switching versions in ${root} for ${waitedMs / 1000} s.`,
      'Look for a locmetrics command that hangs, and end it.',
    );
  }
}

/**
 * Replaces `current.json` by the result of `change`, under the switch lock. If the result is the same
 * object, nothing is written. `afterwards` runs before the lock is released.
 */
export async function changeCurrent(
  directory: DataDirectory,
  change: (current: CurrentFile) => CurrentFile | Promise<CurrentFile>,
  {
    afterwards,
    waitMs = SWITCH_WAIT_MS,
  }: {
    readonly afterwards?: (changed: CurrentFile) => Promise<void>;
    readonly waitMs?: number;
  } = {},
): Promise<CurrentFile> {
  return whileNoneSwitches(directory, waitMs, async () => {
    const current = readCurrentFile(directory.current);
    const changed = await change(current);
    if (changed !== current) await replaceCurrentFile(directory.current, changed);
    await afterwards?.(changed);
    return changed;
  });
}

/** Runs work while no other process can replace `current.json`. */
export async function whileNoneSwitches<Result>(
  directory: DataDirectory,
  waitMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = takeProcessLock(directory.switchLock, waitMs);
  if (lock === undefined) throw new SwitchLockedError(directory, waitMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
