import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './private-file.ts';

/**
 * Copies the current content of a database to another file, which is complete without a write-ahead log.
 * Writers of the database do not wait for the copy.
 */
export function copyDatabase(database: DatabaseSync, target: string): void {
  const draft = `${target}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  // SQLite would create the file with the mode of the umask, so an empty file is created before.
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

/** Syncs a file, or the entries of a folder, to the disk. */
function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
