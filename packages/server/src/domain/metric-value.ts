import type { Feature } from './feature.ts';
import type { AddressComponentFilter } from './metric.ts';
import type { Period, PeriodFilter } from './period.ts';
import type { Value } from './value.ts';

/** One value of a metric: of a feature, for a period and dimensions. */
export type MetricValue = {
  readonly feature: Feature;
  /** For an origin–destination metric. */
  readonly relatedFeature?: Feature;
  readonly period: Period;
  /** In the order of the measures of the metric: the main one first. */
  readonly measures: readonly Value[];
  readonly dimensions: readonly DimensionValue[];
  readonly flags: readonly string[];
};

export type DimensionValue = {
  readonly dimensionId: string;
  readonly value: string;
  readonly displayName: string;
};

export type DimensionFilter = {
  readonly dimensionId: string;
  /** The value of the dimension must be one of them. */
  readonly values: readonly string[];
};

/** Keeps values whose measure is at least the number. */
export type ValueFilter = {
  readonly valueName: string;
  readonly operator: ValueFilterOperator;
  readonly numericValue: number;
};

export const VALUE_FILTER_OPERATORS = ['UNSPECIFIED', 'GREATER_THAN_OR_EQUAL_TO'] as const;
export type ValueFilterOperator = (typeof VALUE_FILTER_OPERATORS)[number];

/** The filters that were applied to an answer: those of the request, and the defaults of the metric. */
export type AppliedFilters = {
  readonly periods: readonly PeriodFilter[];
  readonly dimensions: readonly DimensionFilter[];
  readonly addressComponents: readonly AddressComponentFilter[];
  readonly features: readonly string[];
  readonly relatedFeatures: readonly string[];
  readonly values: readonly ValueFilter[];
  readonly relatedAddressComponents: readonly AddressComponentFilter[];
  /** Whether values outside the existence of their feature were left out. */
  readonly isTrimmed: boolean;
};
