import type { PeriodFilter } from '../dates/period.ts';
import type { Field } from '../domain/field.ts';
import type { Metric } from '../domain/metric.ts';
import type { Day, Predicate } from '../domain/predicate.ts';
import type { MetricVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ReadLayerTileRequest } from '../requests/metric-request.ts';
import { selectFilters } from './applied-filters.ts';
import { checkAllowed } from './check-allowed.ts';
import { type MergedMetricRequest, mergeMetricRequest } from './merge-filters.ts';
import { metricTemplate } from './metric-template.ts';
import { checkPeriodFilter } from './plan-metric-filters.ts';
import { planMetricPredicates } from './plan-metric-values.ts';
import type { OrderTerm } from './read-plan.ts';
import { roleField } from './role-fields.ts';

/** The values of a metric for the features of a tile: at most one for each feature and period. */
export type TileValuesPlan = {
  readonly version: MetricVersion;
  readonly featureId: Field;
  readonly measure: Field;
  readonly order: readonly OrderTerm[];
  /** The values that the request selects, in one period. */
  readonly predicatesFor: (period: PeriodFilter, isWhole: boolean) => readonly Predicate[];
};

/** Refuses a metric of another layer, one with several values for a feature, and wrong days and dimensions. */
export function planTileValues(
  request: Pick<ReadLayerTileRequest, 'catalogId' | 'layerId' | 'period' | 'dimensionFilter'>,
  version: MetricVersion,
): TileValuesPlan {
  const { metric, values, layer } = version;
  checkLayer(metric, layer.layer.id, request.layerId);
  checkPeriodFilter(request.period, '/period');
  const merged = mergeMetricRequest({ ...ALL_VALUES, ...request, metricId: metric.metricId });
  checkOneValue(merged, version);
  checkAllowed(merged, version, 'Leave the value out.');
  const selection = { request: merged, version, filters: selectFilters(merged, version) };
  const template = metricTemplate(version);
  // Refuses wrong dimensions at once.
  planMetricPredicates(selection, false);
  return {
    version,
    featureId: template.featureId,
    measure: roleField(values.dataset, metric.measures[0]?.field ?? ''),
    order: template.order,
    predicatesFor: ({ start, end }, isWhole) => [
      ...planMetricPredicates(selection, isWhole),
      ...planDay(template.period.start, start),
      ...planDay(template.period.end, end),
    ],
  };
}

function checkLayer({ metricId, related }: Metric, layerId: string, asked: string): void {
  if (layerId !== asked) {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/metric',
      `The values of the metric '${metricId}' are those of the layer '${layerId}', not of '${asked}'.`,
      `Ask for tiles of '${layerId}', or name a metric of '${asked}'; listMetrics lists them with layerFilter.`,
    );
  }
  if (related === undefined) return;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    '/metric',
    `The values of the metric '${metricId}' are between two features, so a feature has no single one.`,
    'Name a metric without a related layer.',
  );
}

/** A dimension has one value, by its default, by the request, or by what the caller may see. */
function checkOneValue({ dimensionFilter }: MergedMetricRequest, version: MetricVersion): void {
  const { dimensions: granted } = metricTemplate(version).granted;
  for (const { dimensionId, defaultValue } of version.metric.dimensions) {
    const isThis = (one: { readonly dimensionId: string }) => one.dimensionId === dimensionId;
    const count = (dimensionFilter.merged.find(isThis) ?? granted.find(isThis))?.values.length;
    if (count === 1 || (count === undefined && defaultValue !== '')) continue;
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/dimensionFilter',
      `The metric '${version.metric.metricId}' has several values for a feature and period, by the dimension '${dimensionId}'.`,
      `Name one of them: dimensionFilter=${dimensionId}:…; searchDimensionValues lists them.`,
    );
  }
}

function planDay(day: Day, asked: string | undefined): readonly Predicate[] {
  if (asked === undefined) return [];
  if (typeof day === 'string') return day === asked ? [] : [{ kind: 'never' }];
  return [{ kind: 'compare', field: day, operator: '==', value: asked }];
}

const ALL_VALUES = {
  featureFilter: [],
  observationPeriodFilter: {},
  addressComponentFilter: [],
  relatedFeatureFilter: [],
  relatedAddressComponentFilter: [],
  valueFilter: [],
  trackTotalHits: false,
  invertSortOrder: false,
  bestEffortQueryWhenNotAllowed: false,
  asOf: '',
  countOnly: false,
  addressComponentWhitelist: [],
  skipGeo: true,
  billingContext: '',
  pageSize: 0,
  pageToken: '',
} as const;
