import type { DatabaseSync } from 'node:sqlite';
import {
  readInteger,
  readOptionalText,
  readText,
  type SqliteRow,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import {
  CONTENT_CHANGED,
  type DamagedRow,
  RIGHTS_CHANGED,
  RightsDamagedError,
} from './rights-damaged-error.ts';
import {
  isWholeSql,
  RIGHTS_TABLES,
  type RightsTable,
  type RightsTableName,
  rightsTable,
} from './rights-table.ts';
import { CHECKSUM_MASK } from './row-checksum.ts';

/** Checks rows before they are read into memory. Throws a RightsDamagedError; a row that does not exist is not damaged. */
export type RightsCheck = {
  readonly checkRow: (table: RightsTableName, key: string) => void;
  /** All rows of a table, or those of one organisation. */
  readonly checkRows: (table: RightsTableName, organisationId?: string) => void;
  /** All that decides what an organisation may do: its row, its grants and its limits, and that none is missing. */
  readonly checkOrganisationRights: (organisationId: string) => void;
  /** All rows of all tables. */
  readonly checkAll: () => void;
};

export function prepareRightsCheck(database: DatabaseSync): RightsCheck {
  const byKey = new Map(
    RIGHTS_TABLES.map((table) => [table.name, prepareRow(database, table)] as const),
  );
  const selectRights = database.prepare(RIGHTS_SQL);
  const selectOrganisations = database.prepare('SELECT id FROM organisation');
  const checkRows = (name: RightsTableName, organisationId?: string): void => {
    const table = rightsTable(name);
    const condition = organisationId === undefined ? '' : `AND ${table.organisation} = ?`;
    const select = database.prepare(`${damagedSql(table)} ${condition} LIMIT 1`);
    const row = select.get(...(organisationId === undefined ? [] : [organisationId]));
    if (row !== undefined) throw new RightsDamagedError(toDamagedRow(table, row));
  };
  const checkOrganisationRights = (organisationId: string): void => {
    const damaged = findDamage(selectRights.all({ organisation: organisationId }));
    if (damaged !== undefined) throw new RightsDamagedError(damaged);
  };
  return {
    checkRow: (table, key) => byKey.get(table)?.(key),
    checkRows,
    checkOrganisationRights,
    checkAll: () => {
      for (const { name } of RIGHTS_TABLES) checkRows(name);
      for (const row of selectOrganisations.all()) checkOrganisationRights(readText(row, 'id'));
    },
  };
}

/** SQL: the damaged rows of a table, to which `AND …` can be added. */
export function damagedSql(table: RightsTable): string {
  return `SELECT coalesce(CAST(${table.key} AS TEXT), '') AS id,
    CAST(${table.organisation ?? 'NULL'} AS TEXT) AS organisation FROM ${table.name} WHERE ${isWholeSql(table)} IS NOT 1`;
}

export function toDamagedRow({ name }: RightsTable, row: SqliteRow): DamagedRow {
  const organisationId = readOptionalText(row, 'organisation');
  return { table: name, rowId: readText(row, 'id'), organisationId, problem: CONTENT_CHANGED };
}

function prepareRow(database: DatabaseSync, table: RightsTable): (key: string) => void {
  const select = database.prepare(`${damagedSql(table)} AND ${table.key} = ?`);
  return (key) => {
    const row = select.get(key);
    if (row !== undefined) throw new RightsDamagedError(toDamagedRow(table, row));
  };
}

/** One statement, so that all its rows are of one moment. The number of the organisation is the sum of the others. */
const RIGHTS_SQL = [
  { table: rightsTable('organisation'), number: 'rights_checksum' },
  { table: rightsTable('access_grant'), number: 'checksum' },
  { table: rightsTable('organisation_limit'), number: 'checksum' },
]
  .map(
    ({ table, number }) => `SELECT '${table.name}' AS name, ${table.key} AS id,
      ${table.organisation} AS organisation, ${isWholeSql(table)} IS 1 AS is_whole,
      ${number} & ${CHECKSUM_MASK} AS number
      FROM ${table.name} WHERE ${table.organisation} = :organisation`,
  )
  .join(' UNION ALL ');

function findDamage(rows: readonly SqliteRow[]): DamagedRow | undefined {
  const [organisation, ...others] = rows;
  if (organisation === undefined) return undefined;
  for (const row of rows) {
    const table = RIGHTS_TABLES.find(({ name }) => name === row['name']);
    if (table !== undefined && row['is_whole'] !== 1) return toDamagedRow(table, row);
  }
  const sum = others.reduce((total, row) => addChecksum(total, readInteger(row, 'number')), 0);
  if (sum === readInteger(organisation, 'number')) return undefined;
  const id = readText(organisation, 'id');
  return { table: 'organisation', rowId: id, organisationId: id, problem: RIGHTS_CHANGED };
}

export function addChecksum(sum: number, checksum: number): number {
  return (sum + checksum) % (CHECKSUM_MASK + 1);
}
