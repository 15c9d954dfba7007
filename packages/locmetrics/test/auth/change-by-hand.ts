import { DatabaseSync } from 'node:sqlite';
import { addRowChecksum } from '@locmetrics/server/auth/row-checksum';

/** Changes a control store, or a mirror of one, as an operator by hand does: its triggers write the checksums. */
export function changeByHand(path: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  addRowChecksum(database);
  // The rows of a mirror keep the checksums of PostgreSQL, so it is none for a moment.
  database.exec('BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM mirror; DELETE FROM mirror');
  change(database);
  database.exec('INSERT INTO mirror SELECT * FROM kept; COMMIT');
  database.close();
}
