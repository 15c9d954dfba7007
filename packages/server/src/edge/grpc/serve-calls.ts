import type { DescService } from '@bufbuild/protobuf';
import type { Server, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Scope } from '../../domain/scope.ts';
import type { Meter } from '../../service/meter.ts';
import type { UnaryCall } from './unary-call.ts';

/** A service and its supported calls; others are UNIMPLEMENTED. */
export type ServedService = {
  readonly service: DescService;
  /** The scope that a token needs for it. */
  readonly scope: Scope;
  readonly calls: readonly UnaryCall[];
};

export function serveCalls(server: Server, meter: Meter, { service, calls }: ServedService): void {
  const definition: ServiceDefinition = Object.fromEntries(
    service.methods.map(({ name }) => [
      name,
      {
        path: `/${service.typeName}/${name}`,
        requestStream: false,
        responseStream: false,
        // The handler parses the request and encodes the answer. Bytes that cannot be parsed are the
        // caller's error; grpc-js would report an internal one.
        requestSerialize: asTheyAre,
        requestDeserialize: asTheyAre,
        responseSerialize: asTheyAre,
        responseDeserialize: asTheyAre,
      },
    ]),
  );
  const implementation: UntypedServiceImplementation = Object.fromEntries(
    calls.map(({ method, handle }) => [method.name, handle(meter)]),
  );
  server.addService(definition, implementation);
}

const asTheyAre = (bytes: Buffer): Buffer => bytes;
