import type { Dataset } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { AddressComponentFilter, Metric, PeriodDay } from '../domain/metric.ts';
import type { SearchMetricValuesRequest } from '../domain/metric-request.ts';
import type { PageToken } from '../domain/page-token.ts';
import type { Day, Predicate } from '../domain/predicate.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { MetricVersion } from '../domain/version.ts';
import { standingFilters } from './applied-filters.ts';
import { checkAllowed } from './check-allowed.ts';
import { featureFields } from './feature-fields.ts';
import { narrow } from './narrow-dataset.ts';
import { checkFeatureIds, planComponentFilters } from './plan-feature-filters.ts';
import { isOwnLayer, planLayer } from './plan-layer.ts';
import { planDimensionFilters, planPeriodFilter, planValueFilters } from './plan-metric-filters.ts';
import { planPageSize } from './plan-page.ts';
import { readRecordPosition } from './positions.ts';
import type { ExtentPlan, OrderTerm, RecordsPlan } from './read-plan.ts';
import { roleField } from './role-fields.ts';

/**
 * The plan of a page of metric values. `isWhole` means that every record of the version is a value that
 * passes the defaults of the metric (see `planExtent`), so that the checks for that are omitted.
 */
export function planMetricValues(
  request: SearchMetricValuesRequest,
  version: MetricVersion,
  { token, isWhole }: { readonly token: PageToken | undefined; readonly isWhole: boolean },
): RecordsPlan {
  checkAllowed(request, version);
  const { invertSortOrder } = request;
  const order = valueOrder(version, invertSortOrder);
  return {
    kind: 'records',
    version: version.values,
    fields: valueFields(version),
    predicates: planMetricPredicates(request, version, isWhole),
    order,
    keyDescending: invertSortOrder,
    ...(token === undefined ? {} : { after: readRecordPosition(token.position, order) }),
    limit: planPageSize(request.pageSize),
  };
}

/** The days and the number of all values of a metric that pass its defaults. */
export function planExtent(version: MetricVersion): ExtentPlan {
  const { metric, values } = version;
  return {
    kind: 'extent',
    version: values,
    predicates: planDefaults(version),
    start: dayOf(metric.period.start, values.dataset),
    end: dayOf(metric.period.end, values.dataset),
  };
}

/** A metric without the records that its default filters exclude, unless the grant lifts these. */
export function withDefaults(version: MetricVersion): MetricVersion {
  const { values, grant, metric } = version;
  if (metric.defaultFilters.length === 0 || grant?.liftsDefaultFilters === true) return version;
  const { suppressed = [], predicates = [] } = values.narrowing ?? {};
  const narrowing = { suppressed, predicates: [...predicates, ...planDefaults(version)] };
  return { ...version, values: narrow(values, narrowing) };
}

/** The fields of the values of a metric, with those of the feature if they are in the same record. */
function valueFields(version: MetricVersion): readonly Field[] {
  const { metric, values, layer } = version;
  const { period, measures, dimensions, flags, related } = metric;
  const names = [
    metric.featureId,
    ...(related === undefined ? [] : [related.featureId]),
    ...[period.start, period.end].flatMap((day) => ('field' in day ? [day.field] : [])),
    ...measures.map(({ field }) => field),
    ...dimensions.flatMap(({ fields }) => [fields.value, fields.displayName ?? fields.value]),
    ...flags.map(({ field }) => field),
  ];
  const own = names.map((name) => roleField(values.dataset, name));
  return [...new Set([...own, ...(isOwnLayer(version) ? featureFields(layer) : [])])];
}

function planMetricPredicates(
  request: SearchMetricValuesRequest,
  version: MetricVersion,
  isWhole: boolean,
): readonly Predicate[] {
  const { metric, values, layer } = version;
  const components = planComponentFilters(
    request.addressComponentFilter,
    layer,
    '/addressComponentFilter',
  );
  const ids = request.featureFilter;
  checkFeatureIds(ids, '/featureFilter');
  return [
    ...(isWhole ? [] : planPresence(version)),
    ...planLayer({
      field: roleField(values.dataset, metric.featureId),
      layer,
      ids,
      components: isWhole
        ? components
        : [...components, ...planDefaultFilters(version, request.addressComponentFilter)],
      isMember: isWhole,
      isOwn: isOwnLayer(version),
      ...(isWhole ? {} : { period: periodDays(version) }),
    }),
    ...planRelated(request, version, isWhole),
    ...planPeriodFilter(request.observationPeriodFilter, periodDays(version)),
    ...planDimensionFilters(request.dimensionFilter, metric, values.dataset),
    ...planValueFilters(request.valueFilter, metric, values.dataset),
  ];
}

/** The predicates that apply to every request for values of the metric. */
function planDefaults(version: MetricVersion): readonly Predicate[] {
  const { metric, values, layer, relatedLayer } = version;
  const { related } = metric;
  return [
    ...planPresence(version),
    ...planLayer({
      field: roleField(values.dataset, metric.featureId),
      layer,
      ids: [],
      components: planDefaultFilters(version),
      isMember: false,
      isOwn: isOwnLayer(version),
      period: periodDays(version),
    }),
    ...(related === undefined || relatedLayer === undefined
      ? []
      : planLayer({
          field: roleField(values.dataset, related.featureId),
          layer: relatedLayer,
          ids: [],
          components: [],
          isMember: false,
          isOwn: false,
        })),
  ];
}

function planRelated(
  request: SearchMetricValuesRequest,
  { metric, values, relatedLayer }: MetricVersion,
  isWhole: boolean,
): readonly Predicate[] {
  const { relatedFeatureFilter: ids, relatedAddressComponentFilter: filters } = request;
  if (metric.related === undefined || relatedLayer === undefined) {
    if (ids.length > 0) throw noRelatedLayer(metric, '/relatedFeatureFilter');
    if (filters.length > 0) throw noRelatedLayer(metric, '/relatedAddressComponentFilter');
    return [];
  }
  checkFeatureIds(ids, '/relatedFeatureFilter');
  return planLayer({
    field: roleField(values.dataset, metric.related.featureId),
    layer: relatedLayer,
    ids,
    components: planComponentFilters(filters, relatedLayer, '/relatedAddressComponentFilter'),
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

function planDefaultFilters(
  version: MetricVersion,
  requested: readonly AddressComponentFilter[] = [],
): readonly Predicate[] {
  const defaults = standingFilters(version, requested);
  return planComponentFilters(defaults, version.layer, '/addressComponentFilter');
}

/** A record without a period is not a value. */
function planPresence(version: MetricVersion): readonly Predicate[] {
  const { key } = version.values.dataset;
  const { start, end } = periodDays(version);
  return [start, end].flatMap((day): readonly Predicate[] =>
    // A field of the key is present in every record.
    typeof day === 'string' || key.includes(day.name)
      ? []
      : [{ kind: 'empty', field: day, negated: true }],
  );
}

/** The days of the period of a value. */
export function periodDays({ metric, values }: MetricVersion): {
  readonly start: Day;
  readonly end: Day;
} {
  const { start, end } = metric.period;
  return { start: dayOf(start, values.dataset), end: dayOf(end, values.dataset) };
}

function dayOf(day: PeriodDay, dataset: Dataset): Day {
  return 'day' in day ? day.day : roleField(dataset, day.field);
}

/**
 * Sorts by feature, start of the period, related feature and dimensions, absent values last, then by key;
 * the inverted order reverses all of it. If that equals the order of the key, no terms are needed.
 */
function valueOrder(version: MetricVersion, isInverted: boolean): readonly OrderTerm[] {
  const { metric, values } = version;
  const { period, related, dimensions } = metric;
  const names = [
    metric.featureId,
    ...('field' in period.start ? [period.start.field] : []),
    ...(related === undefined ? [] : [related.featureId]),
    ...dimensions.map(({ fields }) => fields.value),
  ];
  const { key } = values.dataset;
  if (key.every((name, index) => index >= names.length || names[index] === name)) return [];
  return names.map((name) => ({
    kind: 'field',
    field: roleField(values.dataset, name),
    descending: isInverted,
    absentFirst: isInverted,
  }));
}
