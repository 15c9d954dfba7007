import { ExpectedError } from '@locmetrics/core/errors/expected-error';
import { DatabaseError } from 'pg';

/** An error of the PostgreSQL that several nodes share. */
export class PostgresError extends ExpectedError {
  override readonly name = 'PostgresError';
  /**
   * - `away`: it cannot be reached, or has ended the connection; the same call may succeed later.
   * - `unsure`: the connection was lost during a commit, so it is not known whether that was made.
   * - `refused`: it refused the statement.
   */
  readonly kind: 'away' | 'unsure' | 'refused';

  constructor(kind: PostgresError['kind'], message: string, hint: string, cause?: unknown) {
    super(message, hint, { cause });
    this.kind = kind;
  }
}

export function isAway(error: unknown): boolean {
  return error instanceof PostgresError && error.kind !== 'refused';
}

/** Explains an error of the library. `address` is without a password. */
export function toPostgresError(error: unknown, address: string): PostgresError {
  if (error instanceof PostgresError) return error;
  const reason = error instanceof Error ? reasonOf(error) : String(error);
  if (isRefusal(error)) {
    return new PostgresError(
      'refused',
      `PostgreSQL at ${address} refused: ${reason}`,
      HINTS[error.code ?? ''] ?? 'Check the log of PostgreSQL.',
      error,
    );
  }
  return new PostgresError(
    'away',
    `PostgreSQL at ${address} cannot be reached: ${reason}`,
    'Check that it runs and accepts connections from this machine, and the address in --control.',
    error,
  );
}

/** The answers of a database that is there. Classes 08 and 57P, and too many connections, are not its last word. */
function isRefusal(error: unknown): error is DatabaseError {
  if (!(error instanceof DatabaseError)) return false;
  const code = error.code ?? '';
  return !code.startsWith('08') && !code.startsWith('57P') && code !== '53300';
}

/** Of several addresses of a host each has its own error. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors
      .map((one: unknown) => (one instanceof Error ? one.message : one))
      .join('; ');
  }
  return TIMEOUTS.has(error.message) ? 'it did not answer in time' : error.message;
}

/** The messages of the library and of its pool, which have no code. */
const TIMEOUTS: ReadonlySet<string> = new Set([
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

const HINTS: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and the password in --control.',
  '28000': 'Check the user in --control, and what pg_hba.conf allows.',
  '3D000': 'Create the database, or name another one in --control.',
  '42501': 'Make the user the owner of the database, or of the schema locmetrics in it.',
  '53100': 'Free space on the disk of PostgreSQL.',
};
