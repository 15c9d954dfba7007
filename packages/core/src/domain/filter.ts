import {
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  type FilterOperator,
  isFilterOperator,
  type OperatorDefinition,
} from '@locmetrics/contract/filter-operators';
import type { Field } from './field.ts';

export {
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  type FilterOperator,
  isFilterOperator,
  type OperatorDefinition,
};

/**
 * A filter as a caller writes it: some operators, such as `in`, take `values`, others `value`; an empty text
 * means absent. Values are text on the wire; JSON may also write a number or a boolean.
 */
export type FilterClause = {
  readonly fieldName: string;
  readonly operator: string;
  readonly value: FilterValue;
  readonly values: readonly FilterValue[];
};

export type FilterValue = string | number | boolean;

/** The operators that a field supports, in the published order. */
export function supportedOperators({
  type,
  outline,
}: Pick<Field, 'type' | 'outline'>): readonly FilterOperator[] {
  if (outline === true) return [];
  return FILTER_OPERATOR_NAMES.filter((name) => FILTER_OPERATORS[name].types.includes(type));
}

/** The definition of an operator in either spelling; undefined for a text that is not an operator. */
export function operatorOf(operator: string): OperatorDefinition | undefined {
  const canonical = canonicalOperator(operator);
  return isFilterOperator(canonical) ? FILTER_OPERATORS[canonical] : undefined;
}

/** `not in` is another spelling of `not_in`. */
export function canonicalOperator(operator: string): string {
  return operator === 'not in' ? 'not_in' : operator;
}
