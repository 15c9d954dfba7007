import type { Field, FieldType } from '@locmetrics/core/domain/field';
import type { FieldColumn } from './row-format.ts';

/** Columns as if each were a text field, so that they can be selected as fields are. Messages have their names. */
export function textFields(
  columns: readonly (string | number)[],
  nameOf: (column: string | number) => string = String,
): readonly FieldColumn[] {
  return columns.map((column) => ({
    field: plainField(nameOf(column), 'string'),
    source: { columns: [column] },
  }));
}

/** A field without a description. */
export function plainField(name: string, type: FieldType): Field {
  return {
    name,
    type,
    sourceColumn: '',
    description: '',
    exampleValue: '',
    includedByDefault: true,
  };
}
