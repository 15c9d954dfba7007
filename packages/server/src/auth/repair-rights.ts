import type { DatabaseSync } from 'node:sqlite';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { readInteger, readText } from '@locmetrics/data-directory/sqlite/sqlite-row';
import { inTransaction } from '@locmetrics/data-directory/sqlite/sqlite-transaction';
import { addChecksum } from './check-rights.ts';
import { findAllDamagedRows, prepareDamage } from './find-damaged-rows.ts';
import { forgetCallers } from './forget-callers.ts';
import type { DamagedRow } from './rights-damaged-error.ts';
import { isWholeSql, type RightsTable, rightsTable } from './rights-table.ts';

/** A damaged row, and what became of it. */
export type RepairedRow = Pick<DamagedRow, 'table' | 'rowId'> & {
  readonly result: 'restored' | 'removed' | 'left';
  /** Why it was left. */
  readonly problem?: string;
};

const CHANGED_SINCE = 'it was changed after the backup';
const NOT_THERE = 'the backup has no undamaged copy of it';

const TOKEN = rightsTable('token');
const ORGANISATION = rightsTable('organisation');
const GRANT = rightsTable('access_grant');
const LIMIT = rightsTable('organisation_limit');

/**
 * Restores damaged rows from a backup, in one transaction. A row is restored only if the audit log, or the checksum of
 * its organisation, shows that it was not changed after the backup: otherwise a revoked token would work again.
 */
export function repairRights(database: DatabaseSync, backupPath: string): readonly RepairedRow[] {
  database.prepare('ATTACH ? AS backup').run(backupPath);
  // Damaged rows may refer to nothing.
  database.exec('PRAGMA foreign_keys = OFF');
  try {
    expectSameRelease(database, backupPath);
    return inTransaction(database, () => {
      // While it is a mirror, the triggers keep the checksums of the rows.
      database.exec("INSERT INTO mirror VALUES (1, '', 0, '', 0)");
      const damaged = findAllDamagedRows(prepareDamage({ database }));
      const tokens = damaged.filter(({ table }) => table === 'token');
      const links = damaged.filter(({ table }) => table === 'sign_in_link');
      const repaired = [
        ...tokens.map(({ rowId }) => repairToken(database, rowId)),
        ...links.map(({ rowId }) => removeLink(database, rowId)),
        ...organisationsOf(database, damaged).map((id) => repairOrganisation(database, id)),
      ];
      removeStray(database);
      database.exec('DELETE FROM mirror');
      forgetCallers(database);
      return [...repaired, ...leftOf(database, repaired)];
    });
  } finally {
    database.exec('PRAGMA foreign_keys = ON; DETACH backup');
  }
}

function expectSameRelease(database: DatabaseSync, backupPath: string): void {
  const version = (name: string) => database.prepare(`PRAGMA ${name}.user_version`).get();
  if (version('main')?.['user_version'] === version('backup')?.['user_version']) return;
  throw new ControlError(
    `${backupPath} is not a control store of this release.`,
    'Copy it into an empty directory, run a command that migrates it there (locmetrics token list --data DIRECTORY), and give the path of the copy.',
  );
}

function repairToken(database: DatabaseSync, rowId: string): RepairedRow {
  const found = database
    .prepare(
      `SELECT token.id FROM backup.token AS token JOIN main.token AS damaged
       ON damaged.id = token.id OR damaged.hash = token.hash
       WHERE damaged.id = ? AND ${isWholeSql(TOKEN)}`,
    )
    .get(rowId);
  if (found === undefined) return left('token', rowId, NOT_THERE);
  const id = readText(found, 'id');
  const changes = `(subject = ? OR json_extract(details, '$.replaced.tokenId') = ?)`;
  if (isChangedSince(database, changes, [id, id])) return left('token', rowId, CHANGED_SINCE);
  database.prepare('DELETE FROM main.token WHERE id = ?').run(rowId);
  copyRows(database, TOKEN, 'id = ?', id);
  return { table: 'token', rowId: id, result: 'restored' };
}

/** It works for minutes only, so a new one is made instead. */
function removeLink(database: DatabaseSync, rowId: string): RepairedRow {
  database.prepare('DELETE FROM main.sign_in_link WHERE id = ?').run(rowId);
  return { table: 'sign_in_link', rowId, result: 'removed' };
}

/** Those whose rights are damaged, and those that are lost. */
function organisationsOf(
  database: DatabaseSync,
  damaged: readonly DamagedRow[],
): readonly string[] {
  const ofRights = damaged.filter(({ table }) =>
    [ORGANISATION, GRANT, LIMIT].some(({ name }) => name === table),
  );
  const lost = database
    .prepare(
      'SELECT id FROM backup.organisation WHERE id NOT IN (SELECT id FROM main.organisation)',
    )
    .all()
    .map((row) => readText(row, 'id'));
  const known = database.prepare('SELECT 1 FROM backup.organisation WHERE id = :id');
  const named = new Set([...ofRights.map(({ organisationId = '' }) => organisationId), ...lost]);
  return [...named].filter((id) => known.get({ id }) !== undefined);
}

/** Damaged rows that belong to no organisation any more, because their key has changed. */
function removeStray(database: DatabaseSync): void {
  const used = [TOKEN, GRANT, LIMIT]
    .map((table) => `SELECT organisation FROM main.${table.name} WHERE ${isWholeSql(table)}`)
    .join(' UNION ');
  database.exec(
    `DELETE FROM main.organisation WHERE ${isWholeSql(ORGANISATION)} IS NOT 1
       AND id NOT IN (SELECT id FROM backup.organisation) AND id NOT IN (${used});
     ${[GRANT, LIMIT]
       .map(
         (table) => `DELETE FROM main.${table.name} WHERE ${isWholeSql(table)} IS NOT 1
           AND organisation NOT IN (SELECT id FROM main.organisation);`,
       )
       .join(' ')}`,
  );
}

function repairOrganisation(database: DatabaseSync, id: string): RepairedRow {
  const sums = database.prepare(
    `SELECT rights_checksum AS number FROM backup.organisation AS organisation
     WHERE id = ? AND ${isWholeSql(ORGANISATION)}`,
  );
  const sum = sums.get(id);
  if (sum === undefined || !isBackupWhole(database, id, readInteger(sum, 'number'))) {
    return left('organisation', id, NOT_THERE);
  }
  const current = database
    .prepare(
      `SELECT rights_checksum AS number FROM main.organisation AS organisation
       WHERE id = ? AND ${isWholeSql(ORGANISATION)}`,
    )
    .get(id);
  const isSame = current !== undefined && current['number'] === sum['number'];
  const changes = `organisation = ? AND (action LIKE 'grant.%' OR action LIKE 'limits.%' OR action LIKE 'organisation.%')`;
  if (!isSame && isChangedSince(database, changes, [id])) {
    return left('organisation', id, CHANGED_SINCE);
  }
  for (const table of [GRANT, LIMIT]) {
    const { name, key } = table;
    database
      .prepare(
        `DELETE FROM main.${name} WHERE organisation = ?
         OR ${key} IN (SELECT ${key} FROM backup.${name} WHERE organisation = ?)`,
      )
      .run(id, id);
    copyRows(database, table, 'organisation = ?', id);
  }
  if (!isSame) {
    database.prepare('DELETE FROM main.organisation WHERE id = ?').run(id);
    copyRows(database, ORGANISATION, 'id = ?', id);
  }
  return { table: 'organisation', rowId: id, result: 'restored' };
}

function isBackupWhole(database: DatabaseSync, id: string, sum: number): boolean {
  let total = 0;
  for (const table of [GRANT, LIMIT]) {
    const rows = database
      .prepare(
        `SELECT checksum AS number, ${isWholeSql(table)} AS is_whole
         FROM backup.${table.name} AS ${table.name} WHERE organisation = ?`,
      )
      .all(id);
    if (rows.some((row) => row['is_whole'] !== 1)) return false;
    total = rows.reduce((added, row) => addChecksum(added, readInteger(row, 'number')), total);
  }
  return total === sum;
}

function isChangedSince(
  database: DatabaseSync,
  condition: string,
  values: readonly string[],
): boolean {
  const select = database.prepare(
    `SELECT 1 FROM main.audit WHERE id > (SELECT coalesce(max(id), 0) FROM backup.audit) AND ${condition}`,
  );
  return select.get(...values) !== undefined;
}

function copyRows(
  database: DatabaseSync,
  { name, columns }: RightsTable,
  condition: string,
  value: string,
): void {
  const all = [...columns, 'checksum'].join(', ');
  database
    .prepare(
      `INSERT INTO main.${name} (${all}) SELECT ${all} FROM backup.${name} WHERE ${condition}`,
    )
    .run(value);
}

function left(table: DamagedRow['table'], rowId: string, problem: string): RepairedRow {
  return { table, rowId, result: 'left', problem };
}

/** The rows that are still damaged and not yet reported. */
function leftOf(database: DatabaseSync, repaired: readonly RepairedRow[]): readonly RepairedRow[] {
  const named = new Set(repaired.map(({ table, rowId }) => `${table} ${rowId}`));
  return findAllDamagedRows(prepareDamage({ database }))
    .filter(({ table, rowId }) => !named.has(`${table} ${rowId}`))
    .map(({ table, rowId, problem }) => left(table, rowId, problem));
}
