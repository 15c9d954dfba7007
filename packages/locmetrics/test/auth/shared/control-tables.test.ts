// @module-tag slow

import { DatabaseSync } from 'node:sqlite';
import { CONTROL_TABLES } from '@locmetrics/cluster/control/control-tables';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import { useNodes } from './two-nodes.ts';

const { openNode, pathOf, postgres } = useNodes();

/** The types of PostgreSQL by those of SQLite. */
const TYPES: Readonly<Record<string, string>> = {
  TEXT: 'text',
  INTEGER: 'bigint',
  REAL: 'double precision',
  BLOB: 'bytea',
};

/** Tables of the file alone: which callers have changed there, and of what it is a mirror. */
const OF_THE_FILE = ['caller_change', 'mirror'];

test('the tables in PostgreSQL have the columns of those in SQLite', async () => {
  await openNode('node');
  const path = pathOf('file');
  openControlStore(path).close();
  const file = new DatabaseSync(path);
  const tables = file
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !OF_THE_FILE.includes(name));
  expect(tables.sort()).toEqual(CONTROL_TABLES.map(({ name }) => name).sort());
  for (const { name, keyColumn, columns, unlogged } of CONTROL_TABLES) {
    const inFile = file
      .prepare(`SELECT name, type, "notnull" AS filled, pk FROM pragma_table_info('${name}')`)
      .all()
      .map((row) => ({
        name: row['name'],
        type: TYPES[String(row['type'])],
        // SQLite lets a key of integers be without NOT NULL.
        isFilled: row['filled'] === 1 || row['pk'] === 1,
      }));
    const shared = await postgres().query(
      `SELECT column_name AS name, data_type AS type, is_nullable = 'NO' AS "isFilled"
       FROM information_schema.columns WHERE table_schema = 'locmetrics' AND table_name = $1`,
      [name],
    );
    const byName = (left: { name?: unknown }, right: { name?: unknown }) =>
      String(left.name) < String(right.name) ? -1 : 1;
    expect({ name, columns: [...shared].sort(byName) }).toEqual({
      name,
      columns: inFile.sort(byName),
    });
    expect([...columns, ...unlogged].sort()).toEqual(
      inFile.map((column) => String(column.name)).sort(),
    );
    const keys = file.prepare(`SELECT name FROM pragma_table_info('${name}') WHERE pk > 0`).all();
    expect(keys).toEqual([{ name: keyColumn }]);
  }
  file.close();
});

test.each(["UPDATE audit SET actor = '{}'", 'DELETE FROM audit', 'TRUNCATE audit'])(
  'the audit log in PostgreSQL refuses: %s',
  async (statement) => {
    const node = await openNode('node');
    await node.createOrganisation({ id: 'acme', name: 'Acme' });
    await expect(postgres().query(statement)).rejects.toThrow('The audit log is only appended to.');
    expect(await postgres().query('SELECT action FROM audit')).toEqual([
      { action: 'organisation.create' },
    ]);
  },
);
