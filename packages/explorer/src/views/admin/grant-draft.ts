import type { AdminRequest, Grant, GrantTerms } from '@locmetrics/client/admin';
import { operatorTakes } from '../../format/operators.ts';
import type { GrantParts } from './grant-words.ts';

/** A filter while it is written. An operator that takes one value has at most one. */
export type FilterDraft = {
  readonly id: number;
  readonly fieldName: string;
  readonly operator: string;
  readonly values: readonly string[];
};

/** The values of a component or dimension while they are written. */
export type GroupDraft = {
  readonly id: number;
  readonly name: string;
  readonly values: readonly string[];
};

/** A grant while it is written. */
export type GrantDraft = {
  readonly pattern: string;
  readonly filters: readonly FilterDraft[];
  /** Undefined: all fields, also later ones. */
  readonly fields: readonly string[] | undefined;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly features: readonly string[];
  readonly components: readonly GroupDraft[];
  readonly dimensions: readonly GroupDraft[];
  readonly relatedFeatures: readonly string[];
  readonly relatedComponents: readonly GroupDraft[];
  readonly from: string;
  readonly until: string;
  readonly showsSmallCells: boolean;
  readonly liftsDefaultFilters: boolean;
};

export const EMPTY_DRAFT: GrantDraft = {
  pattern: '',
  filters: [],
  fields: undefined,
  periodStart: '',
  periodEnd: '',
  features: [],
  components: [],
  dimensions: [],
  relatedFeatures: [],
  relatedComponents: [],
  from: '',
  until: '',
  showsSmallCells: false,
  liftsDefaultFilters: false,
};

/** The present terms of a grant, to edit them. */
export function toDraft(grant: Grant): GrantDraft {
  const components = (filters: Grant['addressComponentFilter']): readonly GroupDraft[] =>
    filters.map(({ component, values }, id) => ({ id, name: component, values }));
  return {
    pattern: grant.pattern,
    filters: grant.filters.map(({ fieldName, operator, value, values }, id) => ({
      id,
      fieldName,
      operator: operator === 'not in' ? 'not_in' : operator,
      values: operatorTakes(operator) === 'one' ? [String(value)] : values.map(String),
    })),
    fields: grant.fields ?? undefined,
    periodStart: grant.observationPeriodFilter.start ?? '',
    periodEnd: grant.observationPeriodFilter.end ?? '',
    features: grant.featureFilter,
    components: components(grant.addressComponentFilter),
    dimensions: grant.dimensionFilter.map(({ dimensionId, values }, id) => ({
      id,
      name: dimensionId,
      values,
    })),
    relatedFeatures: grant.relatedFeatureFilter,
    relatedComponents: components(grant.relatedAddressComponentFilter),
    from: grant.from ?? '',
    until: grant.until ?? '',
    showsSmallCells: grant.showsSmallCells,
    liftsDefaultFilters: grant.liftsDefaultFilters,
  };
}

export function isOfMetrics({ pattern }: Pick<GrantDraft, 'pattern'>): boolean {
  return pattern.includes('/');
}

/** The grant as a request has it. What does not belong to its kind of pattern is left out. */
export function toTerms(draft: GrantDraft): GrantTerms {
  const components = (groups: readonly GroupDraft[]) =>
    groups.map(({ name, values }) => ({ component: name, values }));
  const metricParts = {
    observationPeriodFilter: toPeriod(draft),
    featureFilter: draft.features,
    addressComponentFilter: components(draft.components),
    dimensionFilter: draft.dimensions.map(({ name, values }) => ({ dimensionId: name, values })),
    relatedFeatureFilter: draft.relatedFeatures,
    relatedAddressComponentFilter: components(draft.relatedComponents),
    liftsDefaultFilters: draft.liftsDefaultFilters,
  };
  return {
    pattern: draft.pattern.trim(),
    filters: draft.filters.map(toClause),
    fields: draft.fields,
    from: draft.from === '' ? undefined : draft.from,
    until: draft.until === '' ? undefined : draft.until,
    showsSmallCells: draft.showsSmallCells,
    ...(isOfMetrics(draft) ? metricParts : {}),
  };
}

/** The parts that the sentences about a grant are made from. */
export function toParts(draft: GrantDraft): GrantParts {
  const terms = toTerms(draft);
  return {
    pattern: terms.pattern,
    filters: (terms.filters ?? []).map(({ value = '', values = [], ...rest }) => ({
      ...rest,
      value,
      values,
    })),
    fields: terms.fields ?? null,
    observationPeriodFilter: isOfMetrics(draft) ? toPeriod(draft) : {},
    addressComponentFilter: terms.addressComponentFilter ?? [],
    dimensionFilter: terms.dimensionFilter ?? [],
    featureFilter: terms.featureFilter ?? [],
    relatedAddressComponentFilter: terms.relatedAddressComponentFilter ?? [],
    relatedFeatureFilter: terms.relatedFeatureFilter ?? [],
    from: terms.from ?? null,
    until: terms.until ?? null,
    showsSmallCells: draft.showsSmallCells,
    liftsDefaultFilters: terms.liftsDefaultFilters ?? false,
  };
}

export function toRequest(draft: GrantDraft, organisationId: string): AdminRequest<'addGrant'> {
  return { organisationId, ...toTerms(draft) };
}

export function toClause({ fieldName, operator, values }: Omit<FilterDraft, 'id'>) {
  switch (operatorTakes(operator)) {
    case 'none':
      return { fieldName, operator };
    case 'one':
      return { fieldName, operator, value: values[0] ?? '' };
    case 'list':
      return { fieldName, operator, values };
  }
}

function toPeriod({ periodStart, periodEnd }: GrantDraft) {
  return {
    ...(periodStart === '' ? {} : { start: periodStart }),
    ...(periodEnd === '' ? {} : { end: periodEnd }),
  };
}
