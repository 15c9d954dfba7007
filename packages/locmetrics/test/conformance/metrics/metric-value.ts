import type { Period } from '@locmetrics/core/dates/period';
import type { Feature } from '@locmetrics/core/domain/feature';
import {
  type DimensionValue,
  dimensionAt,
  flagsAt,
  type MetricValues,
} from '@locmetrics/core/domain/metric-value';
import type { Value } from '@locmetrics/core/domain/value';
import type { MetricVersion } from '@locmetrics/core/domain/version';

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

/** The values of a page one by one; measures of integer fields are big integers, as in the rows of tables. */
export function metricValuesIn(
  values: MetricValues,
  { metric, values: { dataset } }: MetricVersion,
) {
  const { features, relatedFeatures, period, measures, dimensions, flags } = values;
  const isInteger = metric.measures.map(({ field }) =>
    dataset.fields.some(({ name, type }) => name === field && type === 'integer'),
  );
  return features.map((feature, index): MetricValue => {
    const relatedFeature = relatedFeatures?.[index];
    return {
      feature,
      ...(relatedFeature && { relatedFeature }),
      period: { start: String(period.start[index]), end: String(period.end[index]) },
      measures: measures.map((column, place) => {
        const value = column[index] ?? null;
        return isInteger[place] && typeof value === 'number' ? BigInt(value) : value;
      }),
      dimensions: dimensions.map((dimension) => dimensionAt(dimension, index)),
      flags: flagsAt(flags, index),
    };
  });
}
