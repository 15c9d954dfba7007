import type { DatabaseSync } from 'node:sqlite';

/** Leaves a gap in the numbers: every process then forgets all callers, and secrets, that it keeps. */
export function forgetCallers(database: DatabaseSync): void {
  database.exec(
    `DELETE FROM caller_change;
     INSERT INTO caller_change (token) VALUES ('');
     UPDATE caller_change SET number = number + 1;
     UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'caller_change';`,
  );
}
