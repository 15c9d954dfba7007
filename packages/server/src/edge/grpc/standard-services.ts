import type { DescService } from '@bufbuild/protobuf';
import { healthV1, reflectionV1, reflectionV1alpha } from '@locmetrics/contract/grpc';

/**
 * The standard services of gRPC. The packages that serve them have descriptors too, but protobufjs converted
 * them: the entry type of a map has a wrong name there, and grpcurl refuses the whole file.
 */
export const STANDARD_SERVICES: readonly DescService[] = [
  healthV1.Health,
  reflectionV1.ServerReflection,
  reflectionV1alpha.ServerReflection,
];
