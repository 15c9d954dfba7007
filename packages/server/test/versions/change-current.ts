import {
  type CurrentFile,
  readCurrentFile,
  replaceCurrentFile,
} from '../../src/versions/current-file.ts';
import type { DataDirectory } from '../../src/versions/data-directory.ts';

/** Replaces `current.json` without a lock, because no other process runs. */
export function changeCurrent(
  { current }: DataDirectory,
  change: (current: CurrentFile) => CurrentFile,
): Promise<void> {
  return replaceCurrentFile(current, change(readCurrentFile(current)));
}
