import type { FieldDefinition } from '@locmetrics/client';
import { fieldKind } from '../../format/fields.ts';

/** The field that names a record to a reader: the first text whose name says so. */
export function nameField(fields: readonly FieldDefinition[]): string | undefined {
  const texts = fields.filter((field) => fieldKind(field) === 'string');
  return texts.find(({ name }) => /(?:^|_)(?:name|title)$/.test(name))?.name;
}
