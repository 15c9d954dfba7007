import { WHOLE_LENS } from '../domain/grant.ts';
import type { Metric } from '../domain/metric.ts';
import type { AppliedFilters, DimensionFilter } from '../domain/metric-value.ts';
import type { MetricVersion } from '../domain/version.ts';
import {
  componentOf,
  dimensionOf,
  type MergedFilters,
  type MergedMetricRequest,
} from './merge-filters.ts';
import { type DefaultFilter, metricTemplate } from './metric-template.ts';
import { hasExistence } from './plan-layer.ts';

/** The filters of a request after the defaults of the metric and the grant of the caller are added. */
export type MetricFilters = {
  /** Without those of the grant: it has already narrowed the version. */
  readonly dimensions: MergedFilters<DimensionFilter>;
  /** The default filters that apply together with those of the request. */
  readonly defaults: readonly DefaultFilter[];
};

type RequestFilters = Pick<
  MergedMetricRequest,
  | 'featureFilter'
  | 'observationPeriodFilter'
  | 'addressComponentFilter'
  | 'dimensionFilter'
  | 'relatedFeatureFilter'
  | 'relatedAddressComponentFilter'
  | 'valueFilter'
>;

/**
 * The filters that select the values of a request. If two filters are on the same component, both apply. The defaults
 * of dimensions that values are grouped by do not.
 */
export function selectFilters(
  request: RequestFilters,
  version: MetricVersion,
  groupedDimensions: readonly string[] = [],
): MetricFilters {
  const { defaultFilters } = metricTemplate(version);
  const isReplaced = ({ filter }: DefaultFilter): boolean =>
    version.grant?.liftsDefaultFilters === true &&
    request.addressComponentFilter.merged.some(({ component }) => component === filter.component);
  return {
    dimensions: addDimensionDefaults(request.dimensionFilter, {
      dimensions: version.metric.dimensions.filter(
        ({ dimensionId }) => !groupedDimensions.includes(dimensionId),
      ),
    }),
    defaults: defaultFilters.filter((standing) => !isReplaced(standing)),
  };
}

/** The filters as the answer lists them, in the order of the request. */
export function appliedFilters({
  request,
  version,
  filters: { dimensions, defaults },
}: {
  readonly request: RequestFilters;
  readonly version: MetricVersion;
  readonly filters: MetricFilters;
}): AppliedFilters {
  const { layer, grant } = version;
  const { granted } = metricTemplate(version);
  const lens = grant?.lens ?? WHOLE_LENS;
  const periods = [request.observationPeriodFilter, lens.period];
  const components = addFilters(
    request.addressComponentFilter.merged,
    defaults.map(({ filter }) => filter),
    componentOf,
  );
  return {
    periods: periods.filter(({ start, end }) => start !== undefined || end !== undefined),
    dimensions: addFilters(dimensions.merged, granted.dimensions, dimensionOf),
    addressComponents: addFilters(components, granted.addressComponents, componentOf),
    features: addIds(request.featureFilter, lens.features),
    relatedFeatures: addIds(request.relatedFeatureFilter, lens.relatedFeatures),
    values: request.valueFilter,
    relatedAddressComponents: addFilters(
      request.relatedAddressComponentFilter.merged,
      granted.relatedAddressComponents,
      componentOf,
    ),
    isTrimmed: hasExistence(layer.layer),
  };
}

/** Adds the defaults of the dimensions that are not named. */
export function addDimensionDefaults(
  { sent, merged }: MergedFilters<DimensionFilter>,
  { dimensions }: Pick<Metric, 'dimensions'>,
): MergedFilters<DimensionFilter> {
  const defaults = dimensions
    .filter(({ defaultValue }) => defaultValue !== '')
    .filter(({ dimensionId }) => !merged.some((filter) => filter.dimensionId === dimensionId))
    .map(({ dimensionId, defaultValue }) => ({ dimensionId, values: [defaultValue] }));
  return { sent, merged: [...merged, ...defaults] };
}

function addFilters<Filter extends { readonly values: readonly string[] }>(
  filters: readonly Filter[],
  others: readonly Filter[],
  nameOf: (filter: Filter) => string,
): readonly Filter[] {
  const isKnown = (other: Filter): boolean =>
    filters.some(
      (filter) => nameOf(filter) === nameOf(other) && areSame(filter.values, other.values),
    );
  return [...filters, ...others.filter((other) => !isKnown(other))];
}

/** The ids in both lists; if there are none, the requested ids, or the granted ones if none are requested. */
function addIds(ids: readonly string[], granted: readonly string[]): readonly string[] {
  const both = ids.filter((id) => granted.includes(id));
  return [...new Set(ids.length === 0 ? granted : both.length === 0 ? ids : both)];
}

function areSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value) => right.includes(value));
}
