/** A table as text: a row of column names, then the rows, in columns two spaces apart. */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, index) =>
    Math.max(...all.map((row) => [...(row[index] ?? '')].length)),
  );
  return all
    .map((row) =>
      row
        .map((cell, index) => `${cell}${' '.repeat((widths[index] ?? 0) - [...cell].length)}`)
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
