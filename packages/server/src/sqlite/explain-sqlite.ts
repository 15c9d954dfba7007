import { ControlError } from '../domain/control-error.ts';
import { diskFull, isDiskFull } from './disk-full.ts';
import { sqliteCode } from './sqlite-code.ts';

/** Runs an operation on an SQLite file; converts expected errors to a ControlError with a message. */
export type Explain = <Result>(operation: () => Result) => Result;

export function explainSqlite(path: string, name: string): Explain {
  return (operation) => {
    try {
      return operation();
    } catch (error) {
      if (isSqliteBusy(error)) throw locked(name, error);
      throw isDiskFull(error, path) ? diskFull(path, error) : error;
    }
  };
}

const SQLITE_BUSY = 5;

/** Whether another process held the lock for longer than the timeout of this connection. */
export function isSqliteBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

function locked(name: string, cause: unknown): ControlError {
  return new ControlError(
    `The ${name} is locked by another process.`,
    'Try again. If it stays locked, look for a process with a long-running transaction on the file.',
    { reason: 'CONTROL_STORE_LOCKED', cause },
  );
}
