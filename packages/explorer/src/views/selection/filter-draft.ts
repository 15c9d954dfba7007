import type { FieldDefinition, FilterClause } from '@locmetrics/client';
import { fieldKind } from '../../format/fields.ts';
import { operatorTakes } from '../../format/operators.ts';

/** A filter while it is written. */
export type FilterDraft = {
  readonly field: FieldDefinition | undefined;
  readonly operator: string;
  /** The text in the input of the value. */
  readonly value: string;
  /** The values that a list has so far. */
  readonly values: readonly string[];
};

/** The draft of a filter, or an empty one. */
export function draftOf(
  filter: FilterClause | undefined,
  fields: readonly FieldDefinition[],
): FilterDraft {
  const field = fields.find(({ name }) => name === filter?.fieldName);
  return {
    field,
    operator: filter?.operator ?? '',
    value: filter?.value === undefined ? '' : String(filter.value),
    values: (filter?.values ?? []).map(String),
  };
}

/** The draft with another field. An operator stays if the field has it, and its value with it if the type is the same. */
export function withField(draft: FilterDraft, field: FieldDefinition): FilterDraft {
  if (draft.field?.name === field.name) return draft;
  const { supportedOperators } = field.filters;
  const isSameType = draft.field?.type === field.type;
  return {
    field,
    operator: supportedOperators.includes(draft.operator)
      ? draft.operator
      : (supportedOperators[0] ?? '=='),
    value: isSameType ? draft.value : fieldKind(field) === 'boolean' ? 'true' : '',
    values: isSameType ? draft.values : [],
  };
}

/** The list with one more value. */
export function withValue(values: readonly string[], value: string): readonly string[] {
  const isNew = value.trim() !== '' && !values.includes(value);
  return isNew ? [...values, value] : values;
}

/** The filter of a draft. Undefined: it has no field yet, or a list without values. */
export function toFilter({
  field,
  operator,
  value,
  values,
}: FilterDraft): FilterClause | undefined {
  if (field === undefined) return undefined;
  const { name: fieldName } = field;
  switch (operatorTakes(operator)) {
    case 'none':
      return { fieldName, operator };
    case 'one':
      return { fieldName, operator, value };
    case 'list': {
      const all = withValue(values, value);
      return all.length === 0 ? undefined : { fieldName, operator, values: all };
    }
  }
}
