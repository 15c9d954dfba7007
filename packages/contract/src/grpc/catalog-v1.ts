/** The package `unacast.catalog.v1`. */
export * from '../generated/unacast/catalog/v1/catalog_service_pb.js';
export * from '../generated/unacast/catalog/v1/file_download_service_pb.js';
export * from '../generated/unacast/catalog/v1/query_metric_filters_pb.js';
export * from '../generated/unacast/catalog/v1/query_service_pb.js';
