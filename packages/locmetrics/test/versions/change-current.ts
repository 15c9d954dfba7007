import {
  type CurrentFile,
  readCurrentFile,
  replaceCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';

/** Replaces `current.json` without a lock, because no other process runs. */
export function changeCurrent(
  { current }: DataDirectory,
  change: (current: CurrentFile) => CurrentFile,
): Promise<void> {
  return replaceCurrentFile(current, change(readCurrentFile(current)));
}
