import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs the work in one transaction that takes the write lock immediately. A transaction that first reads
 * and writes later would fail without waiting if another process wrote in between.
 */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite itself rolls back after some errors (a full disk, for one); a second ROLLBACK would
    // then hide the first error behind its own.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
