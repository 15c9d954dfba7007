import type { Metric } from '@locmetrics/core/domain/metric';
import type { AppliedFilters, MetricValues } from '@locmetrics/core/domain/metric-value';

/** A page of metric values with all that its message has. */
export type MetricValuesAnswer = {
  readonly metric: Metric;
  readonly values: MetricValues;
  readonly appliedFilters: AppliedFilters;
  readonly totalSize: number;
  readonly costRows?: number;
  readonly nextPageToken: string;
  readonly version: string;
};
