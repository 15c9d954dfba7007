/**
 * The messages and services of the gRPC interface, one namespace for each package of `proto/`. The
 * namespaces keep them apart from the JSON types, which have the same names.
 */

export * as healthV1 from './generated/grpc/health/v1/health_pb.js';
export * as reflectionV1 from './generated/grpc/reflection/v1/reflection_pb.js';
export * as reflectionV1alpha from './generated/grpc/reflection/v1alpha/reflection_pb.js';
export * as catalogV1 from './grpc/catalog-v1.ts';
export * as catalogV3 from './grpc/catalog-v3.ts';
export * as catalogV3alpha from './grpc/catalog-v3alpha.ts';
export * from './grpc/descriptor-files.ts';
export * as locmetricsV1 from './grpc/locmetrics-v1.ts';
export * as mapsV1 from './grpc/maps-v1.ts';
export * as metricV1 from './grpc/metric-v1.ts';
export * as rpc from './grpc/rpc.ts';
export * as unatype from './grpc/unatype.ts';
