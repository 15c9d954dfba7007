import type { AdminExplainAnswer, AdminExplainedQuery } from '@locmetrics/contract';

type Optional = 'fields' | 'pageSize' | 'isLaterPage' | 'boundUs';

/** A query of an explanation. Absent members have no value. */
type Explained = Omit<AdminExplainedQuery, Optional | 'filters' | 'order' | 'onlyIf'> & {
  readonly [Name in Optional]?: NonNullable<AdminExplainedQuery[Name]>;
} & { readonly [Name in 'filters' | 'order' | 'onlyIf']: readonly string[] };

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
    order: [...query.order],
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
