import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { authenticate } from '../../auth/authenticate.ts';
import { checkScope } from '../../auth/check-scope.ts';
import type { ControlStore } from '../../auth/control-store.ts';
import type { Caller } from '../../domain/caller.ts';
import { type ErrorCode, type ErrorReason, ServiceError } from '../../domain/service-error.ts';
import { frameMessage } from '../../encoding/message-frame.ts';
import { failureOf } from '../../observe/failure-of.ts';
import type { Observe } from '../../observe/observation.ts';
import { requestCompleted } from '../../observe/request-completed.ts';
import { readRequestId } from '../../observe/request-id.ts';
import { runInScope } from '../../observe/request-scope.ts';
import { type BeginTrace, NO_TRACE, runInSpan } from '../../observe/trace.ts';
import { readUserAgent } from '../../observe/user-agent.ts';
import { Stop } from '../../runtime/stop.ts';
import type { AnswerLimit } from '../../service/answer-limit.ts';
import type { LookFirst } from '../../service/look-once-per-turn.ts';
import type { Meter } from '../../service/meter.ts';
import { observeError } from '../../service/observe-error.ts';
import type { AnswerCut, TakingLimits } from '../../service/unsent-answer.ts';
import type { CallState } from './call-state.ts';
import { checkStream, textOf } from './check-stream.ts';
import type { SweptConnection } from './end-half-open.ts';
import { errorTrailers, REQUEST_ID_KEY } from './error-trailers.ts';
import { type GrpcLimits, METADATA_LIMITS } from './grpc-limits.ts';
import type { KnownCalls } from './known-calls.ts';
import {
  ACCEPTED_CODINGS,
  MessageReader,
  NO_MESSAGE,
  notOneMessage,
  openMessage,
  SECOND_MESSAGE,
  type SentMessage,
} from './message-reader.ts';
import { sendMessage } from './send-message.ts';
import type { ServedCall } from './served-call.ts';

/** The connection of a call. */
export type Connection = SweptConnection & {
  readonly clientAddress: string | undefined;
  /** The calls on it that have no status yet. The stream of an answered call may be open for a while. */
  unanswered: number;
  /** Called when a token was accepted on it. */
  readonly trust: () => void;
  /** Called when a call on it has ended. */
  readonly expend: () => void;
};

export type ServingParts = {
  readonly observe: Observe;
  readonly beginTrace: BeginTrace;
  readonly store: Pick<ControlStore, 'findCaller'>;
  readonly lookFirst: LookFirst;
  readonly calls: KnownCalls;
  readonly meter: Pick<Meter, 'headers'>;
  readonly answers: AnswerLimit;
  readonly limits: GrpcLimits;
  readonly taking: TakingLimits;
  /** The streaming calls that run; each function ends one because the service stops. */
  readonly streaming: Set<() => void>;
};

/** A call while it is served. */
type Run = CallState & {
  readonly parts: ServingParts;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly connection: Connection;
  readonly route: string;
  readonly beganMs: number;
  readonly userAgent: string | undefined;
  isEnded: boolean;
  /** Ends the call if its request does not arrive in time. */
  arrival: NodeJS.Timeout | undefined;
  deadline: NodeJS.Timeout | undefined;
  cut: AnswerCut | undefined;
  reason: ErrorReason | undefined;
  trailers: OutgoingHttpHeaders;
  onEnd: (() => void) | undefined;
};

/** The route of an unknown path, as OpenTelemetry names it. The path itself is the caller's text. */
const OTHER_ROUTE = '/_OTHER';

/**
 * Serves a stream of HTTP/2, which is one call: checks its headers by the rules of gRPC, finds its caller, reads
 * its messages, and sends the answer and the status.
 */
export function serveStream(
  parts: ServingParts,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  connection: Connection,
): void {
  const { beginTrace, calls, lookFirst, observe } = parts;
  const known = calls.find(headers[':path'] ?? '');
  const call = known?.call;
  const route = known?.path ?? OTHER_ROUTE;
  const requestId = readRequestId(headers[REQUEST_ID_KEY]);
  const name = route.slice(1);
  const run: Run = {
    parts,
    stream,
    headers,
    connection,
    route,
    beganMs: performance.now(),
    requestId,
    userAgent: readUserAgent(headers['user-agent']),
    // Health checks are not part of a trace.
    trace:
      call === undefined || call.isPublic
        ? NO_TRACE
        : beginTrace({
            name,
            facts: {
              'rpc.system.name': 'grpc',
              'rpc.method': name,
              'locmetrics.request_id': requestId,
            },
            traceparent: textOf(headers['traceparent']),
            tracestate: textOf(headers['tracestate']),
          }),
    gone: new Stop(),
    caller: undefined,
    metered: undefined,
    rows: undefined,
    bytes: undefined,
    isEnded: false,
    arrival: undefined,
    deadline: undefined,
    cut: undefined,
    reason: undefined,
    trailers: OK_TRAILERS,
    onEnd: undefined,
  };
  observe({ kind: 'request_began', protocol: 'grpc', method: 'POST' });
  // The end of a broken stream is observed when it closes. Node needs a listener all the same.
  stream.on('error', ignore);
  connection.calls += 1;
  connection.unanswered += 1;
  stream.once('close', () => {
    connection.calls -= 1;
    connection.idleSinceMs = performance.now();
    connection.expend();
    leave(run);
  });
  try {
    checkStream(headers, rawHeaders, calls);
  } catch (error) {
    refuseStream(run, ServiceError.from(error));
    return;
  }
  // The check has found the call.
  if (call === undefined) return;
  run.deadline = startDeadline(run);
  if (sizeOf(rawHeaders) > METADATA_LIMITS.maxBytes) refuse(run, metadataTooLarge());
  else if (call.isPublic) accept(run, call);
  else lookFirst(() => admit(run, call));
}

function admit(run: Run, call: ServedCall): void {
  if (run.isEnded) return;
  const { headers, connection, parts, trace } = run;
  try {
    const caller = runInSpan(trace, 'auth', () => authenticate(headers.authorization, parts.store));
    run.caller = caller;
    connection.trust();
    if (call.scope !== undefined) checkScope(caller, call.scope);
  } catch (error) {
    refuse(run, ServiceError.from(error));
    return;
  }
  accept(run, call);
}

function accept(run: Run, call: ServedCall): void {
  if (call.kind === 'unary') takeRequest(run, call.answer);
  else openStreaming(run, call.open);
}

type Answer = Extract<ServedCall, { readonly kind: 'unary' }>['answer'];

/** Reads the one message of a unary call. */
function takeRequest(run: Run, answer: Answer): void {
  const { stream, parts } = run;
  const reader = new MessageReader(parts.limits.messageMaxBytes);
  let request: SentMessage | undefined;
  expectMessage(run);
  stream.on('data', (chunk: Buffer) => {
    if (run.isEnded) return;
    try {
      for (const message of reader.read(chunk)) {
        if (request !== undefined) throw notOneMessage(SECOND_MESSAGE);
        request = message;
      }
    } catch (error) {
      refuse(run, ServiceError.from(error));
    }
  });
  onceEnded(stream, () => {
    clearTimeout(run.arrival);
    if (run.isEnded) return;
    if (request === undefined || reader.hasPart) {
      refuse(run, notOneMessage(NO_MESSAGE));
      return;
    }
    const sent = request;
    runInScope(run, () => answerRequest(run, sent, answer)).then(
      (framed) => {
        run.metered?.end();
        sendAnswer(run, framed);
      },
      (error: unknown) => {
        refuse(run, ServiceError.from(error));
        run.metered?.end();
      },
    );
  });
}

/** The whole message must arrive in time. */
function expectMessage(run: Run): void {
  const { requestTimeoutMs } = run.parts.limits;
  run.arrival ??= setTimeout(() => refuse(run, requestTooLate()), requestTimeoutMs);
}

/** The end of a stream without data may have been emitted before anything listens to it. */
function onceEnded(stream: ServerHttp2Stream, onEnd: () => void): void {
  if (stream.readableEnded) onEnd();
  else stream.once('end', onEnd);
}

async function answerRequest(run: Run, sent: SentMessage, answer: Answer): Promise<Buffer> {
  const opened = openMessage(sent, codingOf(run));
  return answer(opened instanceof Promise ? await opened : opened, run);
}

function sendAnswer(run: Run, framed: Buffer): void {
  if (run.isEnded) return;
  beginAnswer(run);
  send(run, framed, () => endWell(run));
}

/** Streaming calls are open for as long as their callers want, or until the service stops. */
function openStreaming(
  run: Run,
  open: Extract<ServedCall, { readonly kind: 'streaming' }>['open'],
): void {
  const { stream, parts } = run;
  const stop = (): void =>
    refuse(
      run,
      new ServiceError('NOT_READY', 'The service is stopping.', {
        hint: 'Connect again after a second.',
      }),
    );
  parts.streaming.add(stop);
  const reader = new MessageReader(parts.limits.messageMaxBytes);
  beginAnswer(run);
  const source = open({
    send: (message) => {
      if (run.isEnded) return;
      send(run, frameMessage(message), () => stream.resume());
      // Further messages are read when the answers to the earlier ones have left.
      if (stream.writableNeedDrain) stream.pause();
    },
    end: () => endWell(run),
  });
  run.onEnd = () => {
    parts.streaming.delete(stop);
    source.close();
  };
  // One after the other, also if they must be decompressed.
  let received = Promise.resolve();
  const inTurn = (work: () => void | Promise<void>): void => {
    received = received
      .then(() => (run.isEnded ? undefined : work()))
      .catch((error: unknown) => refuse(run, ServiceError.from(error)));
  };
  // The caller may wait between two messages, but not before the first one or in the middle of one.
  expectMessage(run);
  stream.on('data', (chunk: Buffer) => {
    inTurn(async () => {
      const messages = reader.read(chunk);
      if (messages.length > 0) {
        clearTimeout(run.arrival);
        run.arrival = undefined;
      }
      if (reader.hasPart) expectMessage(run);
      for (const message of messages) source.receive(await openMessage(message, codingOf(run)));
    });
  });
  onceEnded(stream, () => {
    clearTimeout(run.arrival);
    inTurn(() => {
      if (reader.hasPart) throw notOneMessage(NO_MESSAGE);
      source.receiveEnd();
    });
  });
}

function beginAnswer(run: Run): void {
  const { requestId, caller, parts, stream } = run;
  const head: OutgoingHttpHeaders = { ...ANSWER_HEAD, [REQUEST_ID_KEY]: requestId };
  addLimits(head, parts, caller);
  stream.once('wantTrailers', () => stream.sendTrailers(run.trailers));
  stream.respond(head, WITH_TRAILERS);
}

function send(run: Run, framed: Buffer, onSent: () => void): void {
  const { answers, taking } = run.parts;
  const onCut = (reason: AnswerCut): void => {
    run.cut = reason;
    leave(run);
  };
  sendMessage(run.stream, framed, { answers, taking, onSent, onCut });
}

function endWell(run: Run): void {
  if (run.isEnded) return;
  end(run, 'OK');
  run.stream.end();
}

/** Ends the call with an error, which is only observed if the call has ended already. */
function refuse(run: Run, error: ServiceError): void {
  const trailers = fail(run, error);
  if (trailers === undefined) return;
  const { stream } = run;
  if (stream.destroyed) return;
  if (stream.headersSent) {
    run.trailers = trailers;
    stream.end();
  } else stream.respond({ ...ERROR_HEAD, ...trailers }, { endStream: true });
  // The rest of the request is not read.
  stream.resume();
}

/** Refuses a stream that is not a call: with a status of HTTP too, if it is not even gRPC. */
function refuseStream(run: Run, error: ServiceError): void {
  const trailers = fail(run, error);
  const { stream } = run;
  if (trailers === undefined || stream.destroyed) return;
  const head = {
    ...ERROR_HEAD,
    ':status': NOT_GRPC.has(error.reason) ? error.httpStatus : 200,
    'grpc-accept-encoding': ACCEPTED_CODINGS,
    ...(error.reason === 'METHOD_NOT_ALLOWED' ? { allow: 'POST' } : {}),
    ...trailers,
  };
  stream.respond(head, { endStream: true });
}

const NOT_GRPC: ReadonlySet<ErrorReason> = new Set([
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
]);

/** The caller has gone, or does not read the answer. */
function leave(run: Run): void {
  if (run.isEnded) return;
  const waitedMs = performance.now() - run.beganMs;
  const cause =
    waitedMs < CLOSE_TO_DEADLINE * timeoutMsOf(run)
      ? new ServiceError('CANCELLED', 'The caller cancelled before the answer was ready.')
      : deadlinePassed();
  fail(run, cause);
}

/**
 * A caller resets its stream when its deadline passes, and the reset may arrive before the timer here ends. What
 * ends in the last tenth of the time is taken for that.
 */
const CLOSE_TO_DEADLINE = 0.9;

/** Ends the call for its observers and stops its query. Returns the trailers, unless it had ended already. */
function fail(run: Run, error: ServiceError): OutgoingHttpHeaders | undefined {
  const { parts, requestId, caller } = run;
  if (run.isEnded) {
    // After the end of a call only a fault of the service is worth observing.
    if (error.reason === 'INTERNAL') observeError(parts.observe, error, requestId);
    return undefined;
  }
  run.reason = error.reason;
  observeError(parts.observe, error, requestId);
  end(run, error.code);
  run.gone.abort(error);
  const trailers = errorTrailers(error, requestId);
  addLimits(trailers, parts, caller);
  return trailers;
}

function end(run: Run, code: 'OK' | ErrorCode): void {
  const { parts, trace, stream } = run;
  run.isEnded = true;
  run.connection.unanswered -= 1;
  closeLater(stream);
  clearTimeout(run.arrival);
  clearTimeout(run.deadline);
  run.onEnd?.();
  trace.end({ 'rpc.response.status_code': code }, failureOf(code));
  parts.observe(
    requestCompleted({
      requestId: run.requestId,
      method: 'POST',
      route: run.route,
      status: code,
      durationMs: performance.now() - run.beganMs,
      caller: run.caller,
      rows: run.rows,
      clientAddress: run.connection.clientAddress,
      cut: run.cut,
      bytes: run.bytes,
      userAgent: run.userAgent,
      trace,
      reason: run.reason,
    }),
  );
}

/** After its answer a caller has this long to end its side of the stream. */
const CLOSE_AFTER_MS = 5000;

/** A caller that does not end its side would keep the stream, and with it the connection. */
function closeLater(stream: ServerHttp2Stream): void {
  if (stream.readableEnded || stream.destroyed) return;
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), CLOSE_AFTER_MS);
  stream.once('close', () => clearTimeout(timer));
}

function addLimits(
  to: OutgoingHttpHeaders,
  { meter }: ServingParts,
  caller: Caller | undefined,
): void {
  if (caller === undefined) return;
  for (const [name, value] of meter.headers(caller)) to[name] = value;
}

/** Timers reach 24 days; a later deadline is none. */
function startDeadline(run: Run): NodeJS.Timeout | undefined {
  const timeoutMs = timeoutMsOf(run);
  if (timeoutMs > TIMER_MAX_MS) return undefined;
  return setTimeout(() => refuse(run, deadlinePassed()), timeoutMs);
}

/** The time that the caller gives the call, from its beginning. */
function timeoutMsOf({ headers }: Run): number {
  const timeout = textOf(headers['grpc-timeout']);
  if (timeout === undefined) return Infinity;
  return Number.parseInt(timeout, 10) * (MS_OF_UNIT[timeout.at(-1) ?? ''] ?? 0);
}

function deadlinePassed(): ServiceError {
  return new ServiceError('DEADLINE_EXCEEDED', 'The deadline of the call has passed.', {
    hint: 'Give it more time, narrow the filters, or ask for fewer records.',
  });
}

const TIMER_MAX_MS = 2 ** 31 - 1;
const MS_OF_UNIT: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

function codingOf({ headers, parts }: Run) {
  return { coding: textOf(headers['grpc-encoding']), maxBytes: parts.limits.messageMaxBytes };
}

function sizeOf(rawHeaders: readonly string[]): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

function metadataTooLarge(): ServiceError {
  return new ServiceError('HEADERS_TOO_LARGE', 'The metadata of the call are too large.', {
    hint: 'Send at most 16 KiB of them; long filters go into the message.',
  });
}

function requestTooLate(): ServiceError {
  return new ServiceError('REQUEST_TIMEOUT', 'The whole request did not arrive in time.', {
    hint: 'Send it again, without waiting between its parts.',
  });
}

const ERROR_HEAD: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc+proto',
};
const ANSWER_HEAD: OutgoingHttpHeaders = {
  ...ERROR_HEAD,
  'grpc-accept-encoding': ACCEPTED_CODINGS,
  'grpc-encoding': 'identity',
};
const WITH_TRAILERS = { waitForTrailers: true };
const OK_TRAILERS: OutgoingHttpHeaders = { 'grpc-status': 0, 'grpc-message': 'OK' };

function ignore(): void {}
