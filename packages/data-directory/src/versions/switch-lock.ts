import { DataDirectoryError } from '../files/data-directory-error.ts';
import { takeProcessLock } from '../files/process-lock.ts';
import type { DataDirectory } from './data-directory.ts';

/** Switches take milliseconds; a lock held for longer belongs to a stuck process. */
const SWITCH_WAIT_MS = 30_000;

/** Another process is switching versions. */
export class SwitchLockedError extends DataDirectoryError {
  constructor({ root }: DataDirectory, waitedMs: number) {
    super(
      `Another process has been switching versions in ${root} for ${waitedMs / 1000} s.`,
      'Look for a locmetrics command that hangs, and end it.',
    );
  }
}

/** Runs work while no other process can replace `current.json`. */
export async function whileNoneSwitches<Result>(
  directory: DataDirectory,
  work: () => Promise<Result>,
  /** How long it blocks the event loop while another process switches. */
  waitMs = SWITCH_WAIT_MS,
): Promise<Result> {
  const lock = takeProcessLock(directory.switchLock, waitMs);
  if (lock === undefined) throw new SwitchLockedError(directory, waitMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
