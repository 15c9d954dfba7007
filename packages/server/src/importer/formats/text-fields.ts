import type { FieldColumn } from './row-format.ts';

/** Columns as if each were a text field, so that they can be selected as fields are. Messages have their names. */
export function textFields(
  columns: readonly (string | number)[],
  nameOf: (column: string | number) => string = String,
): readonly FieldColumn[] {
  return columns.map((column) => ({
    field: {
      name: nameOf(column),
      type: 'string',
      sourceColumn: '',
      description: '',
      exampleValue: '',
      includedByDefault: true,
    },
    source: { columns: [column] },
  }));
}
