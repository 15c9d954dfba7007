import type { FieldColumn } from './row-format.ts';

/** Columns as if each were a text field, so that they can be selected as fields are. */
export function textFields(columns: readonly (string | number)[]): readonly FieldColumn[] {
  return columns.map((column) => ({
    field: {
      name: String(column),
      type: 'string',
      sourceColumn: '',
      description: '',
      exampleValue: '',
      includedByDefault: true,
    },
    source: { columns: [column] },
  }));
}
