import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type RightsTableName, rightsTable } from '@locmetrics/server/auth/rights-table';

/** Changes a column of the rows of an organisation, as a flipped bit does: nothing writes the checksums. */
export function damageRow(
  path: string,
  {
    table,
    organisationId,
    column,
    value,
  }: {
    readonly table: RightsTableName;
    readonly organisationId: string;
    readonly column: string;
    readonly value: SQLInputValue;
  },
): void {
  const { organisation = 'name' } = rightsTable(table);
  withoutTriggers(path, (database) =>
    database
      .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${organisation} = ?`)
      .run(value, organisationId),
  );
}

/** Removes rows, as a damaged page does. */
export function removeRows(path: string, condition: string): void {
  withoutTriggers(path, (database) => database.exec(`DELETE FROM ${condition}`));
}

function withoutTriggers(path: string, work: (database: DatabaseSync) => unknown): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .all();
  database.exec('BEGIN');
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  work(database);
  for (const { sql } of triggers) database.exec(String(sql));
  // A process that keeps callers must read them again, as one that starts later does.
  database.exec(
    `DELETE FROM caller_change; INSERT INTO caller_change (token) VALUES ('');
     UPDATE caller_change SET number = number + 1;
     UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'caller_change'; COMMIT`,
  );
  database.close();
}
