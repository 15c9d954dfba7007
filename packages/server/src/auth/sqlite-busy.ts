import { ControlError } from './control-error.ts';

const SQLITE_BUSY = 5;

/** Whether another process held the lock for longer than this connection waits. */
export function isSqliteBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** The primary result code of an error of node:sqlite, which reports extended ones (byte 0). */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
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
