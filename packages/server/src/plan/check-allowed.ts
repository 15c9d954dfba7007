import type { SearchMetricValuesRequest } from '../domain/metric-request.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { LayerVersion, MetricVersion } from '../domain/version.ts';

/**
 * Refuses a filter on a value or id outside the list of the caller's grant, unless the request wants the
 * allowed part. Only the grant decides, never the data: it does not matter whether the value exists. A
 * list for a hidden component or dimension is ignored, because that name is refused as unknown.
 */
export function checkAllowed(
  request: SearchMetricValuesRequest,
  { grant, metric, layer, relatedLayer }: MetricVersion,
): void {
  if (grant === undefined || request.bestEffortQueryWhenNotAllowed) return;
  const { lens } = grant;
  const componentsOf = (seen: LayerVersion | undefined) =>
    (seen?.layer.addressComponents ?? []).map(({ component }) => component);
  checkLists(
    request.addressComponentFilter.map(({ component, values }) => [component, values]),
    lens.addressComponents.map(({ component, values }) => [component, values]),
    componentsOf(layer),
    '/addressComponentFilter',
  );
  checkLists(
    request.relatedAddressComponentFilter.map(({ component, values }) => [component, values]),
    lens.relatedAddressComponents.map(({ component, values }) => [component, values]),
    componentsOf(relatedLayer),
    '/relatedAddressComponentFilter',
  );
  checkLists(
    request.dimensionFilter.map(({ dimensionId, values }) => [dimensionId, values]),
    lens.dimensions.map(({ dimensionId, values }) => [dimensionId, values]),
    metric.dimensions.map(({ dimensionId }) => dimensionId),
    '/dimensionFilter',
  );
  checkIds(request.featureFilter, lens.features, '/featureFilter');
  checkIds(request.relatedFeatureFilter, lens.relatedFeatures, '/relatedFeatureFilter');
}

type NamedList = readonly [name: string, values: readonly string[]];

function checkLists(
  requested: readonly NamedList[],
  granted: readonly NamedList[],
  seen: readonly string[],
  pointer: string,
): void {
  for (const [index, [name, values]] of requested.entries()) {
    const lists = seen.includes(name) ? granted.filter(([other]) => other === name) : [];
    if (lists.length === 0) continue;
    const allowed = lists.flatMap(([, list]) => list);
    const outside = values.findIndex((value) => !allowed.includes(value));
    if (outside !== -1) throw notAllowed(`${pointer}/${index}/values/${outside}`);
  }
}

function checkIds(requested: readonly string[], granted: readonly string[], pointer: string): void {
  if (granted.length === 0) return;
  const outside = requested.findIndex((id) => !granted.includes(id));
  if (outside !== -1) throw notAllowed(`${pointer}/${outside}`);
}

function notAllowed(pointer: string): ServiceError {
  return ServiceError.atPointer(
    'FILTER_NOT_ALLOWED',
    pointer,
    'Your organisation may see only listed values of this filter, and this value is not in the list.',
    'Leave the value out, or send bestEffortQueryWhenNotAllowed to get the part that you may see.',
  );
}
