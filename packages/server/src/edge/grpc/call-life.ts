import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import {
  type ErrorCode,
  type ErrorReason,
  ServiceError,
} from '@locmetrics/core/errors/service-error';
import type { Stop } from '@locmetrics/core/runtime/stop';
import type { ControlStore } from '../../auth/control-store.ts';
import { failureOf } from '../../observe/failure-of.ts';
import type { Observe } from '../../observe/observation.ts';
import { requestCompleted } from '../../observe/request-completed.ts';
import type { StartTrace } from '../../observe/trace.ts';
import { readUserAgent } from '../../observe/user-agent.ts';
import type { Meter } from '../../service/meter.ts';
import type { AnswerLimit } from '../../service/queries/answer-limit.ts';
import { observeError } from '../../service/queries/observe-error.ts';
import type { PollFirst } from '../../service/queries/poll-once-per-tick.ts';
import type { AnswerCut, TakingLimits } from '../../service/queries/unsent-answer.ts';
import type { Exchange } from '../pipeline.ts';
import { textOf } from './check-stream.ts';
import type { SweptConnection } from './end-half-open.ts';
import { errorTrailers, REQUEST_ID_KEY } from './error-trailers.ts';
import type { GrpcLimits } from './grpc-limits.ts';
import type { KnownCalls } from './known-calls.ts';
import { ACCEPTED_CODINGS } from './message-reader.ts';
import { sendMessage } from './send-message.ts';

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
  readonly startTrace: StartTrace;
  readonly store: Pick<ControlStore, 'findCaller'>;
  readonly pollFirst: PollFirst;
  readonly calls: KnownCalls;
  readonly meter: Pick<Meter, 'headers'>;
  readonly answers: AnswerLimit;
  readonly limits: GrpcLimits;
  readonly taking: TakingLimits;
  /** The streaming calls that run; each function ends one because the service stops. */
  readonly streaming: Set<() => void>;
};

/** The parts of a call with a lifetime: its stream, timers and end. The steps of the call see only its exchange. */
export type CallLife = {
  readonly parts: ServingParts;
  readonly exchange: Exchange & { readonly gone: Stop };
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly connection: Connection;
  readonly route: string;
  readonly startedMs: number;
  isEnded: boolean;
  /** Ends the call if its request does not arrive in time. */
  arrival: NodeJS.Timeout | undefined;
  deadline: NodeJS.Timeout | undefined;
  trailers: OutgoingHttpHeaders;
  onEnd: (() => void) | undefined;
};

/** The whole message must arrive in time. */
export function expectMessage(life: CallLife): void {
  const { requestTimeoutMs } = life.parts.limits;
  life.arrival ??= setTimeout(() => refuse(life, requestTooLate()), requestTimeoutMs);
}

export function startAnswer(life: CallLife): void {
  const { exchange, parts, stream } = life;
  const head: OutgoingHttpHeaders = { ...ANSWER_HEAD, [REQUEST_ID_KEY]: exchange.requestId };
  addLimits(head, parts, exchange);
  stream.once('wantTrailers', () => stream.sendTrailers(life.trailers));
  stream.respond(head, WITH_TRAILERS);
}

export function send(life: CallLife, framed: Buffer, onSent: () => void): void {
  const { answers, taking } = life.parts;
  const onCut = (cut: AnswerCut): void => leave(life, cut);
  sendMessage(life.stream, framed, { answers, taking, onSent, onCut });
}

export function endWell(life: CallLife): void {
  if (life.isEnded) return;
  end(life, 'OK');
  life.stream.end();
}

/** Ends the call with an error, which is only observed if the call has ended already. */
export function refuse(life: CallLife, error: ServiceError): void {
  const trailers = fail(life, error);
  if (trailers === undefined) return;
  const { stream } = life;
  if (stream.destroyed) return;
  if (stream.headersSent) {
    life.trailers = trailers;
    stream.end();
  } else stream.respond({ ...ERROR_HEAD, ...trailers }, { endStream: true });
  // The rest of the request is not read.
  stream.resume();
}

/** Refuses a stream that is not a call: with a status of HTTP too, if it is not even gRPC. */
export function refuseStream(life: CallLife, error: ServiceError): void {
  const trailers = fail(life, error);
  const { stream } = life;
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
export function leave(life: CallLife, cut?: AnswerCut): void {
  if (life.isEnded) return;
  const waitedMs = performance.now() - life.startedMs;
  const cause =
    waitedMs < CLOSE_TO_DEADLINE * timeoutMsOf(life)
      ? new ServiceError('CANCELLED', 'The caller cancelled before the answer was ready.')
      : deadlinePassed();
  fail(life, cause, cut);
}

/**
 * A caller resets its stream when its deadline passes, and the reset may arrive before the timer here ends. What
 * ends in the last tenth of the time is taken for that.
 */
const CLOSE_TO_DEADLINE = 0.9;

/** Ends the call for its observers and stops its query. Returns the trailers, unless it had ended already. */
function fail(
  life: CallLife,
  error: ServiceError,
  cut?: AnswerCut,
): OutgoingHttpHeaders | undefined {
  const { parts, exchange } = life;
  const { requestId, gone } = exchange;
  if (life.isEnded) {
    // After the end of a call only a fault of the service is worth observing.
    if (error.reason === 'INTERNAL') observeError(parts.observe, error, requestId);
    return undefined;
  }
  observeError(parts.observe, error, requestId);
  end(life, error.code, { reason: error.reason, cut });
  gone.abort(error);
  const trailers = errorTrailers(error, requestId);
  addLimits(trailers, parts, exchange);
  return trailers;
}

function end(
  life: CallLife,
  code: 'OK' | ErrorCode,
  failed: { readonly reason?: ErrorReason; readonly cut?: AnswerCut | undefined } = {},
): void {
  const { parts, exchange, stream, headers, connection } = life;
  life.isEnded = true;
  connection.unanswered -= 1;
  closeLater(stream);
  clearTimeout(life.arrival);
  clearTimeout(life.deadline);
  life.onEnd?.();
  exchange.trace.end({ 'rpc.response.status_code': code }, failureOf(code));
  parts.observe(
    requestCompleted({
      ...exchange,
      method: 'POST',
      route: life.route,
      status: code,
      durationMs: performance.now() - life.startedMs,
      clientAddress: connection.clientAddress,
      cut: failed.cut,
      userAgent: readUserAgent(headers['user-agent']),
      reason: failed.reason,
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

function addLimits(to: OutgoingHttpHeaders, { meter }: ServingParts, { caller }: Exchange): void {
  if (caller === undefined) return;
  for (const [name, value] of meter.headers(caller)) to[name] = value;
}

/** Timers reach 24 days; a later deadline is none. */
export function startDeadline(life: CallLife): NodeJS.Timeout | undefined {
  const timeoutMs = timeoutMsOf(life);
  if (timeoutMs > TIMER_MAX_MS) return undefined;
  return setTimeout(() => refuse(life, deadlinePassed()), timeoutMs);
}

/** The time that the caller gives the call, from its beginning. */
function timeoutMsOf({ headers }: CallLife): number {
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

export function codingOf({ headers, parts }: CallLife) {
  return { coding: textOf(headers['grpc-encoding']), maxBytes: parts.limits.messageMaxBytes };
}

function requestTooLate(): ServiceError {
  return new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive completely in time.', {
    hint: 'Send it again, without pauses between its parts.',
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
export const OK_TRAILERS: OutgoingHttpHeaders = { 'grpc-status': 0, 'grpc-message': 'OK' };
