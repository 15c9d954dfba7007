import type { Dataset } from '../domain/dataset.ts';
import { type FilterClause, operatorOf } from '../domain/filter.ts';
import type { Predicate } from '../domain/predicate.ts';
import { planFilters } from './plan-filters.ts';

/**
 * The predicates of the filters of a grant. A filter that leaves values of a field out leaves out their total too, which
 * has a text of its own: `age != child` would let the total of all ages through. A filter that lists values shows the
 * total only if it lists its text; no total has an absent value.
 */
export function planGrantFilters(
  filters: readonly FilterClause[],
  dataset: Dataset,
): readonly Predicate[] {
  const labels = new Map(dataset.fields.map(({ name, totalLabel }) => [name, totalLabel]));
  const withoutTotals = filters.flatMap(({ fieldName, operator }): readonly FilterClause[] => {
    const label = labels.get(fieldName);
    if (label === undefined || operatorOf(operator)?.names === 'matches') return [];
    return [{ fieldName, operator: '!=', value: label, values: [] }];
  });
  return [...planFilters(filters, dataset), ...planFilters(withoutTotals, dataset)];
}
