import type { DescService } from '@bufbuild/protobuf';
import type { Server, ServiceDefinition } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { fileDescriptors, rpc } from '@locmetrics/contract/grpc';
import { service as healthDefinition } from 'grpc-health-check';
import { HEALTH_SERVICE } from './health.ts';

/** Serves the reflection of all services, health and reflection itself among them. */
export function serveReflection(server: Server, services: readonly DescService[]): void {
  const own = fileDescriptors(services, ERROR_FILES).map((bytes) => Buffer.from(bytes));
  const reflectionDefinitions: ServiceDefinition[] = [];
  new ReflectionService({}).addToServer({
    addService: (definition) => {
      reflectionDefinitions.push(definition);
    },
  });
  const files = [...own, ...[healthDefinition, ...reflectionDefinitions].flatMap(filesOf)];
  const names = [
    ...services.map(({ typeName }) => typeName),
    HEALTH_SERVICE,
    'grpc.reflection.v1.ServerReflection',
    'grpc.reflection.v1alpha.ServerReflection',
  ];
  const packageDefinition = {
    // The package reads nothing but the files of a definition, whatever it defines.
    files: {
      format: 'Protocol Buffer 3 EnumDescriptorProto' as const,
      type: {},
      fileDescriptorProtos: files,
    },
  };
  new ReflectionService(packageDefinition, { services: names }).addToServer(server);
}

/** A client that decodes the details of errors looks their types up too. */
const ERROR_FILES = [rpc.file_google_rpc_status, rpc.file_google_rpc_error_details];

/** The files of a service that was loaded from text: its calls say which they are from. */
function filesOf(definition: ServiceDefinition): readonly Buffer[] {
  return Object.values(definition).flatMap((method) =>
    'requestType' in method && isFileHolder(method.requestType)
      ? method.requestType.fileDescriptorProtos
      : [],
  );
}

function isFileHolder(type: unknown): type is { readonly fileDescriptorProtos: readonly Buffer[] } {
  return typeof type === 'object' && type !== null && 'fileDescriptorProtos' in type;
}
