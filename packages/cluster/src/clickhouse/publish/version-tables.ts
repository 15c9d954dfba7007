import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { ClickhouseSettings } from '../clickhouse-driver.ts';
import type { TableContent, TableName } from '../record-table.ts';

/** The tables of versions, on one server or on a cluster: how they are made, named when they are complete, and dropped. */
export type VersionTables = {
  /** The table that an earlier attempt left with records of the same content, if it has the right columns. */
  readonly findLoading: (version: TableVersion) => Promise<InsertTarget | undefined>;
  /** Makes an empty table for the records, in place of one that an earlier attempt left. No query sees it. */
  readonly create: (version: TableVersion, content: TableContent) => Promise<InsertTarget>;
  /** Waits until every server that a query may ask has the rows that were inserted. */
  readonly settle: (version: TableName) => Promise<void>;
  /** Gives the filled table the name that queries use. */
  readonly complete: (version: TableName) => Promise<void>;
  /** Removes the table of a version. */
  readonly remove: (version: TableName) => Promise<void>;
  /** Removes the table of an attempt to load a version. */
  readonly removeLoading: (version: TableName) => Promise<void>;
  /** All tables of versions, and of attempts to load them, in the database. */
  readonly list: () => Promise<readonly StoredTable[]>;
};

export type TableVersion = Pick<ReadableVersion, 'version'> & { readonly dataset: Dataset };

/** The table that rows are inserted into, quoted, and the settings that each insert needs. */
export type InsertTarget = { readonly table: string; readonly settings: ClickhouseSettings };

export type StoredTable = {
  readonly datasetName: string;
  /** Of an attempt to load a version: the digest of its content, which is the end of its name. */
  readonly version: string;
  readonly isLoading: boolean;
  readonly rows: number;
  readonly bytes: number;
};
