import { quoteIdentifier, quoteLiteral } from '../../sql/quote-identifier.ts';

/** The statement that attaches a database file under a name; DuckDB binds nothing in it. */
export function attachDatabaseSql(file: string, name: string): string {
  return `ATTACH ${quoteLiteral(file)} AS ${quoteIdentifier(name)}`;
}
