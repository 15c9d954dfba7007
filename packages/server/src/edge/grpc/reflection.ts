import type { DescService } from '@bufbuild/protobuf';
import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { fileDescriptors, rpc } from '@locmetrics/contract/grpc';

/** Serves the reflection of these services. */
export function serveReflection(server: Server, services: readonly DescService[]): void {
  const files = fileDescriptors(services, ERROR_FILES).map((bytes) => Buffer.from(bytes));
  const packageDefinition = {
    // The package reads only the files of a definition. The other members are required by its type.
    files: {
      format: 'Protocol Buffer 3 EnumDescriptorProto' as const,
      type: {},
      fileDescriptorProtos: files,
    },
  };
  const names = services.map(({ typeName }) => typeName);
  new ReflectionService(packageDefinition, { services: names }).addToServer(server);
}

/** Clients that decode the details of errors look up their types too. */
const ERROR_FILES = [rpc.file_google_rpc_status, rpc.file_google_rpc_error_details];
