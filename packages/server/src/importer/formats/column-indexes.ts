import type { ColumnName } from '../../manifest/field-source.ts';

/** The columns of a file that a field may mean, from 0: several if the file repeats a name. */
export function columnIndexes(columns: readonly string[], column: ColumnName): readonly number[] {
  if (typeof column === 'number') return column <= columns.length ? [column - 1] : [];
  return columns.flatMap((name, index) => (name === column ? [index] : []));
}
