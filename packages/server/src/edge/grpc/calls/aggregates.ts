import { catalogV3, locmetricsV1 } from '@locmetrics/contract/grpc';
import { COMPARISONS } from '@locmetrics/core/dates/compared-period';
import { BUCKETS } from '@locmetrics/core/domain/date-bucket';
import { encodeMetricAggregatesMessage } from '@locmetrics/core/encoding/metric-aggregates-protobuf';
import { AGGREGATIONS } from '@locmetrics/core/requests/aggregation';
import {
  METRIC_GROUP_KINDS,
  type SearchMetricAggregatesRequest,
} from '@locmetrics/core/requests/metric-aggregates';
import { searchMetricAggregates } from '../../../service/metrics/search-metric-aggregates.ts';
import { readMetricFilters } from '../read-metric-filters.ts';
import { readCircle, readPolygon } from '../read-row-selection.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

const { Aggregates, Comparison, MetricGroup_Kind: Kind } = locmetricsV1;

/** Aggregates of metrics. */
export const AGGREGATES: ServedService = {
  service: Aggregates,
  scope: 'metrics',
  calls: [
    unaryCall(Aggregates.method.searchMetricAggregates, {
      read: toAggregatesRequest,
      run: searchMetricAggregates,
      rowsOf: ({ rows }) => rows.length,
      encode: encodeMetricAggregatesMessage,
    }),
  ],
};

function toAggregatesRequest({
  $typeName,
  $unknown,
  ...request
}: locmetricsV1.SearchMetricAggregatesRequest): SearchMetricAggregatesRequest {
  return {
    ...request,
    ...readMetricFilters(request),
    polygonFilter: request.polygonFilter && readPolygon(request.polygonFilter),
    circleFilter: request.circleFilter && readCircle(request.circleFilter),
    groupBy: request.groupBy.map(({ kind, id, bucket }) => ({
      kind: METRIC_GROUP_KINDS.find((name) => Kind[name] === kind),
      id,
      bucket: BUCKETS.find((name) => catalogV3.Bucket[name] === bucket),
    })),
    aggregates: request.aggregates.map(({ valueName, aggregation, quantile, name }) => ({
      valueName,
      aggregation: AGGREGATIONS.find((one) => catalogV3.Aggregation[one] === aggregation),
      quantile,
      name,
    })),
    compare: COMPARISONS.find((name) => Comparison[name] === request.compare),
    orderBy: request.orderBy.map(({ name, direction }) => ({
      name,
      descending: direction === catalogV3.OrderDirection.DESC,
    })),
  };
}
