import type { Field } from '../domain/field.ts';
import type { Predicate } from '../domain/predicate.ts';
import { type PresentValue, parseValue, valueText } from '../domain/value.ts';
import { isStoredText } from '../text/stored-text.ts';

/**
 * Records whose field has one of the values, given in text form. A text that is not a possible value
 * matches nothing, like an unknown code. An empty text means an absent value.
 */
export function planTextValues(field: Field, texts: readonly string[]): Predicate {
  const values = texts.flatMap((text) => readExactly(field, text));
  const orAbsent = texts.includes('');
  if (values.length === 0) {
    return orAbsent ? { kind: 'empty', field, negated: false } : { kind: 'never' };
  }
  return { kind: 'in', field, negated: false, values, orAbsent };
}

/** The value with exactly this text form: `007` is not 7. */
function readExactly(field: Field, text: string): readonly PresentValue[] {
  if (text.trim() === '' || !isStoredText(text)) return [];
  const parsed = parseValue(field.type, text);
  if (!('value' in parsed) || valueText(parsed.value) !== text) return [];
  return [parsed.value];
}
