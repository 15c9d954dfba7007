import type { AddressComponent } from '../domain/layer.ts';
import type { Dimension } from '../domain/metric.ts';
import { type SearchRule, type SearchText, searchRuleOf } from '../domain/search-text.ts';
import type { LayerVersion, MetricVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import type {
  SearchAddressComponentValuesRequest,
  SearchDimensionValuesRequest,
} from '../requests/metric-request.ts';
import type { PageToken, PositionValue } from '../requests/page-token.ts';
import { checkStoredText } from '../text/stored-text.ts';
import { checkCount } from './plan-feature-filters.ts';
import { checkSearchRule, planPageSize } from './plan-page.ts';
import { planQuery } from './plan-query.ts';
import type { NamedValuePosition, NamedValuesPlan, NamedValuesSource } from './read-plan.ts';
import { optionalField, roleField } from './role-fields.ts';

const VALUE_IDS_MAX = 10_000;

/** An address component together with a layer whose features have it. */
export type ComponentSource = {
  readonly layer: LayerVersion;
  readonly component: AddressComponent;
};

/** The values of an address component in all layers of a catalog. */
export function planComponentValues(
  request: SearchAddressComponentValuesRequest,
  sources: readonly ComponentSource[],
  token: PageToken | undefined,
): NamedValuesPlan {
  checkCount(request.valueIds, VALUE_IDS_MAX, '/valueIds', 'values');
  if (request.freeFormTarget !== '') {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/freeFormTarget',
      'This service does not support free-form targets.',
      'Leave freeFormTarget out and send the search text as query.',
    );
  }
  for (const [index, id] of request.valueIds.entries()) checkStoredText(id, `/valueIds/${index}`);
  const found = sources.map(({ layer, component }) =>
    toSource(layer.features, component.fields.value, component.fields),
  );
  const query = planQuery(request.query, searchRuleOfSources(found), '/query');
  return {
    ...planPage(request, token, query),
    sources: found,
    values: request.valueIds.length === 0 ? undefined : request.valueIds,
    query,
  };
}

/** A dimension together with a metric whose values have it. */
export type DimensionSource = { readonly metric: MetricVersion; readonly dimension: Dimension };

/** The values of a dimension in all metrics of a catalog. */
export function planDimensionValues(
  request: SearchDimensionValuesRequest,
  sources: readonly DimensionSource[],
  token: PageToken | undefined,
): NamedValuesPlan {
  const found = sources.map(({ metric, dimension: { fields } }) =>
    toSource(metric.values, fields.value, fields),
  );
  const text = withoutWildcard(request.query);
  const query = planQuery(text, searchRuleOfSources(found), '/query');
  return { ...planPage(request, token, query), sources: found, query };
}

export function searchRuleOfSources(sources: readonly NamedValuesSource[]): SearchRule {
  return searchRuleOf(sources.map(({ version }) => version.dataset));
}

/** Clients of this interface append a star to their search text. */
function withoutWildcard(query: string): string {
  return query.endsWith('*') ? query.slice(0, -1) : query;
}

function toSource(
  version: NamedValuesSource['version'],
  value: string,
  names: { readonly shortName?: string; readonly displayName?: string },
): NamedValuesSource {
  const { dataset } = version;
  return {
    version,
    value: roleField(dataset, value),
    shortName: optionalField(dataset, names.shortName),
    displayName: optionalField(dataset, names.displayName),
  };
}

function planPage(
  { pageSize }: { readonly pageSize: number },
  token: PageToken | undefined,
  query: SearchText | undefined,
): Pick<NamedValuesPlan, 'kind' | 'limit' | 'after'> {
  checkSearchRule(token, query?.rule);
  return {
    kind: 'named_values',
    limit: planPageSize(pageSize),
    after: token && { rank: Number(token.position[0]), value: String(token.position[1]) },
  };
}

export function writeNamedValuePosition({
  rank,
  value,
}: NamedValuePosition): readonly PositionValue[] {
  return [rank, value];
}
