import type { DatabaseSync } from 'node:sqlite';
import { readInteger, readText } from '@locmetrics/data-directory/sqlite/sqlite-row';
import { damagedSql, prepareRightsCheck, toDamagedRow } from './check-rights.ts';
import { type DamagedRow, RightsDamagedError } from './rights-damaged-error.ts';
import { RIGHTS_TABLES } from './rights-table.ts';

/** The part of a check of all rows that comes next. */
export type CheckPlace = { readonly table: number; readonly after: number | string };

export type DamageOperations = {
  /**
   * Checks some hundred rows that decide rights. Begins without a place, and goes on with `next` until that is
   * undefined, so that a serving process can answer requests in between.
   */
  findDamagedRows(place?: CheckPlace): {
    readonly damaged: readonly DamagedRow[];
    readonly next: CheckPlace | undefined;
  };
};

const ROWS_OF_STEP = 500;
const ORGANISATIONS_OF_STEP = 50;

export function prepareDamage({ database }: { readonly database: DatabaseSync }): DamageOperations {
  const { checkOrganisationRights } = prepareRightsCheck(database);
  const selectOrganisations = database.prepare(
    `SELECT id FROM organisation WHERE id > ? ORDER BY id LIMIT ${ORGANISATIONS_OF_STEP}`,
  );
  const selects = RIGHTS_TABLES.map((table) => ({
    table,
    last: database.prepare(
      `SELECT max(rowid) AS last FROM
       (SELECT rowid FROM ${table.name} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_OF_STEP})`,
    ),
    damaged: database.prepare(`${damagedSql(table)} AND rowid > ? AND rowid <= ?`),
  }));

  return {
    findDamagedRows({ table: index, after } = { table: 0, after: 0 }) {
      // The rows as they are on the disk now, not as they were read before.
      if (index === 0 && after === 0) database.exec('PRAGMA shrink_memory');
      const select = selects[index];
      if (select === undefined) {
        const ids = selectOrganisations.all(after).map((row) => readText(row, 'id'));
        const last = ids.at(-1);
        return {
          damaged: ids.flatMap((id) => damageOf(() => checkOrganisationRights(id))),
          next: last === undefined ? undefined : { table: index, after: last },
        };
      }
      const row = select.last.get(after);
      if (row === undefined || row['last'] === null) {
        const isLast = index + 1 === selects.length;
        return { damaged: [], next: { table: index + 1, after: isLast ? '' : 0 } };
      }
      const last = readInteger(row, 'last');
      return {
        damaged: select.damaged.all(after, last).map((one) => toDamagedRow(select.table, one)),
        next: { table: index, after: last },
      };
    },
  };
}

/** All damaged rows of a store, each once. */
export function findAllDamagedRows(store: DamageOperations): readonly DamagedRow[] {
  const found = new Map<string, DamagedRow>();
  let place: CheckPlace | undefined;
  do {
    const { damaged, next } = store.findDamagedRows(place);
    for (const row of damaged) found.set(keyOf(row), row);
    place = next;
  } while (place !== undefined);
  return [...found.values()];
}

export function keyOf({ table, rowId }: DamagedRow): string {
  return `${table} ${rowId}`;
}

function damageOf(check: () => void): readonly DamagedRow[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof RightsDamagedError) return [error.row];
    throw error;
  }
}
