/** A dataset with notes of any length, for large answers. */
export function notes(count: number, noteOf: (index: number) => string) {
  const rows = Array.from({ length: count }, (_, index) => `${index},${noteOf(index)}\n`);
  return {
    'locmetrics.yaml': `format: 1
datasets:
  long.notes:
    files: notes.csv
    key: [id]
    fields:
      id: { type: integer }
      note: { type: string }
`,
    'notes.csv': `id,note\n${rows.join('')}`,
  };
}
