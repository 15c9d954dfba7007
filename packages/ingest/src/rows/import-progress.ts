/** The progress of an import: `fetching` those at addresses, `reading` the files, `checking` the rows, `writing` the records, `loading` them into a database; and `waiting` for a store that nodes share, at the switch. */
export type ImportProgress = {
  readonly stage:
    | 'fetching'
    | 'reading'
    | 'checking'
    | 'writing'
    | 'loading'
    | 'waiting for PostgreSQL';
  /** The current file. */
  readonly file?: string;
  /** From 0 to 1 within the stage, or within the file while reading; absent if not known. */
  readonly fraction?: number;
  /** Rows read so far, without those of the current file. */
  readonly rows: number;
};
