import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { attachReadOnlySql } from '../attach-database.ts';
import type { InstanceOptions } from '../open-instance.ts';
import { recordTable } from '../record-table.ts';
import type { AttachedRecords } from './check-records.ts';
import {
  openWatchedConnection,
  type WatchedConnection,
  type WatchOptions,
} from './watched-connection.ts';

/** Reads the records of versions, of several at once where a query joins them. */
export type VersionReader = {
  /** Attaches the column file of a version when it is first asked for. */
  readonly attach: (version: ReadableVersion) => Promise<AttachedRecords>;
  readonly close: () => Promise<void>;
};

export type VersionReaderOptions = InstanceOptions &
  WatchOptions & {
    /** The folder of a version. */
    readonly directoryOf: (version: ReadableVersion) => string;
  };

export function openVersionReader(options: VersionReaderOptions): VersionReader {
  let opened: Promise<WatchedConnection> | undefined;
  const tables = new Map<string, string>();
  return {
    attach: async (version) => {
      // Opened with the first version: often nothing has to be read.
      opened ??= openWatchedConnection(options);
      const connection = await opened;
      const folder = options.directoryOf(version);
      const known = tables.get(folder);
      if (known !== undefined) return { connection, table: known };
      const database = `version_${tables.size}`;
      await connection.run(attachReadOnlySql(folder, database));
      const table = recordTable(database);
      tables.set(folder, table);
      return { connection, table };
    },
    close: async () => (await opened)?.close(),
  };
}
