import type { Socket } from 'node:net';
import type { DescService } from '@bufbuild/protobuf';
import { logVerbosity, Server, setLogVerbosity } from '@grpc/grpc-js';
import type { ControlStore } from '../../auth/control-store.ts';
import type { Observe } from '../../observe/observation.ts';
import { type BeginTrace, beginNoTrace } from '../../observe/trace.ts';
import { LOOK_AT_EACH_USE, type LookFirst } from '../../service/look-once-per-turn.ts';
import type { ServiceContext } from '../../service/service-context.ts';
import { TAKING_LIMITS, type TakingLimits } from '../../service/unsent-answer.ts';
import { STOP_GRACE_MS } from '../listening/open-connections.ts';
import { takeConnections } from '../listening/take-connections.ts';
import type { CertificateSource } from '../listening/tls/certificate-source.ts';
import { GRPC_LIMITS, type GrpcLimits } from './grpc-limits.ts';
import { isHealthCall, serveHealth } from './health.ts';
import { listServices } from './list-services.ts';
import { openInjector } from './open-injector.ts';
import { serveReflection } from './reflection.ts';
import { refuseStreams } from './refuse-streams.ts';
import { serveCalls } from './serve-calls.ts';
import { STANDARD_SERVICES } from './standard-services.ts';
import { watchCalls } from './watch-calls.ts';

/**
 * TCP detects clients that are gone. The pings of HTTP/2 would also end connections of clients that are busy or
 * wait for their user: synchronous libraries answer pings only during a call.
 */
const TCP_KEEPALIVE_AFTER_MS = 60_000;

export type GrpcServer = {
  /** Serves a new connection in plaintext. */
  readonly accept: (socket: Socket) => void;
  /** Serves a new connection over TLS, if there is a certificate. */
  readonly acceptTls: (socket: Socket) => void;
  /** Ends up to this many connections without an accepted token; returns how many. */
  readonly makeRoom: (connections: number) => number;
  /** Accepts further calls during the grace period, waits for all calls to end, and closes the connections. */
  readonly close: (graceMs?: number) => Promise<void>;
};

/** Opens the gRPC edge; it serves the connections that are passed to it. */
export function openGrpcServer(options: {
  readonly service: ServiceContext;
  readonly store: Pick<ControlStore, 'findCaller'>;
  /** Default: each use of the store and the catalog is a look. */
  readonly lookFirst?: LookFirst;
  readonly observe: Observe;
  /** Default: no traces. */
  readonly beginTrace?: BeginTrace;
  readonly isReady: () => boolean;
  readonly certificate?: CertificateSource;
  readonly limits?: GrpcLimits;
  readonly taking?: TakingLimits;
}): GrpcServer {
  const { service, store, observe, beginTrace = beginNoTrace, isReady, certificate } = options;
  const { limits = GRPC_LIMITS, taking = TAKING_LIMITS, lookFirst = LOOK_AT_EACH_USE } = options;
  // grpc-js would write errors to standard error; they are observed instead.
  setLogVerbosity(logVerbosity.NONE);
  const { answers, meter } = service;
  const isPublic = isHealthCall;
  const served = listServices({ service });
  const scopes = new Map(
    served.flatMap(({ service: one, scope }) => [...pathsOf([one])].map((path) => [path, scope])),
  );
  const watcher = watchCalls({
    observe,
    beginTrace,
    store,
    lookFirst,
    isPublic,
    scopeOf: (path) => scopes.get(path),
    meter,
    answers,
    limits,
    taking,
    onAccepted: (peer) => open.trust(peer),
  });
  const server = new Server({
    'grpc.max_receive_message_length': limits.messageMaxBytes,
    'grpc.max_concurrent_streams': limits.callsMax,
    'grpc.enable_channelz': 0,
    interceptors: [watcher.intercept],
  });
  for (const one of served) serveCalls(server, meter, one);
  const services = served.map((one) => one.service);
  const health = serveHealth(server, {
    services: services.map(({ typeName }) => typeName),
    isReady,
  });
  const all = [...services, ...STANDARD_SERVICES];
  serveReflection(server, all);

  // grpc-js could listen itself, but it hides the error of the system, and on shutdown it waits for
  // connections that never finish their handshake.
  const injector = openInjector(server, refuseStreams({ paths: pathsOf(all), observe }));
  const { accept, acceptTls, open, endHandshakes } = takeConnections({
    certificate,
    protocol: 'h2',
    serve: (socket) => {
      // A broken connection ends its calls, which are observed. Node needs a listener all the same.
      socket.on('error', () => {});
      socket.setKeepAlive(true, TCP_KEEPALIVE_AFTER_MS);
      injector.injectConnection(socket);
    },
  });
  return {
    accept,
    acceptTls,
    makeRoom: open.endStrangers,
    close: async (graceMs = STOP_GRACE_MS) => {
      health.stop();
      await open.endedWithin(graceMs);
      endHandshakes();
      // It closes each connection when its calls have ended, but on Node 24 it does not wait for that.
      server.tryShutdown(() => {});
      await watcher.endStreams();
      await open.ended();
    },
  };
}

/** The paths of all calls of the services. */
function pathsOf(services: readonly DescService[]): ReadonlySet<string> {
  return new Set(
    services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `/${typeName}/${name}`)),
  );
}
