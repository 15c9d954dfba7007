/** The package `grpc.reflection.v1alpha`. */
export * from '../generated/grpc/reflection/v1alpha/reflection_pb.js';
