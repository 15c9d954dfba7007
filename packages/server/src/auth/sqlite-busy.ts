import { sqliteCode } from '../domain/sqlite-code.ts';
import { ControlError } from './control-error.ts';

const SQLITE_BUSY = 5;

/** Whether another process held the lock for longer than this connection waits. */
export function isSqliteBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** Runs a management operation; a lock that was never released becomes an error that says so. */
export function explainBusy<Result>(operation: () => Result, what = 'control store'): Result {
  try {
    return operation();
  } catch (error) {
    if (!isSqliteBusy(error)) throw error;
    throw new ControlError(
      `The ${what} is locked by another process.`,
      'Try again; if it stays locked, look for a process that keeps the file open in a transaction.',
      { reason: 'CONTROL_STORE_LOCKED', cause: error },
    );
  }
}
