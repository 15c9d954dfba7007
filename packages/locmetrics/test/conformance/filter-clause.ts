import type { FilterClause, FilterValue } from '@locmetrics/core/domain/filter';

/** A filter with one value, or with none. */
export function where(fieldName: string, operator: string, value: FilterValue = ''): FilterClause {
  return { fieldName, operator, value, values: [] };
}

/** A filter with a list of values. */
export function whereIn(
  fieldName: string,
  operator: string,
  values: readonly FilterValue[],
): FilterClause {
  return { fieldName, operator, value: '', values };
}
