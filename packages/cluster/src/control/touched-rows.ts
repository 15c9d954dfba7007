import type { DatabaseSync } from 'node:sqlite';
import type { SqliteRow } from '@locmetrics/data-directory/sqlite/sqlite-row';
import { CONTROL_TABLES, type ControlTable } from './control-tables.ts';

/** The new state of a row; undefined if it is gone. */
export type TouchedRow = {
  readonly table: ControlTable;
  readonly key: string | number;
  readonly row: SqliteRow | undefined;
};

/** Notes which rows the statements of a connection change, by triggers that only this connection has. */
export function prepareTouchedRows(database: DatabaseSync): {
  readonly forget: () => void;
  /** The rows since `forget`, as they are now. */
  readonly read: () => readonly TouchedRow[];
} {
  database.exec('CREATE TEMP TABLE touched (name TEXT NOT NULL, key NOT NULL)');
  for (const { name, keyColumn } of CONTROL_TABLES) {
    for (const [event, states] of EVENTS) {
      const notes = states.map(
        (state) => `INSERT INTO touched VALUES ('${name}', ${state}.${keyColumn});`,
      );
      database.exec(
        `CREATE TEMP TRIGGER ${name}_${event.toLowerCase()}_touched AFTER ${event} ON main.${name} BEGIN
           ${notes.join(' ')}
         END`,
      );
    }
  }
  const empty = database.prepare('DELETE FROM touched');
  const select = database.prepare(
    'SELECT key FROM touched WHERE name = ? GROUP BY key ORDER BY min(rowid)',
  );
  const readers = CONTROL_TABLES.map((table) => {
    const { name, keyColumn, columns } = table;
    const read = database.prepare(
      `SELECT ${columns.join(', ')} FROM ${name} WHERE ${keyColumn} = ?`,
    );
    return { table, read };
  });
  return {
    forget: () => {
      empty.run();
    },
    read: () =>
      readers.flatMap(({ table, read }) =>
        select.all(table.name).map(({ key }) => {
          if (typeof key !== 'string' && typeof key !== 'number') throw new TypeError('No key.');
          return { table, key, row: read.get(key) };
        }),
      ),
  };
}

const EVENTS = [
  ['INSERT', ['NEW']],
  ['UPDATE', ['OLD', 'NEW']],
  ['DELETE', ['OLD']],
] as const;
