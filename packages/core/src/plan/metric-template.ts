import type { Dataset } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import { type GrantLens, WHOLE_LENS } from '../domain/grant.ts';
import type { AddressComponentFilter, PeriodDay } from '../domain/metric.ts';
import type { Day, Predicate } from '../domain/predicate.ts';
import type { LayerVersion, MetricVersion } from '../domain/version.ts';
import { findMark } from '../domain/withheld-mark.ts';
import { memoize } from '../runtime/memoize.ts';
import { mergeComponents } from './merge-filters.ts';
import { planComponentFilters } from './plan-feature-filters.ts';
import { isOwnLayer, type PeriodDays } from './plan-layer.ts';
import type { OrderTerm } from './read-plan.ts';
import { featureFields, roleField } from './role-fields.ts';

/** The parts of the plans of a metric that follow from its version alone. */
export type MetricTemplate = {
  /** Whether the records of the metric are also the features of its layer. */
  readonly isOwn: boolean;
  readonly featureId: Field;
  readonly related: { readonly featureId: Field; readonly layer: LayerVersion } | undefined;
  readonly order: readonly OrderTerm[];
  readonly invertedOrder: readonly OrderTerm[];
  readonly period: PeriodDays;
  /** A record without a period is not a value. */
  readonly presence: readonly Predicate[];
  readonly defaultFilters: readonly DefaultFilter[];
  readonly granted: GrantedFilters;
};

export type DefaultFilter = {
  readonly filter: AddressComponentFilter;
  readonly predicate: Predicate;
};

/** The lists of the caller's grant, without those of hidden components and dimensions. */
type GrantedFilters = Pick<
  GrantLens,
  'addressComponents' | 'dimensions' | 'relatedAddressComponents'
>;

export const metricTemplate = memoize((version: MetricVersion): MetricTemplate => {
  const { metric, values, relatedLayer } = version;
  const { dataset } = values;
  const period = periodDays(version);
  return {
    isOwn: isOwnLayer(version),
    featureId: roleField(dataset, metric.featureId),
    related:
      metric.related === undefined || relatedLayer === undefined
        ? undefined
        : { featureId: roleField(dataset, metric.related.featureId), layer: relatedLayer },
    order: planOrder(version, false),
    invertedOrder: planOrder(version, true),
    period,
    presence: planPresence(period, dataset),
    defaultFilters: planDefaultFilters(version),
    granted: grantedFilters(version),
  };
});

export function periodDays({ metric: { period }, values }: MetricVersion): PeriodDays {
  return { start: dayOf(period.start, values.dataset), end: dayOf(period.end, values.dataset) };
}

function dayOf(day: PeriodDay, dataset: Dataset): Day {
  return 'day' in day ? day.day : roleField(dataset, day.field);
}

/** The fields of the values, with those of the feature if they are in the same record. */
export const valueFields = memoize((version: MetricVersion): readonly Field[] => {
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
  const own = names.map((name) => findMark(name) ?? roleField(values.dataset, name));
  return [...new Set([...own, ...(isOwnLayer(version) ? featureFields(layer) : [])])];
});

/**
 * Sorts by feature, start of the period, related feature and dimensions, absent values last, then by key;
 * the inverted order reverses all of it. If that equals the order of the key, no terms are needed.
 */
function planOrder({ metric, values }: MetricVersion, isInverted: boolean): readonly OrderTerm[] {
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

function planPresence({ start, end }: PeriodDays, { key }: Dataset): readonly Predicate[] {
  return [start, end].flatMap((day): readonly Predicate[] =>
    // A field of the key is present in every record.
    typeof day === 'string' || key.includes(day.name)
      ? []
      : [{ kind: 'empty', field: day, negated: true }],
  );
}

/** A metric has at most one default filter on a component. */
function planDefaultFilters({ metric, layer }: MetricVersion): readonly DefaultFilter[] {
  return metric.defaultFilters.flatMap((filter) =>
    planComponentFilters(mergeComponents([filter]), layer, '/addressComponentFilter').map(
      (predicate) => ({ filter, predicate }),
    ),
  );
}

function grantedFilters({ metric, layer, relatedLayer, grant }: MetricVersion): GrantedFilters {
  const lens = grant?.lens ?? WHOLE_LENS;
  return {
    addressComponents: onlySeen(lens.addressComponents, layer),
    dimensions: lens.dimensions.filter(({ dimensionId }) =>
      metric.dimensions.some((seen) => seen.dimensionId === dimensionId),
    ),
    relatedAddressComponents: onlySeen(lens.relatedAddressComponents, relatedLayer),
  };
}

function onlySeen(
  filters: readonly AddressComponentFilter[],
  layer: LayerVersion | undefined,
): readonly AddressComponentFilter[] {
  const seen = layer?.layer.addressComponents ?? [];
  return mergeComponents(filters).merged.filter((filter) =>
    seen.some(({ component }) => component === filter.component),
  );
}
