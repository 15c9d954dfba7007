/** The package `google.rpc`. */
export * from '../generated/google/rpc/error_details_pb.js';
export * from '../generated/google/rpc/status_pb.js';
