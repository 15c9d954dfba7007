import type { Socket } from 'node:net';
import { openGrpcServer } from '@locmetrics/server/edge/grpc/open-grpc-server';
import { openHttpServer } from '@locmetrics/server/edge/http/server/open-http-server';
import type { ListenerName } from '../processes/messages.ts';

/** Both edges of a service; they serve the connections that are passed to them. */
export type Edges = {
  readonly accept: (listener: ListenerName, socket: Socket) => void;
  /** Closes them once; `graceMs`: open connections can be used for so long. The default is 0. */
  readonly close: (graceMs?: number) => Promise<void>;
};

/** Opens both edges over the same service. */
export async function openEdges(options: {
  readonly http: Parameters<typeof openHttpServer>[0];
  readonly grpc: Parameters<typeof openGrpcServer>[0];
}): Promise<Edges> {
  const http = await openHttpServer(options.http);
  const grpc = openGrpcServer(options.grpc);
  const accept = {
    http: http.accept,
    https: http.acceptTls,
    grpc: grpc.acceptTls,
    grpcPlaintext: grpc.accept,
  };
  let closing: Promise<unknown> | undefined;
  return {
    accept: (listener, socket) => accept[listener](socket),
    close: async (graceMs = 0) => {
      closing ??= Promise.all([http.close(graceMs), grpc.close(graceMs)]);
      await closing;
    },
  };
}
