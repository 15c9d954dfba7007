/**
 * A metric. Each record of the dataset that declares it is a value of a feature of a layer, for a period
 * and dimensions. Members that refer to a field hold its name.
 */
export type Metric = {
  readonly catalogId: string;
  readonly metricId: string;
  readonly displayName: string;
  readonly description: string;
  readonly layerId: string;
  /** Field with the feature id of the layer. */
  readonly featureId: string;
  /** For an origin–destination metric: the layer of the other end. */
  readonly related?: RelatedLayer;
  readonly cadence: Cadence;
  readonly period: { readonly start: PeriodDay; readonly end: PeriodDay };
  /** The main measure, then the supporting values. */
  readonly measures: readonly Measure[];
  readonly dimensions: readonly Dimension[];
  /** Filters on components of the layer that always apply. */
  readonly defaultFilters: readonly AddressComponentFilter[];
  readonly flags: readonly Flag[];
  readonly lifecycleStage: LifecycleStage;
  readonly releaseNotes: string;
};

/** A day in a field of each record, or one day for all records. */
export type PeriodDay = { readonly field: string } | { readonly day: string };

export type RelatedLayer = {
  readonly layerId: string;
  /** Field with the feature id of the related layer. */
  readonly featureId: string;
  /** For example `origin-destination`. */
  readonly relationType: string;
};

export const CADENCES = [
  'hourly',
  'daily',
  'weekly',
  'weekly_mon_sun',
  'weekly_tue_mon',
  'monthly',
  'trimonthly',
  'quarterly',
  'yearly',
  'unspecified',
] as const;
export type Cadence = (typeof CADENCES)[number];

export const LIFECYCLE_STAGES = [
  'prototype',
  'release_candidate',
  'stable',
  'deprecated',
  'archived',
  'deleted',
] as const;
export type LifecycleStage = (typeof LIFECYCLE_STAGES)[number];

export const VALUE_KINDS = ['number', 'count', 'category'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/**
 * A measured quantity.
 *
 * | kind | type of the field |
 * |---|---|
 * | number | float or integer |
 * | count | integer |
 * | category | string |
 */
export type Measure = {
  readonly name: string;
  readonly field: string;
  readonly kind: ValueKind;
  readonly unit: string;
  readonly displayName: string;
  readonly description: string;
  readonly isNullable: boolean;
};

/** An attribute that distinguishes the values of one feature and period, for example an age group. */
export type Dimension = {
  readonly dimensionId: string;
  readonly displayName: string;
  readonly description: string;
  /** Fields with the value and with the name of that value. */
  readonly fields: { readonly value: string; readonly displayName?: string };
  /** The value used when a request names none; empty means all values. */
  readonly defaultValue: string;
  readonly completeness: 'strict' | 'relaxed';
};

/** A mark on the values whose boolean field is true. */
export type Flag = { readonly flag: string; readonly field: string };

export type AddressComponentFilter = {
  readonly component: string;
  /** The value of the component must be one of them. */
  readonly values: readonly string[];
};

/** `catalog_id/metric_id`, for example `nps/foot_traffic_monthly`. */
export function metricName({
  catalogId,
  metricId,
}: Pick<Metric, 'catalogId' | 'metricId'>): string {
  return `${catalogId}/${metricId}`;
}
