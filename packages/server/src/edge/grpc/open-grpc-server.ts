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
  /** Where it listens, in the order of the listeners, for example `127.0.0.1:8443`. */
  readonly addresses: readonly string[];
  /** Stops listening and waits for the calls that are being answered. */
  readonly close: () => Promise<void>;
};

/** Opens the gRPC edge and listens at each address. */
export async function openGrpcServer(options: {
  readonly listeners: readonly GrpcListener[];
  readonly service: ServiceContext;
  readonly store: Pick<ControlStore, 'findCaller'>;
  readonly observe: Observe;
  readonly isReady: () => boolean;
}): Promise<GrpcServer> {
  const { listeners, service, store, observe, isReady } = options;
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
  const close = async (): Promise<void> => {
    health.stop();
    for (const port of ports) port.stopListening();
    watcher.endStreams();
    await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
    await Promise.all(ports.map((port) => port.close()));
  };
  try {
    for (const listener of listeners) ports.push(await openPort(server, listener));
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses: ports.map(({ address }) => address), close };
}
