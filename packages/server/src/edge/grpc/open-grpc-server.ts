import { logVerbosity, Server, setLogVerbosity } from '@grpc/grpc-js';
import type { ControlStore } from '../../auth/control-store.ts';
import type { Observe } from '../../observe/observation.ts';
import type { ServiceContext } from '../../service/service-context.ts';
import { isHealthCall, serveHealth } from './health.ts';
import { listServices } from './list-services.ts';
import { type GrpcListener, type OpenPort, openPort } from './open-port.ts';
import { serveReflection } from './reflection.ts';
import { serveCalls } from './serve-calls.ts';
import { watchCalls } from './watch-calls.ts';

const MESSAGE_MAX_BYTES = 1024 * 1024;
/** Of one connection at once; a client waits with more. HTTP/2 wants at least 100. */
const CALLS_MAX = 100;
/** A caller that vanished without a word is found out; proxies forget quiet connections. */
const KEEPALIVE_EVERY_MS = 60_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

export type GrpcServer = {
  /** Listens at an address too, and says where, for example `127.0.0.1:8443`. */
  readonly listen: (listener: GrpcListener) => Promise<string>;
  /** Stops listening and waits for the calls that are being answered. */
  readonly close: () => Promise<void>;
};

/** Opens the gRPC edge; it serves once it is told to listen. */
export function openGrpcServer(options: {
  readonly service: ServiceContext;
  readonly store: Pick<ControlStore, 'findCaller'>;
  readonly observe: Observe;
  readonly isReady: () => boolean;
}): GrpcServer {
  const { service, store, observe, isReady } = options;
  // What grpc-js would write to standard error itself is observed.
  setLogVerbosity(logVerbosity.NONE);
  const watcher = watchCalls({ observe, store, isPublic: isHealthCall });
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_MAX_BYTES,
    'grpc.max_concurrent_streams': CALLS_MAX,
    'grpc.keepalive_time_ms': KEEPALIVE_EVERY_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    'grpc.enable_channelz': 0,
    interceptors: [watcher.intercept],
  });
  const served = listServices({ service });
  for (const one of served) serveCalls(server, one);
  const services = served.map((one) => one.service);
  const health = serveHealth(server, {
    services: services.map(({ typeName }) => typeName),
    isReady,
  });
  serveReflection(server, services);

  const ports: OpenPort[] = [];
  return {
    listen: async (listener) => {
      const port = await openPort(server, listener);
      ports.push(port);
      return port.address;
    },
    close: async () => {
      health.stop();
      const closed = ports.map((port) => port.close());
      // It closes each connection when its calls have ended, but does not wait for that on Node 24:
      // the ports do.
      server.tryShutdown(() => {});
      await watcher.endStreams();
      await Promise.all(closed);
    },
  };
}
