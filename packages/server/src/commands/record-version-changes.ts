import { existsSync } from 'node:fs';
import type { VersionChange } from '../auth/version-changes.ts';
import type { Output } from '../cli/output.ts';
import type { DataDirectory } from '../versions/data-directory.ts';
import { withStoreOf } from './open-data.ts';

/** Writes switches into the audit log, if the data directory has one. They are done, whether this works or not. */
export function recordVersionChanges(
  directory: DataDirectory,
  changes: readonly VersionChange[],
  output: Output,
): void {
  // Before the first organisation there is no store, and a publish does not create one.
  if (changes.length === 0 || !existsSync(directory.control)) return;
  try {
    withStoreOf(directory, (store) => store.recordVersionChanges(changes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.messages(
      `The audit log could not be written: ${reason}\nThe switch is done, and is in the history: locmetrics versions\n`,
    );
  }
}
