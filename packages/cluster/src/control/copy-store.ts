import { existsSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { followFile } from '@locmetrics/data-directory/sqlite/followed-file';
import { openSqliteFile } from '@locmetrics/data-directory/sqlite/open-sqlite-file';
import { createPrivateFile } from '@locmetrics/data-directory/sqlite/private-file';
import { inTransaction } from '@locmetrics/data-directory/sqlite/sqlite-transaction';
import { unusableFile } from '@locmetrics/data-directory/sqlite/unusable-file';
import { prepareRightsCheck } from '@locmetrics/server/auth/check-rights';
import { CONTROL_SCHEMA } from '@locmetrics/server/auth/control-schema';
import { readMirrorRow } from '@locmetrics/server/auth/mirror-row';
import { CHANGE_LOG_SCHEMA, readState } from '../postgres/change-log.ts';
import type { Postgres, RunStatement } from '../postgres/open-postgres.ts';
import { migratePostgres } from '../postgres/postgres-schema.ts';
import { CONTROL_TABLES, type ControlTable, SHARED_CONTROL_SCHEMA } from './control-tables.ts';

/** Rows by table. */
export type CopiedCounts = Readonly<Record<string, number>>;

type Row = Readonly<Record<string, unknown>>;

/** Grants and limits come before their organisations, whose number of changes they would count up. */
const COPY_ORDER = CONTROL_TABLES.toReversed();

/**
 * Copies all rows of a file, a store of its own or a mirror, into PostgreSQL. Throws a ControlError if that has any.
 * Nothing else may change the file meanwhile.
 */
export async function copyToPostgres(path: string, postgres: Postgres): Promise<CopiedCounts> {
  if (!existsSync(path)) throw nothingToCopy(path);
  const rows = readFileRows(path);
  await migratePostgres(postgres, [CHANGE_LOG_SCHEMA, SHARED_CONTROL_SCHEMA]);
  return postgres.transaction(async (query) => {
    await readState(query, { locks: true });
    await expectEmpty(query, postgres.address);
    for (const table of COPY_ORDER) await insertRows(query, table, rows.get(table.name) ?? []);
    const counts = await countShared(query);
    expectAll(rows, counts);
    return counts;
  });
}

/**
 * Copies all rows of PostgreSQL into a new file, which is then a store of its own. It replaces a mirror, or a store
 * without organisations. Throws a ControlError if a store has organisations. Nothing else may use the file meanwhile.
 */
export async function copyFromPostgres(postgres: Postgres, path: string): Promise<CopiedCounts> {
  if (existsSync(path)) expectReplaceable(path);
  await migratePostgres(postgres, [CHANGE_LOG_SCHEMA, SHARED_CONTROL_SCHEMA]);
  const rows = await postgres.transaction(readSharedRows, { snapshot: true });
  const draft = `${path}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  createPrivateFile(draft);
  try {
    const counts = writeFileRows(draft, rows);
    expectAll(rows, counts);
    renameSync(draft, path);
    return counts;
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(draft + ending, { force: true });
  }
}

function readFileRows(path: string): ReadonlyMap<string, readonly Row[]> {
  return withFile(path, (database) => {
    // One transaction, so that all rows are of one moment.
    database.exec('BEGIN');
    // PostgreSQL makes the checksums of new rows, so damage would not be found any more.
    prepareRightsCheck(database).checkAll();
    const rows = CONTROL_TABLES.map((table): [string, readonly Row[]] => [
      table.name,
      database
        .prepare(`SELECT ${columnsOf(table).join(', ')} FROM ${table.name} ORDER BY rowid`)
        .all(),
    ]);
    database.exec('COMMIT');
    return new Map(rows);
  });
}

async function readSharedRows(query: RunStatement): Promise<ReadonlyMap<string, readonly Row[]>> {
  const rows = new Map<string, readonly Row[]>();
  for (const table of CONTROL_TABLES) {
    const { name, keyColumn } = table;
    rows.set(
      name,
      await query(`SELECT ${columnsOf(table).join(', ')} FROM ${name} ORDER BY ${keyColumn}`),
    );
  }
  return rows;
}

function writeFileRows(path: string, rows: ReadonlyMap<string, readonly Row[]>): CopiedCounts {
  const database = openSqliteFile(path, CONTROL_SCHEMA, { mayMigrate: true });
  try {
    inTransaction(database, () => {
      database.exec('PRAGMA defer_foreign_keys = ON');
      // While it is a mirror, the triggers keep the checksums of the rows.
      database.exec("INSERT INTO mirror VALUES (1, '', 0, '', 0)");
      for (const table of COPY_ORDER) {
        const columns = columnsOf(table);
        const insert = database.prepare(
          `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        );
        for (const row of rows.get(table.name) ?? []) {
          // PostgreSQL has the same types in these columns.
          insert.run(...columns.map((column) => row[column] as SQLInputValue));
        }
      }
      database.exec('DELETE FROM mirror');
    });
    return Object.fromEntries(
      CONTROL_TABLES.map(({ name }) => [
        name,
        Number(database.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.['count']),
      ]),
    );
  } finally {
    database.close();
  }
}

/** A statement has up to 65,535 values. */
const ROWS_OF_STATEMENT = 1_000;

async function insertRows(
  query: RunStatement,
  table: ControlTable,
  rows: readonly Row[],
): Promise<void> {
  const columns = columnsOf(table);
  for (let start = 0; start < rows.length; start += ROWS_OF_STATEMENT) {
    const some = rows.slice(start, start + ROWS_OF_STATEMENT);
    const places = some.map(
      (_, row) =>
        `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
    );
    await query(
      `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES ${places.join(', ')}`,
      some.flatMap((row) => columns.map((column) => row[column])),
    );
  }
}

async function countShared(query: RunStatement): Promise<CopiedCounts> {
  const counts: [string, number][] = [];
  for (const { name } of CONTROL_TABLES) {
    const [row] = await query(`SELECT count(*) AS count FROM ${name}`);
    counts.push([name, Number(row?.['count'])]);
  }
  return Object.fromEntries(counts);
}

function columnsOf({ columns, unlogged }: ControlTable): readonly string[] {
  return [...columns, ...unlogged];
}

function withFile<Result>(path: string, work: (database: DatabaseSync) => Result): Result {
  const file = followFile(path, CONTROL_SCHEMA, ({ database }) => ({
    database,
    close: () => database.close(),
  }));
  try {
    return work(file.use().database);
  } finally {
    file.close();
  }
}

async function expectEmpty(query: RunStatement, address: string): Promise<void> {
  const counts = await countShared(query);
  const filled = Object.entries(counts).find(([, count]) => count > 0);
  if (filled === undefined) return;
  const [name, count] = filled;
  throw new ControlError(
    `PostgreSQL at ${address} already has a control store: ${count} rows in the table ${name}.`,
    'Nothing was copied. Name an empty database.',
  );
}

function expectReplaceable(path: string): void {
  const organisations = withFile(path, (database) =>
    readMirrorRow(database) === undefined
      ? database.prepare('SELECT count(*) AS count FROM organisation').get()?.['count']
      : 0,
  );
  if (organisations === 0) return;
  throw unusableFile(path, {
    problem: `already has ${organisations} organisations, which would be lost`,
    hint: 'Nothing was copied. Name another data directory with --data.',
  });
}

function expectAll(rows: ReadonlyMap<string, readonly Row[]>, counts: CopiedCounts): void {
  for (const { name } of CONTROL_TABLES) {
    const [read, written] = [rows.get(name)?.length ?? 0, counts[name]];
    if (read === written) continue;
    throw new ControlError(
      `${written} of ${read} rows of the table ${name} arrived.`,
      'Nothing was copied. Report this message.',
    );
  }
}

function nothingToCopy(path: string): ControlError {
  return unusableFile(path, {
    problem: 'does not exist',
    hint: 'Name the data directory of the control store with --data.',
  });
}
