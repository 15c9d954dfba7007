import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { ServiceError } from '../../domain/service-error.ts';
import type { Observe } from '../../observe/observation.ts';
import { requestCompleted } from '../../observe/request-completed.ts';
import { readRequestId } from '../../observe/request-id.ts';
import { NO_TRACE } from '../../observe/trace.ts';
import { readUserAgent } from '../../observe/user-agent.ts';
import { observeError } from '../../service/observe-error.ts';
import { ACCEPTED_CODINGS, checkStream } from './check-stream.ts';
import type { ServeStream } from './open-injector.ts';
import { toStatus } from './to-status.ts';

/** The route of an unknown path, as OpenTelemetry names it. The path itself is the caller's text. */
const OTHER_ROUTE = '/_OTHER';

/** Passes on each stream that is a call of gRPC, and answers any other one with an error. */
export function refuseStreams({
  paths,
  observe,
}: {
  /** The paths of all calls. */
  readonly paths: ReadonlySet<string>;
  readonly observe: Observe;
}) {
  return (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, serve: ServeStream): void => {
    try {
      checkStream(headers, paths);
    } catch (error) {
      refuse(stream, headers, ServiceError.from(error));
      return;
    }
    makePlain(headers);
    serve(stream, headers);
  };

  function refuse(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, error: ServiceError) {
    const began = performance.now();
    const path = headers[':path'] ?? '';
    const requestId = readRequestId(headers['x-request-id']);
    const userAgent = readUserAgent(headers['user-agent']);
    const clientAddress = stream.session?.socket.remoteAddress;
    observe({ kind: 'request_began', protocol: 'grpc', method: 'POST' });
    observeError(observe, error, requestId);
    // The caller may be gone already.
    stream.on('error', () => {});
    if (!stream.destroyed) stream.respond(toHeaders(error, requestId), { endStream: true });
    observe(
      requestCompleted({
        requestId,
        method: 'POST',
        route: paths.has(path) ? path : OTHER_ROUTE,
        status: error.code,
        durationMs: performance.now() - began,
        clientAddress,
        userAgent,
        trace: NO_TRACE,
      }),
    );
  }
}

/** The whole answer: a gRPC status in headers, with an error status of HTTP if the request is not gRPC. */
function toHeaders(error: ServiceError, requestId: string): OutgoingHttpHeaders {
  const { code, details, metadata } = toStatus(error, requestId);
  const isGrpc = !NOT_GRPC.has(error.reason);
  return {
    ':status': isGrpc ? 200 : error.httpStatus,
    'content-type': 'application/grpc+proto',
    'grpc-status': code,
    // gRPC percent-encodes the message; grpc-js uses the same function.
    'grpc-message': encodeURI(details),
    'grpc-accept-encoding': ACCEPTED_CODINGS,
    ...(error.reason === 'METHOD_NOT_ALLOWED' ? { allow: 'POST' } : {}),
    ...metadata?.toHttp2Headers(),
  };
}

const NOT_GRPC: ReadonlySet<string> = new Set(['METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE']);

/**
 * Brings the headers into the form that grpc-js handles correctly: the content type in lower case, and no
 * timeout beyond the range of timers (24 days). grpc-js would truncate it to 32 bits and could end the call at
 * once.
 */
function makePlain(headers: IncomingHttpHeaders): void {
  headers['content-type'] = 'application/grpc';
  const timeout = headers['grpc-timeout'];
  if (timeout !== undefined && hoursOf(String(timeout)) > TIMER_MAX_HOURS) {
    delete headers['grpc-timeout'];
  }
}

function hoursOf(timeout: string): number {
  return Number.parseInt(timeout, 10) * (HOURS_OF_UNIT[timeout.at(-1) ?? ''] ?? 0);
}

const TIMER_MAX_HOURS = (2 ** 31 - 1) / 3_600_000;
/** Eight digits of the smaller units are less than 24 days. */
const HOURS_OF_UNIT: Readonly<Record<string, number>> = { H: 1, M: 1 / 60, S: 1 / 3600 };
