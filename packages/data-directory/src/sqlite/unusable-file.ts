import { ControlError } from '@locmetrics/core/errors/control-error';

/** The error for an SQLite file whose content is not as it was written. */
export function damagedFile(path: string, cause?: unknown): ControlError {
  return unusableFile(path, {
    problem: 'is damaged',
    hint: 'Restore it from a backup: see docs/how-to/back-up-and-restore.md.',
    cause,
  });
}

/** The error for an SQLite file that cannot be used; `problem` continues the sentence: `is damaged`. */
export function unusableFile(
  path: string,
  {
    problem,
    hint,
    cause,
  }: { readonly problem: string; readonly hint: string; readonly cause?: unknown },
): ControlError {
  return new ControlError(`${path} ${problem}.`, hint, {
    reason: 'CONTROL_STORE_UNUSABLE',
    // Callers never see a path.
    forCallers: {
      message: `The control store cannot be used: its file ${problem}.`,
      hint: 'Try again after a second. If the error persists, report it to the operator of the service.',
    },
    cause,
  });
}
