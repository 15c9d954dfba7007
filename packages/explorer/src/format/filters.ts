import type { FieldDefinition, FilterClause } from '@locmetrics/client';
import { formatDay } from './dates.ts';
import { fieldKind } from './fields.ts';
import { clearTexts } from './lists.ts';
import { operatorTakes, operatorWord } from './operators.ts';

/** The parts of a filter in words, for example: region, is one of, CA, NV and 3 more. */
export function filterWords(
  { fieldName, operator, value, values = [] }: FilterClause,
  field: FieldDefinition | undefined,
): { readonly field: string; readonly operator: string; readonly value: string } {
  const kind = field === undefined ? 'string' : fieldKind(field);
  const word = (one: unknown): string => {
    if (kind === 'boolean') return String(one) === 'true' ? 'yes' : 'no';
    return kind === 'date' ? formatDay(String(one)) : String(one);
  };
  const takes = operatorTakes(operator);
  const one = value === undefined ? '' : word(value);
  return {
    field: fieldName,
    operator: operatorWord(operator, kind),
    value:
      takes === 'none'
        ? ''
        : takes === 'one'
          ? one
          : listWords(kind === 'string' ? clearTexts(values.map(word)) : values.map(word)),
  };
}

/** A filter of a dataset as one text: region is one of CA, NV. */
export function filterText(
  { fields }: { readonly fields: readonly FieldDefinition[] },
  filter: FilterClause,
): string {
  const field = fields.find(({ name }) => name === filter.fieldName);
  return Object.values(filterWords(filter, field)).join(' ').trim();
}

/** Filters as a line below a title. */
export function filtersText(
  dataset: { readonly fields: readonly FieldDefinition[] },
  filters: readonly FilterClause[] = [],
): string {
  return filters.map((filter) => filterText(dataset, filter)).join(' · ');
}

/** How many values of a list are named. */
const NAMED = 3;

function listWords(values: readonly string[]): string {
  const rest = values.length - NAMED;
  if (rest <= 0) return values.join(', ');
  return `${values.slice(0, NAMED).join(', ')} and ${rest} more`;
}
