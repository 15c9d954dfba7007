/** The package `locmetrics.v1`. */
export * from '../generated/locmetrics/v1/aggregates_service_pb.js';
