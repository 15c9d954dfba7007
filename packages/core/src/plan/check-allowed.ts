import type { MetricVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import { componentOf, dimensionOf, type MergedMetricRequest } from './merge-filters.ts';
import { metricTemplate } from './metric-template.ts';

/**
 * Refuses a filter on a value or id outside the list of the caller's grant, unless the request wants the
 * allowed part. Only the grant decides, never the data: it does not matter whether the value exists. A
 * list for a hidden component or dimension is ignored, because that name is refused as unknown. `hint` says what to do.
 */
export function checkAllowed(
  request: MergedMetricRequest,
  version: MetricVersion,
  hint: string,
): void {
  const { grant } = version;
  if (grant === undefined || request.bestEffortQueryWhenNotAllowed) return;
  const { granted } = metricTemplate(version);
  checkLists({
    sent: request.addressComponentFilter.sent,
    granted: granted.addressComponents,
    nameOf: componentOf,
    pointer: '/addressComponentFilter',
    hint,
  });
  checkLists({
    sent: request.relatedAddressComponentFilter.sent,
    granted: granted.relatedAddressComponents,
    nameOf: componentOf,
    pointer: '/relatedAddressComponentFilter',
    hint,
  });
  checkLists({
    sent: request.dimensionFilter.sent,
    granted: granted.dimensions,
    nameOf: dimensionOf,
    pointer: '/dimensionFilter',
    hint,
  });
  checkIds({
    sent: request.featureFilter,
    granted: grant.lens.features,
    pointer: '/featureFilter',
    hint,
  });
  checkIds({
    sent: request.relatedFeatureFilter,
    granted: grant.lens.relatedFeatures,
    pointer: '/relatedFeatureFilter',
    hint,
  });
}

function checkLists<Filter extends { readonly values: readonly string[] }>({
  sent,
  granted,
  nameOf,
  pointer,
  hint,
}: {
  readonly sent: readonly Filter[];
  readonly granted: readonly Filter[];
  readonly nameOf: (filter: Filter) => string;
  readonly pointer: string;
  readonly hint: string;
}): void {
  for (const [index, filter] of sent.entries()) {
    const lists = granted.filter((list) => nameOf(list) === nameOf(filter));
    if (lists.length === 0) continue;
    const allowed = lists.flatMap(({ values }) => values);
    const outside = filter.values.findIndex((value) => !allowed.includes(value));
    if (outside !== -1) throw notAllowed(`${pointer}/${index}/values/${outside}`, hint);
  }
}

function checkIds({
  sent,
  granted,
  pointer,
  hint,
}: {
  readonly sent: readonly string[];
  readonly granted: readonly string[];
  readonly pointer: string;
  readonly hint: string;
}): void {
  if (granted.length === 0) return;
  const outside = sent.findIndex((id) => !granted.includes(id));
  if (outside !== -1) throw notAllowed(`${pointer}/${outside}`, hint);
}

function notAllowed(pointer: string, hint: string): ServiceError {
  return ServiceError.atPointer(
    'FILTER_NOT_ALLOWED',
    pointer,
    'Your organisation may see only listed values of this filter, and this value is not in the list.',
    hint,
  );
}
