import { join } from 'node:path';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { COLUMN_FILE, ROW_GROUP_ROWS } from './record-table.ts';

/** The statement that attaches a database file under a name; DuckDB does not support parameters in it. */
export function attachDatabaseSql(file: string, name: string): string {
  return `ATTACH ${quoteLiteral(file)} AS ${quoteIdentifier(name)}`;
}

/** Attaches the column file in the folder of a complete version, which never changes. */
export function attachReadOnlySql(folder: string, name: string): string {
  return attachFileReadOnlySql(join(folder, COLUMN_FILE), name);
}

/** Attaches a file that does not change any more. */
export function attachFileReadOnlySql(file: string, name: string): string {
  return `${attachDatabaseSql(file, name)} (READ_ONLY)`;
}

/** Creates the column file in the folder of a new version, and attaches it. */
export function attachNewSql(folder: string, name: string): string {
  return attachNewFileSql(join(folder, COLUMN_FILE), name);
}

/** Creates a file with row groups like those of a column file, and attaches it. */
export function attachNewFileSql(file: string, name: string): string {
  return `${attachDatabaseSql(file, name)} (ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`;
}
