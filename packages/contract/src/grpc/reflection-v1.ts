/** The package `grpc.reflection.v1`. */
export * from '../generated/grpc/reflection/v1/reflection_pb.js';
