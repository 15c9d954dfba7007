import type { CountedVersion } from '@locmetrics/core/domain/version';
import { ExpectedError } from '@locmetrics/core/errors/expected-error';
import type { LeasedVersion } from './version-lease.ts';

/**
 * A database with a table for each kept version, from which a service answers instead of from column files. Functions
 * throw a `DatabaseError` if it cannot be reached, or refuses something.
 */
export type VersionDatabase = {
  /** Its kind and its place, without a password: `ClickHouse at db.example:8123/locmetrics`. */
  readonly name: string;
  /** The tables of versions, and of loads that have not ended. */
  readonly list: () => Promise<readonly VersionTable[]>;
  /**
   * Copies the records of a version from its column file to a table that no request sees. An interrupted load
   * goes on. Throws a `DatabaseError` if the table does not have these records afterwards.
   */
  readonly load: (
    version: CountedVersion,
    options: {
      /** The folder of the version. */
      readonly folder: string;
      /** Called with the progress, from 0 to 1. */
      readonly onFraction?: (fraction: number) => void;
      readonly signal?: AbortSignal | undefined;
    },
  ) => Promise<void>;
  /** Lets requests see the table that was loaded. */
  readonly complete: (version: LeasedVersion) => Promise<void>;
  readonly remove: (
    table: Pick<VersionTable, 'datasetName' | 'version' | 'isLoading'>,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type VersionTable = LeasedVersion & {
  /** Whether it is that of a load that has not ended. Then `version` is the end of the name of the version. */
  readonly isLoading: boolean;
  readonly rows: number;
  readonly bytes: number;
};

/** The database cannot be reached, or does not have what it should. */
export class DatabaseError extends ExpectedError {
  override readonly name = 'DatabaseError';
}

/** Why a version cannot be answered from its table, as sentences with the command that fixes it; undefined if it can. */
export function findTableProblem(
  tables: readonly VersionTable[],
  { datasetName, version, rowCount }: LeasedVersion & { readonly rowCount?: number | undefined },
  { name }: Pick<VersionDatabase, 'name'>,
): string | undefined {
  const table = tables.find(
    (one) => !one.isLoading && one.datasetName === datasetName && one.version === version,
  );
  const command = `locmetrics clickhouse load ${datasetName}`;
  if (table === undefined) return `It has no table in ${name}. Load it: ${command}`;
  if (rowCount === undefined || table.rows === rowCount) return undefined;
  return `Its table in ${name} has ${table.rows} rows instead of ${rowCount}. Load it again: ${command}`;
}
