/**
 * A text in a statement, for names where ClickHouse allows no parameter: of a cluster, of a database, of a table. Values
 * are bound.
 */
export function quoteText(name: string): string {
  return `'${name.replaceAll(/['\\]/g, '\\$&')}'`;
}
