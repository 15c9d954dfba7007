import type { DescService } from '@bufbuild/protobuf';
import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import {
  fileDescriptors,
  healthV1,
  reflectionV1,
  reflectionV1alpha,
  rpc,
} from '@locmetrics/contract/grpc';

/** Serves the reflection of all services, including health and reflection itself. */
export function serveReflection(server: Server, services: readonly DescService[]): void {
  const listed = [...services, ...STANDARD_SERVICES];
  const files = fileDescriptors(listed, ERROR_FILES).map((bytes) => Buffer.from(bytes));
  const packageDefinition = {
    // The package reads only the files of a definition, whatever it defines.
    files: {
      format: 'Protocol Buffer 3 EnumDescriptorProto' as const,
      type: {},
      fileDescriptorProtos: files,
    },
  };
  const names = listed.map(({ typeName }) => typeName);
  new ReflectionService(packageDefinition, { services: names }).addToServer(server);
}

/**
 * The packages that serve these bring descriptors too, but converted by protobufjs: the entry of a map
 * has a wrong name there, so that grpcurl refuses the whole file.
 */
const STANDARD_SERVICES = [
  healthV1.Health,
  reflectionV1.ServerReflection,
  reflectionV1alpha.ServerReflection,
];

/** A client that decodes the details of errors looks their types up too. */
const ERROR_FILES = [rpc.file_google_rpc_status, rpc.file_google_rpc_error_details];
