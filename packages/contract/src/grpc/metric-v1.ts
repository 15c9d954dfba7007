/** The package `unacast.metric.v1`. */
export * from '../generated/unacast/metric/v1/dimension_completeness_pb.js';
export * from '../generated/unacast/metric/v1/dimension_pb.js';
export * from '../generated/unacast/metric/v1/lens_pb.js';
export * from '../generated/unacast/metric/v1/metric_pb.js';
export * from '../generated/unacast/metric/v1/metric_value_pb.js';
export * from '../generated/unacast/metric/v1/period_pb.js';
