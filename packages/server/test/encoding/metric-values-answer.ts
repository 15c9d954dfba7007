import type { Metric } from '../../src/domain/metric.ts';
import type { AppliedFilters, MetricValues } from '../../src/domain/metric-value.ts';

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
