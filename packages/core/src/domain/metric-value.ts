import type { PeriodFilter } from '../dates/period.ts';
import type { Feature } from './feature.ts';
import type { AddressComponentFilter } from './metric.ts';
import { type Column, valueText } from './value.ts';

/**
 * The values of a page of a metric, each of a feature, for a period and dimensions: by column, because one object
 * for each value would take longer to make than its bytes.
 */
export type MetricValues = {
  readonly size: number;
  readonly features: readonly Feature[];
  /** For an origin–destination metric. */
  readonly relatedFeatures: readonly Feature[] | undefined;
  readonly period: PeriodColumns;
  /** In the order of the measures of the metric: the main one first. */
  readonly measures: readonly Column[];
  readonly dimensions: readonly DimensionColumns[];
  readonly flags: readonly FlagColumn[];
};

/** The first and the last day of each period, never absent. */
type PeriodColumns = { readonly start: Column; readonly end: Column };
export type DimensionColumns = {
  readonly dimensionId: string;
  readonly values: Column;
  /** The same column if values have no names. */
  readonly names: Column;
};
/** A flag is set where its value is true. */
export type FlagColumn = { readonly flag: string; readonly values: Column };

export type DimensionValue = {
  readonly dimensionId: string;
  readonly value: string;
  readonly displayName: string;
};

/** A value of a dimension of the value with this index; clients show only the name, so one without is its own. */
export function dimensionAt(
  { dimensionId, values, names }: DimensionColumns,
  index: number,
): DimensionValue {
  const value = valueText(values[index] ?? null);
  const name = names[index] ?? null;
  return { dimensionId, value, displayName: name === null ? value : valueText(name) };
}

/** The flags of the value with this index. */
export function flagsAt(flags: readonly FlagColumn[], index: number): readonly string[] {
  return flags.filter(({ values }) => values[index] === true).map(({ flag }) => flag);
}

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
