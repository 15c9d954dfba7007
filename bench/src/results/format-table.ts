export type Alignment = 'left' | 'right';

/** Rows of text in columns, two spaces apart. */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[],
): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)));
  const align = (cell: string, index: number): string =>
    alignments[index] === 'right'
      ? cell.padStart(widths[index] ?? 0)
      : cell.padEnd(widths[index] ?? 0);
  return all.map((row) => `${row.map(align).join('  ').trimEnd()}\n`).join('');
}

/** Three significant digits, or all digits before the decimal point. */
export function formatNumber(number: number): string {
  return number >= 100 ? Math.round(number).toLocaleString('en-US') : number.toPrecision(3);
}
