import { quoteIdentifier, quoteLiteral } from '../../sql/quote-identifier.ts';
import { ROW_GROUP_ROWS } from './record-table.ts';

/** The statement that attaches a database file under a name; DuckDB binds nothing in it. */
export function attachDatabaseSql(file: string, name: string): string {
  return `ATTACH ${quoteLiteral(file)} AS ${quoteIdentifier(name)}`;
}

/** The same for the column file of a version that was written: nothing changes it. */
export function attachReadOnlySql(file: string, name: string): string {
  return `${attachDatabaseSql(file, name)} (READ_ONLY)`;
}

/** The same for the column file of a version that is being written. */
export function attachColumnFileSql(file: string, name: string): string {
  return `${attachDatabaseSql(file, name)} (ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`;
}
