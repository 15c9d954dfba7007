import type { FieldKind } from './fields.ts';

const WORDS: Readonly<Record<string, string>> = {
  '==': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
};

const WORDS_OF_DATES: Readonly<Record<string, string>> = {
  '<': 'is before',
  '<=': 'is on or before',
  '>': 'is after',
  '>=': 'is on or after',
};

/** An operator of filters in words: is at least. One that is not known is returned as it is. */
export function operatorWord(operator: string, kind: FieldKind): string {
  return (kind === 'date' ? WORDS_OF_DATES[operator] : undefined) ?? WORDS[operator] ?? operator;
}

/** An operator in words, with its sign as requests have it: is at least (>=). */
export function operatorLabel(operator: string, kind: FieldKind): string {
  const word = operatorWord(operator, kind);
  return word === operator.replaceAll('_', ' ') ? word : `${word} (${operator})`;
}

/** How many values a filter with the operator has. */
export function operatorTakes(operator: string): 'none' | 'one' | 'list' {
  if (operator === 'is_empty' || operator === 'is_not_empty') return 'none';
  return operator === 'in' || operator === 'not_in' ? 'list' : 'one';
}
