import type { Period } from '@locmetrics/core/dates/period';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { ImportConnection } from './import-connection.ts';

/**
 * Writes what an engine needs of a new version. An engine opens no other files of the version.
 *
 * A publish stages, checks and sorts the rows once, in DuckDB; then each writer writes the files of its engine. All
 * engines so have the same ordinals and folded texts. Serving, verifying, counting and removing versions use the list
 * of files in `version.json`; only an engine and its writer name the files. A publish that extends a version needs
 * only the column file, so it can extend one that was published before a writer was added.
 */
export type VersionWriter = {
  /** The names of its files in the folder of the version. */
  readonly files: readonly string[];
  /**
   * Whether its files can be made again from those of the column store. If they are lost, the version still
   * answers, from the column store.
   */
  readonly isDerived: boolean;
  /**
   * Writes the files, so that they are complete when it returns. If it fails, its files are removed by the
   * caller, and all others in the folder whose names begin with theirs, for example a log of the database.
   */
  readonly write: (records: NewRecords) => Promise<void>;
};

/**
 * The checked records of a new version: those of `SORTED_TABLE` and of the base. The column writer is the first one and
 * reads both. Later writers read its file: the table `RECORD_TABLE` of the connection, by `_row` in the order of the
 * key.
 */
export type NewRecords = {
  readonly connection: Omit<ImportConnection, 'close'>;
  readonly dataset: Dataset;
  /** The folder of the version. */
  readonly folder: string;
  /** Gets remarks for the owner, each a sentence. */
  readonly onNotice?: (sentence: string) => void;
  /** The version whose records the new one has too; absent: none. */
  readonly base?: BaseRecords | undefined;
};

/** The records of an attached version that a new one has too. Their keys are not those of new records. */
export type BaseRecords = {
  /** SQL of their table. */
  readonly table: string;
  /** The folder of the version. */
  readonly folder: string;
  /** The names of its derived files that are known to be whole. */
  readonly wholeFiles: readonly string[];
  /** The records of this period are left out; undefined: none. */
  readonly replaced: Period | undefined;
  /** Whether the new version has exactly its records, declared in the same way: files that would be equal can be linked. */
  readonly isSame: boolean;
  /** So many bytes of its records, and as many of new ones, may be sorted at once in memory. */
  readonly partBytes: number;
};
