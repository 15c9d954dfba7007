import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** Inserts rows many at a time: a statement for each costs three times as much. */
export type BulkInsert = {
  readonly add: (...row: readonly SQLInputValue[]) => void;
  /** Inserts the rows that wait for others. */
  readonly end: () => void;
};

const ROWS_AT_ONCE = 32;

/** A value that is added must not change until the rows are inserted. */
export function openBulkInsert(database: DatabaseSync, table: string, columns: number): BulkInsert {
  const row = `(${new Array<string>(columns).fill('?').join(', ')})`;
  const insertOf = (rows: number) =>
    database.prepare(`INSERT INTO ${table} VALUES ${new Array<string>(rows).fill(row).join(', ')}`);
  const insertMany = insertOf(ROWS_AT_ONCE);
  let waiting: SQLInputValue[] = [];
  return {
    add: (...values) => {
      waiting.push(...values);
      if (waiting.length < ROWS_AT_ONCE * columns) return;
      insertMany.run(...waiting);
      waiting = [];
    },
    end: () => {
      if (waiting.length > 0) insertOf(waiting.length / columns).run(...waiting);
      waiting = [];
    },
  };
}
