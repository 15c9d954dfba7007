import { FILTER_OPERATORS, isFilterOperator } from '@locmetrics/contract/filter-operators';
import type { FieldKind } from './fields.ts';

/** An operator of filters in words: is at least. One that is not known is returned as it is. */
export function operatorWord(operator: string, kind: FieldKind): string {
  if (!isFilterOperator(operator)) return operator;
  const { words, dateWords } = FILTER_OPERATORS[operator];
  return kind === 'date' ? (dateWords ?? words) : words;
}

/** An operator in words, with its sign as requests have it: is at least (>=). */
export function operatorLabel(operator: string, kind: FieldKind): string {
  const word = operatorWord(operator, kind);
  return word === operator.replaceAll('_', ' ') ? word : `${word} (${operator})`;
}

/** How many values a filter with the operator has. */
export function operatorTakes(operator: string): 'none' | 'one' | 'list' {
  return isFilterOperator(operator) ? FILTER_OPERATORS[operator].takes : 'one';
}

/** Whether a filter with the operator names values that a field can have, so that these are offered. */
export function operatorNamesValues(operator: string): boolean {
  return isFilterOperator(operator) && FILTER_OPERATORS[operator].names !== undefined;
}
