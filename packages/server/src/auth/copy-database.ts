import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './private-file.ts';

/**
 * Writes what a database holds now to another file, which is whole without a log beside it. Who writes to the
 * database does not wait for it.
 */
export function copyDatabase(database: DatabaseSync, target: string): void {
  const draft = `${target}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  // SQLite would make it with the mode that the umask leaves; it takes an empty one.
  createPrivateFile(draft);
  try {
    database.prepare('VACUUM INTO ?').run(draft);
    sync(draft);
    renameSync(draft, target);
    sync(dirname(target));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
