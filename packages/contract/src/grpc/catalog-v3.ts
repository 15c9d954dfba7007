/** The package `unacast.catalog.v3`. */
export * from '../generated/unacast/catalog/v3/catalog_query_pb.js';
export * from '../generated/unacast/catalog/v3/data_reference_pb.js';
export * from '../generated/unacast/catalog/v3/export_pb.js';
export * from '../generated/unacast/catalog/v3/field_pb.js';
export * from '../generated/unacast/catalog/v3/options_pb.js';
