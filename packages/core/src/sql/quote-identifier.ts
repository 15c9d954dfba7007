/** Quotes a name of the schema for SQL; all supported dialects quote alike. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text that cannot be bound, such as a path in ATTACH. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
