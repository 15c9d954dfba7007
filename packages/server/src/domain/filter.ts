import type { FieldType } from './field.ts';

/** Every operator of a filter clause, as written on the wire. */
export const FILTER_OPERATORS = [
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'ends_with',
  'is_empty',
  'is_not_empty',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/**
 * A filter as a caller writes it: `in` and `not_in` take `values`, the others `value`; an empty text
 * means absent. Values are text on the wire; JSON may also write a number or a boolean.
 */
export type FilterClause = {
  readonly fieldName: string;
  readonly operator: string;
  readonly value: FilterValue;
  readonly values: readonly FilterValue[];
};

export type FilterValue = string | number | boolean;

const PRESENCE = ['is_empty', 'is_not_empty'] as const;
const EQUALITY = ['==', '!='] as const;
const MEMBERSHIP = ['in', 'not_in'] as const;

const TEXT_OPERATORS: readonly FilterOperator[] = [
  ...EQUALITY,
  ...MEMBERSHIP,
  'contains',
  'starts_with',
  'ends_with',
  ...PRESENCE,
];
const ORDERED_OPERATORS: readonly FilterOperator[] = [
  ...EQUALITY,
  '<',
  '<=',
  '>',
  '>=',
  ...MEMBERSHIP,
  ...PRESENCE,
];
const BOOLEAN_OPERATORS: readonly FilterOperator[] = [...EQUALITY, ...PRESENCE];

/** The operators that a field of this type supports, in the published order. */
export function supportedOperators(type: FieldType): readonly FilterOperator[] {
  switch (type) {
    case 'string':
      return TEXT_OPERATORS;
    case 'integer':
    case 'float':
    case 'date':
      return ORDERED_OPERATORS;
    case 'boolean':
      return BOOLEAN_OPERATORS;
  }
}

/** `not in` is another spelling of `not_in`. */
export function canonicalOperator(operator: string): string {
  return operator === 'not in' ? 'not_in' : operator;
}
