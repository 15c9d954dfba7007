import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { attachFileReadOnlySql, attachNewFileSql } from '../attach-database.ts';
import { recordTable } from '../record-table.ts';

/** Databases of the process, each in a file with the sorted records of one stream. */
export type SortedCopies = {
  /**
   * Attaches a new file at a path, and fills its table by the work; undefined if there are many. If the work rejects,
   * nothing is left of the file.
   */
  readonly open: <Result>(
    path: string,
    fill: (table: string) => Promise<Result>,
  ) => Promise<SortedCopy<Result> | undefined>;
  /** Resolves when the connection is idle, so that it can be closed. */
  readonly close: () => Promise<void>;
};

type SortedCopy<Result> = {
  readonly table: string;
  /** Of the work that filled it. */
  readonly filled: Result;
  /** Runs work that reads the table, which is there until it has ended. */
  readonly use: <Found>(work: () => Promise<Found>) => Promise<Found>;
  /** Detaches and removes the file once no work reads it. */
  readonly close: () => Promise<void>;
};

/** Each is an open file. Streams beyond them read pages. */
const COPIES_MAX = 16;

/** The ordinal of a record in a copy: the column that the engine has in every table. */
export const SORTED_ROW_COLUMN = 'rowid';

export function openSortedCopies({
  connection,
  onFreed,
}: {
  readonly connection: DuckDBConnection;
  /** Called once the engine has freed much memory. */
  readonly onFreed: () => void;
}): SortedCopies {
  const underway = new Set<Promise<unknown>>();
  let count = 0;
  let openNow = 0;

  const run = (sql: string): Promise<unknown> => {
    const running = connection.run(sql).finally(() => underway.delete(running));
    underway.add(running);
    return running;
  };
  const remove = async (path: string): Promise<void> => {
    for (const file of [path, `${path}.wal`]) await rm(file, { force: true });
  };
  return {
    open: async (path, fill) => {
      if (openNow >= COPIES_MAX) return undefined;
      openNow += 1;
      count += 1;
      const name = `sorted_${count}`;
      const readers = new Set<Promise<unknown>>();
      let closing: Promise<void> | undefined;
      const detach = async (): Promise<void> => {
        await Promise.allSettled(readers);
        try {
          await run(`DETACH DATABASE IF EXISTS "${name}"`);
        } finally {
          openNow -= 1;
          await remove(path);
          onFreed();
        }
      };
      const close = (): Promise<void> => {
        closing ??= detach();
        return closing;
      };
      try {
        await run(attachNewFileSql(path, name));
      } catch (error) {
        openNow -= 1;
        await remove(path);
        throw error;
      }
      const table = recordTable(name);
      try {
        const filled = await fill(table);
        // The blocks that were written would stay in memory, however slowly they are read.
        await run(`DETACH "${name}"`);
        await run(attachFileReadOnlySql(path, name));
        onFreed();
        return {
          table,
          filled,
          use: async (work) => {
            if (closing !== undefined) throw new Error('The sorted records were removed.');
            const reading = work();
            const settled = reading.catch(() => {}).finally(() => readers.delete(settled));
            readers.add(settled);
            return reading;
          },
          close,
        };
      } catch (error) {
        await close();
        throw error;
      }
    },
    close: async () => {
      await Promise.allSettled(underway);
    },
  };
}
