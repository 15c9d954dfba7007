import type { FieldDefinition } from '@locmetrics/client';
import { formatDay } from './dates.ts';
import { fieldKind } from './fields.ts';
import { formatNumber } from './numbers.ts';

export type Value = string | number | boolean | null;

/** A value for people; `exact` is the value as the service sent it, where the text differs from it. */
export type FormattedValue = { readonly text: string; readonly exact?: string };

/** Whole numbers that name something instead of counting: a year with a separator is not a year. */
const NAMING = /(?:^|_)(?:id|ids|year|code|zip|fips|geoid|naics|number|no)(?:_|$)|_\d{4}$/i;

/** A value in words, with separators in numbers. Undefined: the record has no value there. */
export function formatValue(field: FieldDefinition, value: Value): FormattedValue | undefined {
  if (value === null || value === '') return undefined;
  const exact = String(value);
  const text = wordValue(field, value);
  return text === exact ? { text } : { text, exact };
}

function wordValue(field: FieldDefinition, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return fieldKind(field) === 'date' ? formatDay(value) : value;
  const isName = fieldKind(field) === 'integer' && NAMING.test(field.name);
  return isName ? String(value) : formatNumber(value);
}
