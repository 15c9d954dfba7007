import type { Dataset } from '../../../domain/dataset.ts';
import type { ImportConnection } from './import-connection.ts';

/** Writes what an engine needs of a new version. An engine opens no other files of the version. */
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
 * The checked records of a new version. The column writer is the first one and reads `SORTED_TABLE`. Later
 * writers read its file: the table `RECORD_TABLE` of the connection, by `_row` in the order of the key.
 */
export type NewRecords = {
  readonly connection: Omit<ImportConnection, 'close'>;
  readonly dataset: Dataset;
  /** The folder of the version. */
  readonly folder: string;
};
