import type { DescService } from '@bufbuild/protobuf';
import { healthV1, reflectionV1, reflectionV1alpha } from '@locmetrics/contract/grpc';

/** The standard services of gRPC, which reflection lists with those of the interface. */
export const STANDARD_SERVICES: readonly DescService[] = [
  healthV1.Health,
  reflectionV1.ServerReflection,
  reflectionV1alpha.ServerReflection,
];
