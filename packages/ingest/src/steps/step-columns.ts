/**
 * The names of the columns of a file in steps. A name that is blank or repeated, also in another case, is replaced by
 * the position, because the engine does not tell such names apart.
 */
export function stepColumns(columns: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of columns) {
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  }
  return columns.map((name, index) =>
    name === '' || counts.get(name.toLowerCase()) !== 1 ? positionName(index + 1) : name,
  );
}

/** The name of a column by its position from 1. */
export function positionName(position: number): string {
  return `column ${position}`;
}
