import type { FieldDefinition } from '@locmetrics/client';

export type FieldKind = 'string' | 'integer' | 'float' | 'boolean' | 'date';

const KINDS: Readonly<Record<FieldDefinition['type'], FieldKind>> = {
  COLUMN_TYPE_STRING: 'string',
  COLUMN_TYPE_INTEGER: 'integer',
  COLUMN_TYPE_FLOAT: 'float',
  COLUMN_TYPE_BOOLEAN: 'boolean',
  COLUMN_TYPE_DATE: 'date',
};

const WORDS: Readonly<Record<FieldKind, string>> = {
  string: 'text',
  integer: 'whole number',
  float: 'number',
  boolean: 'yes or no',
  date: 'date',
};

export function fieldKind({ type }: Pick<FieldDefinition, 'type'>): FieldKind {
  return KINDS[type];
}

/** The type of a field in a word of everyday. */
export function fieldTypeWord(field: Pick<FieldDefinition, 'type'>): string {
  return WORDS[fieldKind(field)];
}

/** The type of a field and, if it has one, its meaning. */
export function fieldNote(field: FieldDefinition): string {
  return [fieldTypeWord(field), field.description].filter((part) => part !== '').join(' · ');
}

export function isNumberField(field: Pick<FieldDefinition, 'type'>): boolean {
  const kind = fieldKind(field);
  return kind === 'integer' || kind === 'float';
}
