import { ControlError } from '@locmetrics/core/errors/control-error';
import { diskFull, isDiskFull } from './disk-full.ts';
import { sqliteCode } from './sqlite-code.ts';
import { StoredValueError } from './sqlite-row.ts';
import { damagedFile } from './unusable-file.ts';

/** Runs an operation on an SQLite file; converts expected errors to a ControlError with a message. */
export type Explain = <Result>(operation: () => Result) => Result;

export function explainSqlite(path: string, name: string): Explain {
  return (operation) => {
    try {
      return operation();
    } catch (error) {
      if (isSqliteBusy(error)) throw locked(name, error);
      if (isDiskFull(error, path)) throw diskFull(path, error);
      throw isDamage(error) ? damagedFile(path, error) : error;
    }
  };
}

/** All functions of an object, each of which explains the errors of its file. */
export function explainEach<Functions extends object>(
  functions: Functions,
  explain: Explain,
): Functions {
  const explained = Object.entries(functions).map(([name, run]) => [
    name,
    typeof run === 'function' ? (...given: unknown[]) => explain(() => run(...given)) : run,
  ]);
  // Each member has the parameters and the result that it had before.
  return Object.fromEntries(explained) as Functions;
}

const SQLITE_BUSY = 5;

/**
 * Unreadable pages, a file that is not a database any more, records of a wrong form, failed reads of the disk, and a schema
 * that is not the one of the version of the file.
 */
const DAMAGE_CODES: ReadonlySet<number | undefined> = new Set([1, 10, 11, 24, 26]);

/** Whether the content of the file is not as it was written. */
function isDamage(error: unknown): boolean {
  if (error instanceof StoredValueError || DAMAGE_CODES.has(sqliteCode(error))) return true;
  // A number that no column can have, because it does not fit into one of JavaScript.
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

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
