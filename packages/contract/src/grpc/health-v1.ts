/** The package `grpc.health.v1`. */
export * from '../generated/grpc/health/v1/health_pb.js';
