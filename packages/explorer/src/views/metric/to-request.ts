import type { Metric, MetricValuesRequest } from '@locmetrics/client';
import type { MetricView } from '../../data/metric-view.ts';
import { yearBefore } from './fill-periods.ts';

/** The request for what a view shows. A change needs the values of the year before the period, too. */
export function toRequest(
  { catalogId, id, spec }: Metric,
  features: readonly string[],
  { related, components = [], dimensions = [], from, to, compare }: MetricView,
): MetricValuesRequest {
  const start = from !== undefined && compare === 'change' ? yearBefore(from, spec) : from;
  return {
    catalogId,
    metricId: id,
    featureFilter: features,
    ...(related === undefined ? {} : { relatedFeatureFilter: related }),
    ...(components.length === 0 ? {} : { addressComponentFilter: components }),
    ...(dimensions.length === 0 ? {} : { dimensionFilter: dimensions }),
    ...(start === undefined && to === undefined
      ? {}
      : {
          observationPeriodFilter: {
            ...(start === undefined ? {} : { start }),
            ...(to === undefined ? {} : { end: to }),
          },
        }),
  };
}
