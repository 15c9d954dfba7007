import type { Metric } from '../domain/metric.ts';
import type { Predicate } from '../domain/predicate.ts';
import type { MetricVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { PageToken } from '../requests/page-token.ts';
import { memoize } from '../runtime/memoize.ts';
import { type MetricFilters, selectFilters } from './applied-filters.ts';
import { checkAllowed } from './check-allowed.ts';
import { checkOneArea } from './check-one-area.ts';
import type { MergedMetricRequest } from './merge-filters.ts';
import { metricTemplate, valueFields } from './metric-template.ts';
import { narrow } from './narrow-dataset.ts';
import {
  checkFeatureIds,
  planComponentFilters,
  planFeatureCircle,
  planFeaturePolygon,
} from './plan-feature-filters.ts';
import { planLayer } from './plan-layer.ts';
import { planDimensionFilters, planPeriodFilter, planValueFilters } from './plan-metric-filters.ts';
import { planPageSize } from './plan-page.ts';
import { readRecordPosition } from './positions.ts';
import type { ExtentPlan, RecordsPlan } from './read-plan.ts';
import { showFeatures } from './show-features.ts';

/** A request for metric values, the version that answers it, and the filters that apply. */
export type MetricSelection = {
  readonly request: MergedMetricRequest;
  readonly version: MetricVersion;
  /** The version with the parts of features that the answer has. */
  readonly shown: MetricVersion;
  readonly filters: MetricFilters;
};

export function selectMetricValues(
  request: MergedMetricRequest,
  version: MetricVersion,
): MetricSelection {
  return {
    request,
    version,
    shown: showFeatures(version, request),
    filters: selectFilters(request, version),
  };
}

/**
 * The plan of a page of metric values. `isWhole` means that every record of the version is a value that
 * passes the defaults of the metric (see `planExtent`), so that the checks for that are omitted.
 */
export function planMetricValues(
  selection: MetricSelection,
  { token, isWhole }: { readonly token: PageToken | undefined; readonly isWhole: boolean },
): RecordsPlan {
  const { request, version, shown } = selection;
  checkAllowed(
    request,
    version,
    'Leave the value out, or send bestEffortQueryWhenNotAllowed to get the part that you may see.',
  );
  const template = metricTemplate(version);
  const order = request.invertSortOrder ? template.invertedOrder : template.order;
  return {
    kind: 'records',
    version: version.values,
    fields: valueFields(shown),
    predicates: planMetricPredicates(selection, isWhole),
    order,
    keyDescending: request.invertSortOrder,
    after: token && readRecordPosition(token.position, order),
    limit: planPageSize(request.pageSize),
  };
}

/** The days and the number of all values of a metric that pass its defaults. */
export function planExtent(version: MetricVersion): ExtentPlan {
  const { start, end } = metricTemplate(version).period;
  const { values } = version;
  return { kind: 'extent', version: values, predicates: planDefaults(version), start, end };
}

/** A metric without the records that its default filters exclude, unless the grant lifts these. */
export const withDefaults = memoize((version: MetricVersion): MetricVersion => {
  const { values, grant, metric } = version;
  if (metric.defaultFilters.length === 0 || grant?.liftsDefaultFilters === true) return version;
  const { suppressed = [], predicates = [] } = values.narrowing ?? {};
  const narrowing = { suppressed, predicates: [...predicates, ...planDefaults(version)] };
  return { ...version, values: narrow(values, narrowing) };
});

/** The predicates of the values that a request selects. */
export function planMetricPredicates(
  { request, version, filters }: Pick<MetricSelection, 'request' | 'version' | 'filters'>,
  isWhole: boolean,
): readonly Predicate[] {
  const { metric, values, layer } = version;
  const { featureId, isOwn, period, presence } = metricTemplate(version);
  const pointers = { polygon: '/polygonFilter', circle: '/circleFilter' };
  checkOneArea({ polygon: request.polygonFilter, circle: request.circleFilter }, pointers);
  const components = [
    ...planComponentFilters(request.addressComponentFilter, layer, '/addressComponentFilter'),
    ...planFeaturePolygon(request.polygonFilter, layer, pointers.polygon),
    ...planFeatureCircle(request.circleFilter, layer, pointers.circle),
  ];
  const ids = request.featureFilter;
  checkFeatureIds(ids, '/featureFilter');
  const defaults = filters.defaults.map(({ predicate }) => predicate);
  return [
    ...(isWhole ? [] : presence),
    ...planLayer({
      field: featureId,
      layer,
      ids,
      components: isWhole ? components : [...components, ...defaults],
      isMember: isWhole,
      isOwn,
      period: isWhole ? undefined : period,
    }),
    ...planRelated(request, version, isWhole),
    ...planPeriodFilter(request.observationPeriodFilter, period),
    ...planDimensionFilters(filters.dimensions, metric, values.dataset),
    ...planValueFilters(request.valueFilter, metric, values.dataset),
  ];
}

/** The predicates that apply to every request for values of the metric. */
function planDefaults(version: MetricVersion): readonly Predicate[] {
  const { featureId, related, isOwn, period, presence, defaultFilters } = metricTemplate(version);
  return [
    ...presence,
    ...planLayer({
      field: featureId,
      layer: version.layer,
      ids: [],
      components: defaultFilters.map(({ predicate }) => predicate),
      isMember: false,
      isOwn,
      period,
    }),
    ...(related === undefined
      ? []
      : planLayer({
          field: related.featureId,
          layer: related.layer,
          ids: [],
          components: [],
          isMember: false,
          isOwn: false,
        })),
  ];
}

function planRelated(
  request: MergedMetricRequest,
  version: MetricVersion,
  isWhole: boolean,
): readonly Predicate[] {
  const { relatedFeatureFilter: ids, relatedAddressComponentFilter: filters } = request;
  const { related } = metricTemplate(version);
  if (related === undefined) {
    const { metric } = version;
    if (ids.length > 0) throw noRelatedLayer(metric, '/relatedFeatureFilter');
    if (filters.sent.length > 0) throw noRelatedLayer(metric, '/relatedAddressComponentFilter');
    return [];
  }
  checkFeatureIds(ids, '/relatedFeatureFilter');
  return planLayer({
    field: related.featureId,
    layer: related.layer,
    ids,
    components: planComponentFilters(filters, related.layer, '/relatedAddressComponentFilter'),
    isMember: isWhole,
    isOwn: false,
  });
}

function noRelatedLayer({ metricId }: Metric, pointer: string): ServiceError {
  return ServiceError.atPointer(
    'UNSUPPORTED_FILTER',
    pointer,
    `The metric '${metricId}' has no related layer, so it cannot be filtered by related features.`,
    'Leave the filter out; featureFilter and addressComponentFilter apply to the feature itself.',
  );
}
