import {
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as passTime, setImmediate } from 'node:timers/promises';
import type { DescService } from '@bufbuild/protobuf';
import { healthV1, reflectionV1, reflectionV1alpha } from '@locmetrics/contract/grpc';
import type { ControlStore } from '../../auth/control-store.ts';
import type { Observe } from '../../observe/observation.ts';
import { type StartTrace, startNoTrace } from '../../observe/trace.ts';
import { POLL_AT_EACH_USE, type PollFirst } from '../../service/queries/poll-once-per-tick.ts';
import { TAKING_LIMITS, type TakingLimits } from '../../service/queries/unsent-answer.ts';
import type { ServiceContext } from '../../service/service-context.ts';
import type { ConnectionRoom } from '../listening/connection-room.ts';
import { STOP_GRACE_MS } from '../listening/open-connections.ts';
import { type ConnectionServer, takeConnections } from '../listening/take-connections.ts';
import type { CertificateSource } from '../listening/tls/certificate-source.ts';
import type { Connection } from './call-life.ts';
import { AGGREGATES } from './calls/aggregates.ts';
import { CATALOG_QUERY } from './calls/catalog-query.ts';
import { CATALOG_QUERY_ALPHA } from './calls/catalog-query-alpha.ts';
import { CATALOG_SERVICE } from './calls/catalog-service.ts';
import { EXPORT } from './calls/export.ts';
import { FILE_DOWNLOAD_SERVICE } from './calls/file-download-service.ts';
import { MAP_SERVICE } from './calls/map-service.ts';
import { QUERY_SERVICE } from './calls/query-service.ts';
import { endHalfOpen } from './end-half-open.ts';
import { GRPC_LIMITS, type GrpcLimits, METADATA_LIMITS } from './grpc-limits.ts';
import { openHealth } from './health.ts';
import { knownCalls } from './known-calls.ts';
import { serveReflection } from './reflection.ts';
import { serveStream } from './serve-stream.ts';
import { callsOf, type ServedCall } from './served-call.ts';
import type { ServedService } from './unary-call.ts';

/**
 * TCP detects clients that are gone. The pings of HTTP/2 would also end connections of clients that are busy or
 * wait for their user: synchronous libraries answer pings only during a call.
 */
const TCP_KEEPALIVE_AFTER_MS = 60_000;

/** Watchers of the health get the last status before their stream ends. */
const STREAM_GRACE_MS = 100;

/** Opens the gRPC edge; it serves the connections that are passed to it. */
export function openGrpcServer(options: {
  readonly service: ServiceContext;
  readonly store: Pick<ControlStore, 'findCaller'>;
  /** Default: each use of the store and the catalog is a poll. */
  readonly pollFirst?: PollFirst;
  readonly observe: Observe;
  /** Default: no traces. */
  readonly startTrace?: StartTrace;
  readonly isReady: () => boolean;
  readonly certificate?: CertificateSource;
  /** Default: any number of connections. */
  readonly room?: ConnectionRoom;
  readonly limits?: GrpcLimits;
  readonly taking?: TakingLimits;
}): ConnectionServer {
  const { service, store, observe, startTrace = startNoTrace, isReady, certificate } = options;
  const { limits = GRPC_LIMITS, taking = TAKING_LIMITS, pollFirst = POLL_AT_EACH_USE } = options;
  const { answers, meter } = service;
  const services = SERVICES.map((one) => one.service);
  const names = services.map(({ typeName }) => typeName);
  const health = openHealth({ services: names, isReady });
  const calls = knownCalls([
    ...SERVICES.flatMap((one) => callsOf(one.service, callsWith(service, one))),
    ...health.calls,
    ...serveReflection([...services, ...STANDARD_SERVICES]),
  ]);
  const streaming = new Set<() => void>();
  const parts = {
    observe,
    startTrace,
    store,
    pollFirst,
    calls,
    meter,
    answers,
    limits,
    taking,
    streaming,
  };
  const server = createServer({
    settings: {
      maxConcurrentStreams: limits.callsMax,
      maxHeaderListSize: METADATA_LIMITS.announcedMaxBytes,
    },
    maxHeaderListPairs: METADATA_LIMITS.headersMax,
    // Unsent answers are counted for the whole service.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
  });
  const sessions = new Map<Http2Session, Connection>();
  let isStopping = false;
  let accepted: Socket | undefined;
  server.on('session', (session) => {
    if (accepted === undefined) return;
    const connection = connectionOf(session, accepted, options.room);
    sessions.set(session, connection);
    session.once('remoteSettings', () => {
      connection.hasSettings = true;
    });
    session.once('close', () => sessions.delete(session));
  });
  server.on(
    'stream',
    (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _: number, raw: string[]) => {
      const { session } = stream;
      if (session === undefined) return;
      const connection = sessions.get(session);
      if (connection === undefined) return;
      connection.lastStreamId = stream.id ?? 0;
      if (isStopping) session.close();
      serveStream(parts, stream, headers, raw, connection);
    },
  );
  const { accept, acceptTls, open, endHandshakes } = takeConnections({
    certificate,
    protocol: 'h2',
    room: options.room,
    handshakeTimeoutMs: limits.handshakeTimeoutMs,
    serve: (socket) => {
      // A broken connection ends its calls, which are observed. Node needs a listener all the same.
      socket.on('error', () => {});
      socket.setKeepAlive(true, TCP_KEEPALIVE_AFTER_MS);
      // A session begins while its connection is announced. Only the socket itself can be used after the session has ended.
      accepted = socket;
      server.emit('connection', socket);
      accepted = undefined;
    },
  });
  const { stop: stopSweeping } = endHalfOpen(() => sessions.values(), limits);
  return {
    accept,
    acceptTls,
    close: async (graceMs = STOP_GRACE_MS) => {
      health.stop();
      stopSweeping();
      // A connection is closed before a call on it is answered, if one comes in time: a proxy that uses it for one call at
      // a time reads that before the end of the call. One without such a call may be closed just when a call is sent over
      // it. Clients of gRPC send such a call again; nginx cannot.
      isStopping = true;
      for (const [session, { unanswered }] of sessions) if (unanswered > 0) session.close();
      await open.endedWithin(graceMs);
      endHandshakes();
      // The calls that have arrived are seen first.
      await setImmediate();
      for (const session of sessions.keys()) session.close();
      if (streaming.size > 0) await passTime(STREAM_GRACE_MS);
      for (const stop of streaming) stop();
      await open.ended();
    },
  };
}

function callsWith(
  context: ServiceContext,
  { scope, calls }: ServedService,
): Readonly<Record<string, ServedCall>> {
  return Object.fromEntries(
    calls.map(({ method, answer }) => [
      method.name,
      {
        kind: 'unary',
        isPublic: false,
        scope,
        answer: (message, exchange) => answer(context, exchange, message),
      } satisfies ServedCall,
    ]),
  );
}

function connectionOf(
  session: Http2Session,
  socket: Socket,
  room: ConnectionRoom | undefined,
): Connection {
  const { remoteAddress, remotePort, localPort } = socket;
  const connection: Connection = {
    session,
    socket,
    clientAddress: remoteAddress,
    idleSinceMs: performance.now(),
    hasSettings: false,
    isTrusted: false,
    calls: 0,
    unanswered: 0,
    lastStreamId: 0,
    sweptBytes: 0,
    incompleteId: undefined,
    isEnding: false,
    expend: () => {
      if (!connection.isTrusted) room?.expend({ remoteAddress, remotePort, localPort });
    },
    trust: () => {
      if (!connection.isTrusted) room?.trust({ remoteAddress, remotePort, localPort });
      connection.isTrusted = true;
    },
  };
  return connection;
}

/** The services of the interface, with the calls of each. */
export const SERVICES: readonly ServedService[] = [
  QUERY_SERVICE,
  CATALOG_SERVICE,
  MAP_SERVICE,
  CATALOG_QUERY,
  CATALOG_QUERY_ALPHA,
  EXPORT,
  FILE_DOWNLOAD_SERVICE,
  AGGREGATES,
];

/** The standard services of gRPC, which reflection lists with those of the interface. */
const STANDARD_SERVICES: readonly DescService[] = [
  healthV1.Health,
  reflectionV1.ServerReflection,
  reflectionV1alpha.ServerReflection,
];
