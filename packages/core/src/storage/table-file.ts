import type { TypedColumn, VisitRecord } from '../domain/value-visitor.ts';
import type { StopSignal } from '../runtime/stop.ts';

/** A Parquet file to write. */
export type NewTableFile = {
  /** Files with this path and another end are made beside it, and removed. The folder exists. */
  readonly path: string;
  readonly columns: readonly TypedColumn[];
  /** Facts about the table, by name: the key-value metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Stops the writing. Absent: only `abort` does. */
  readonly signal?: StopSignal;
};

/**
 * A table that is written to a Parquet file, row by row. Text is written as a string, an integer as INT64, a float as
 * DOUBLE, a date as DATE and a boolean as BOOLEAN; absent values are null. The memory that it needs does not grow with
 * the rows, and the event loop is blocked for about a millisecond at a time. Calls wait for the one before.
 *
 * If a call rejects, because the disk is full or the signal aborts, nothing is left of the file.
 */
export type TableFile = {
  /** Adds rows after those that were added before. The visits take place before this resolves. */
  readonly add: (rows: { readonly size: number; readonly visit: VisitRecord }) => Promise<void>;
  /** Writes the file. Nothing can be added afterwards. */
  readonly finish: () => Promise<void>;
  /** Removes what was written, and stops the call that runs. After `finish` it does nothing. */
  readonly abort: () => Promise<void>;
};

export type OpenTableFile = (file: NewTableFile) => Promise<TableFile>;

export type TableFiles = {
  readonly open: OpenTableFile;
  /** For files that are removed once they were sent, at the latest with the process. It may not exist yet. */
  readonly folder: string;
};
