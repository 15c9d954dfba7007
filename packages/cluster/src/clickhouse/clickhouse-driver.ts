import type { Value } from '@locmetrics/core/domain/value';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { SqlStatement } from '@locmetrics/core/sql/sql-dialect';

/**
 * The functions of a ClickHouse that the engine and a publish need. Each function throws a `ClickhouseError` for what the database
 * refuses, and a `ServiceError` if it cannot be reached.
 */
export type ClickhouseDriver = {
  /**
   * Runs a statement with its parameters bound, and returns its rows. When the signal aborts it ends the work in the
   * database, and throws the reason of the signal.
   */
  readonly query: (
    statement: SqlStatement,
    options: { readonly settings: ClickhouseSettings; readonly signal: StopSignal },
  ) => Promise<readonly (readonly Value[])[]>;
  /** Inserts the rows of a Parquet file, whose columns have the names of those of the table. */
  readonly insertFile: (
    target: { readonly table: string; readonly columns: readonly string[] },
    path: string,
    options: { readonly settings: ClickhouseSettings; readonly signal?: AbortSignal | undefined },
  ) => Promise<void>;
  /** Runs a query without parameters, and writes its rows into a new Parquet file. */
  readonly writeFile: (
    text: string,
    path: string,
    options: { readonly settings: ClickhouseSettings; readonly signal?: AbortSignal | undefined },
  ) => Promise<void>;
  /** Runs a statement without parameters and without an answer. */
  readonly command: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Settings of ClickHouse for one statement. */
export type ClickhouseSettings = Readonly<Record<string, number | string>>;

/** A statement that the database refused. */
export class ClickhouseError extends Error {
  /** The number that ClickHouse gives to the kind of error. */
  readonly code: number;

  constructor(code: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ClickhouseError';
    this.code = code;
  }
}
