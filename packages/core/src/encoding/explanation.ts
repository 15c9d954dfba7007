import type { AdminExplainAnswer, AdminExplainedQuery } from '@locmetrics/contract';

type Optional = 'fields' | 'pageSize' | 'isLaterPage' | 'boundUs';
type List = 'filters' | 'rights' | 'order' | 'steps' | 'onlyIf';
type OptionalList = 'groups' | 'aggregates';

/** A query of an explanation. Absent members have no value. */
type Explained = Omit<AdminExplainedQuery, Optional | List | OptionalList> & {
  readonly [Name in Optional]?: NonNullable<AdminExplainedQuery[Name]>;
} & { readonly [Name in List]: readonly string[] } & {
  readonly [Name in OptionalList]?: readonly string[];
};

/** An explanation, as the admin interface and the command line show it. */
export function toExplainAnswer(queries: readonly Explained[]): AdminExplainAnswer {
  return { queries: queries.map(toQuery) };
}

function toQuery(query: Explained): AdminExplainedQuery {
  return {
    plan: query.plan,
    dataset: query.dataset,
    version: query.version,
    filters: [...query.filters],
    rights: [...query.rights],
    groups: query.groups === undefined ? null : [...query.groups],
    aggregates: query.aggregates === undefined ? null : [...query.aggregates],
    order: [...query.order],
    steps: [...query.steps],
    fields: query.fields ?? null,
    pageSize: query.pageSize ?? null,
    isLaterPage: query.isLaterPage ?? null,
    store: query.store,
    access: query.access,
    boundUs: query.boundUs ?? null,
    reason: query.reason,
    onlyIf: [...query.onlyIf],
  };
}
