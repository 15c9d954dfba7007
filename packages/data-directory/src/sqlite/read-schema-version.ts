import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { readInteger } from './sqlite-row.ts';

/**
 * The schema number of an SQLite file, without changing anything beside it; undefined where there is no such file. It is
 * in the header of the file, unless a process has written it to the log and not yet to the file.
 */
export function readSchemaVersion(path: string): number | undefined {
  if (hasLog(path)) return readThroughLog(path);
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const descriptor = openSync(path, 'r');
    try {
      if (readSync(descriptor, header) < HEADER_BYTES) return undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Whatever needs the file says why it cannot be read.
    return undefined;
  }
  return header.toString('latin1', 0, 15) === 'SQLite format 3'
    ? header.readUInt32BE(USER_VERSION_OFFSET)
    : undefined;
}

/** See "The Database Header" in the description of SQLite's file format. */
const HEADER_BYTES = 100;
const USER_VERSION_OFFSET = 60;

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function readThroughLog(path: string): number | undefined {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const row = database.prepare('SELECT user_version AS version FROM pragma_user_version').get();
      return row === undefined ? undefined : readInteger(row, 'version');
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}
