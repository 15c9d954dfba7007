import type { AdminRequest, GrantTerms } from '@locmetrics/client/admin';
import { operatorTakes } from '../../format/operators.ts';
import type { GrantParts } from './grant-words.ts';

/** A filter while it is written: one text for all values. */
export type FilterDraft = {
  readonly id: number;
  readonly fieldName: string;
  readonly operator: string;
  readonly text: string;
};

/** A grant while it is written. Lists are texts with commas. */
export type GrantDraft = {
  readonly pattern: string;
  readonly filters: readonly FilterDraft[];
  /** Undefined: all fields, also later ones. */
  readonly fields: readonly string[] | undefined;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly features: string;
  /** Lines such as `us_state_2020: 06, 32`. */
  readonly components: string;
  readonly dimensions: string;
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
  features: '',
  components: '',
  dimensions: '',
  from: '',
  until: '',
  showsSmallCells: false,
  liftsDefaultFilters: false,
};

export function isOfMetrics({ pattern }: Pick<GrantDraft, 'pattern'>): boolean {
  return pattern.includes('/');
}

/** The grant as a request has it. What does not belong to its kind of pattern is left out. */
export function toTerms(draft: GrantDraft): GrantTerms {
  const features = toList(draft.features);
  const metricParts = {
    observationPeriodFilter: {
      ...(draft.periodStart === '' ? {} : { start: draft.periodStart }),
      ...(draft.periodEnd === '' ? {} : { end: draft.periodEnd }),
    },
    featureFilter: features.length === 0 ? undefined : features,
    addressComponentFilter: toGroups(draft.components).map(({ name, values }) => ({
      component: name,
      values,
    })),
    dimensionFilter: toGroups(draft.dimensions).map(({ name, values }) => ({
      dimensionId: name,
      values,
    })),
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
    observationPeriodFilter: isOfMetrics(draft)
      ? {
          ...(draft.periodStart === '' ? {} : { start: draft.periodStart }),
          ...(draft.periodEnd === '' ? {} : { end: draft.periodEnd }),
        }
      : {},
    addressComponentFilter: terms.addressComponentFilter ?? [],
    dimensionFilter: terms.dimensionFilter ?? [],
    featureFilter: terms.featureFilter ?? [],
    relatedAddressComponentFilter: [],
    relatedFeatureFilter: [],
    from: terms.from ?? null,
    until: terms.until ?? null,
    showsSmallCells: draft.showsSmallCells,
    liftsDefaultFilters: terms.liftsDefaultFilters ?? false,
  };
}

export function toRequest(draft: GrantDraft, organisationId: string): AdminRequest<'addGrant'> {
  return { organisationId, ...toTerms(draft) };
}

function toClause({ fieldName, operator, text }: FilterDraft) {
  switch (operatorTakes(operator)) {
    case 'none':
      return { fieldName, operator };
    case 'one':
      return { fieldName, operator, value: text.trim() };
    case 'list':
      return { fieldName, operator, values: toList(text) };
  }
}

function toList(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function toGroups(
  text: string,
): readonly { readonly name: string; readonly values: readonly string[] }[] {
  return text
    .split(/[;\n]/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split(':');
      return { name: name.trim(), values: toList(rest.join(':')) };
    });
}
