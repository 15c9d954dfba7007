import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { isNoSpace } from './disk-full.ts';
import { unusableFile } from './unusable-file.ts';

const PRIVATE_MODE = 0o600;

/**
 * SQLite would create the file with the mode of the umask, so it is created before. The flag `x` also
 * ensures that an existing file is never opened here. Closing such a descriptor would drop the locks that
 * other connections of this process hold on the file (a POSIX rule; see
 * "How To Corrupt An SQLite Database File", section 2.2).
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_MODE));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (isNoSpace(error)) throw error;
    throw unusableFile(path, {
      problem: `cannot be created (${codeOf(error)})`,
      hint: 'Check that the data directory exists and can be written.',
      cause: error,
    });
  }
}

/** A file that was accessible to other users than its owner, and whether its mode was corrected. */
export type OpenToOthers = {
  readonly path: string;
  readonly mode: string;
  readonly isMended: boolean;
};

/** Removes the access of other users, for example after a copy; only the owner of a file can do that. */
export function correctMode(path: string): OpenToOthers | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || (stat.mode & 0o077) === 0) return undefined;
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0');
  try {
    chmodSync(path, PRIVATE_MODE);
    return { path, mode, isMended: true };
  } catch {
    return { path, mode, isMended: false };
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
