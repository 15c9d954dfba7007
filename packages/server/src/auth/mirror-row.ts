import type { DatabaseSync } from 'node:sqlite';
import { readInteger, readText } from '@locmetrics/data-directory/sqlite/sqlite-row';
import { unusableFile } from '@locmetrics/data-directory/sqlite/unusable-file';

/** Of what a file is the mirror, and how far it has followed that. */
export type MirrorRow = {
  /** The id of the shared store, and the number of its last change that is in the file. */
  readonly storeId: string;
  readonly number: number;
  /** The address of its database, without user and password. */
  readonly address: string;
  /** When the mirror was last known to be up to date, in ms since 1970, some seconds less exact than that. */
  readonly looked: number;
};

/** Undefined for a control store of its own. */
export function readMirrorRow(database: DatabaseSync): MirrorRow | undefined {
  const row = database.prepare('SELECT store, number, address, looked FROM mirror').get();
  return row === undefined
    ? undefined
    : {
        storeId: readText(row, 'store'),
        number: readInteger(row, 'number'),
        address: readText(row, 'address'),
        looked: readInteger(row, 'looked'),
      };
}

/** Throws a ControlError for a mirror: changes in it alone would reach no other node. */
export function expectNoMirror(database: DatabaseSync, path: string): void {
  const mirror = readMirrorRow(database);
  if (mirror === undefined) return;
  throw unusableFile(path, {
    problem: `is a mirror of the control store in PostgreSQL at ${mirror.address}`,
    hint: 'Give the URL of that database with --control; or copy it into a separate control store: locmetrics control copy --from URL.',
  });
}
