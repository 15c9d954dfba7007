/** The package `unacast.catalog.v3alpha`. */
export * from '../generated/unacast/catalog/v3alpha/catalog_query_pb.js';
