import { quoteIdentifier, quoteLiteral } from '../../sql/quote-identifier.ts';
import { ROW_GROUP_ROWS } from './record-table.ts';

/** The statement that attaches a database file under a name; DuckDB does not support parameters in it. */
export function attachDatabaseSql(file: string, name: string): string {
  return `ATTACH ${quoteLiteral(file)} AS ${quoteIdentifier(name)}`;
}

/** Attaches the column file of a complete version, which never changes. */
export function attachReadOnlySql(file: string, name: string): string {
  return `${attachDatabaseSql(file, name)} (READ_ONLY)`;
}

/** Attaches the column file of a version that is being written. */
export function attachColumnFileSql(file: string, name: string): string {
  return `${attachDatabaseSql(file, name)} (ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`;
}
