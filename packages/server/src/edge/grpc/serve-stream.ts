import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { frameMessage } from '@locmetrics/core/encoding/message-frame';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { Stop } from '@locmetrics/core/runtime/stop';
import { readRequestId } from '../../observe/request-id.ts';
import { runInScope } from '../../observe/request-scope.ts';
import { NO_TRACE, type RequestTrace, type StartTrace } from '../../observe/trace.ts';
import { authenticateRequest } from '../pipeline.ts';
import {
  type CallLife,
  type Connection,
  codingOf,
  endWell,
  expectMessage,
  leave,
  OK_TRAILERS,
  refuse,
  refuseStream,
  type ServingParts,
  send,
  startAnswer,
  startDeadline,
} from './call-life.ts';
import { checkStream, textOf } from './check-stream.ts';
import { REQUEST_ID_KEY } from './error-trailers.ts';
import { METADATA_LIMITS } from './grpc-limits.ts';
import type { KnownCall } from './known-calls.ts';
import {
  MessageReader,
  NO_MESSAGE,
  notOneMessage,
  openMessage,
  SECOND_MESSAGE,
  type SentMessage,
} from './message-reader.ts';
import type { ServedCall } from './served-call.ts';

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
  const { startTrace, calls, pollFirst, observe } = parts;
  const known = calls.find(headers[':path'] ?? '');
  const call = known?.call;
  const life: CallLife = {
    parts,
    exchange: openExchange(startTrace, headers, known),
    stream,
    headers,
    connection,
    route: known?.path ?? OTHER_ROUTE,
    startedMs: performance.now(),
    isEnded: false,
    arrival: undefined,
    deadline: undefined,
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
    leave(life);
  });
  try {
    checkStream(headers, rawHeaders, calls);
  } catch (error) {
    refuseStream(life, ServiceError.from(error));
    return;
  }
  // The check has found the call.
  if (call === undefined) return;
  life.deadline = startDeadline(life);
  if (sizeOf(rawHeaders) > METADATA_LIMITS.maxBytes) refuse(life, metadataTooLarge());
  else if (call.isPublic) accept(life, call);
  else pollFirst(() => authenticateCall(life, call));
}

function openExchange(
  startTrace: StartTrace,
  headers: IncomingHttpHeaders,
  known: KnownCall | undefined,
): CallLife['exchange'] {
  const requestId = readRequestId(headers[REQUEST_ID_KEY]);
  // Health checks are not part of a trace.
  if (known === undefined || known.call.isPublic) return newExchange(requestId, NO_TRACE);
  const name = known.path.slice(1);
  const trace = startTrace({
    name,
    facts: {
      'rpc.system.name': 'grpc',
      'rpc.method': name,
      'locmetrics.request_id': requestId,
    },
    traceparent: textOf(headers['traceparent']),
    tracestate: textOf(headers['tracestate']),
  });
  return newExchange(requestId, trace);
}

function newExchange(requestId: string, trace: RequestTrace): CallLife['exchange'] {
  return { requestId, trace, gone: new Stop(), isHead: false };
}

function authenticateCall(life: CallLife, call: ServedCall): void {
  if (life.isEnded) return;
  const { exchange, headers, connection, parts } = life;
  try {
    const { scope } = call;
    authenticateRequest(exchange, { header: headers.authorization, scope }, parts.store);
  } catch (error) {
    refuse(life, ServiceError.from(error));
    return;
  } finally {
    // A token without the scope is accepted too.
    if (exchange.caller !== undefined) connection.trust();
  }
  accept(life, call);
}

function accept(life: CallLife, call: ServedCall): void {
  if (call.kind === 'unary') takeMessage(life, call.answer);
  else openStreaming(life, call.open);
}

type Answer = Extract<ServedCall, { readonly kind: 'unary' }>['answer'];

/** Receives the one message of a unary call, and has it answered. */
function takeMessage(life: CallLife, answer: Answer): void {
  const { stream, parts } = life;
  const reader = new MessageReader(parts.limits.messageMaxBytes);
  let request: SentMessage | undefined;
  expectMessage(life);
  stream.on('data', (chunk: Buffer) => {
    if (life.isEnded) return;
    try {
      for (const message of reader.read(chunk)) {
        if (request !== undefined) throw notOneMessage(SECOND_MESSAGE);
        request = message;
      }
    } catch (error) {
      refuse(life, ServiceError.from(error));
    }
  });
  onceEnded(stream, () => {
    clearTimeout(life.arrival);
    if (life.isEnded) return;
    if (request === undefined || reader.hasPart) {
      refuse(life, notOneMessage(NO_MESSAGE));
      return;
    }
    const sent = request;
    runInScope(life.exchange, () => answerMessage(life, sent, answer)).then(
      (framed) => {
        life.exchange.metered?.end();
        sendAnswer(life, framed);
      },
      (error: unknown) => {
        refuse(life, ServiceError.from(error));
        life.exchange.metered?.end();
      },
    );
  });
}

/** The end of a stream without data may have been emitted before anything listens to it. */
function onceEnded(stream: ServerHttp2Stream, onEnd: () => void): void {
  if (stream.readableEnded) onEnd();
  else stream.once('end', onEnd);
}

async function answerMessage(life: CallLife, sent: SentMessage, answer: Answer): Promise<Buffer> {
  const opened = openMessage(sent, codingOf(life));
  return answer(opened instanceof Promise ? await opened : opened, life.exchange);
}

function sendAnswer(life: CallLife, framed: Buffer): void {
  if (life.isEnded) return;
  startAnswer(life);
  send(life, framed, () => endWell(life));
}

/** Streaming calls are open for as long as their callers want, or until the service stops. */
function openStreaming(
  life: CallLife,
  open: Extract<ServedCall, { readonly kind: 'streaming' }>['open'],
): void {
  const { stream, parts } = life;
  const stop = (): void =>
    refuse(
      life,
      new ServiceError('NOT_READY', 'The service is stopping.', {
        hint: 'Connect again after a second.',
      }),
    );
  parts.streaming.add(stop);
  const reader = new MessageReader(parts.limits.messageMaxBytes);
  startAnswer(life);
  const source = open({
    send: (message) => {
      if (life.isEnded) return;
      send(life, frameMessage(message), () => stream.resume());
      // Further messages are read when the answers to the earlier ones have left.
      if (stream.writableNeedDrain) stream.pause();
    },
    end: () => endWell(life),
  });
  life.onEnd = () => {
    parts.streaming.delete(stop);
    source.close();
  };
  // One after the other, also if they must be decompressed.
  let received = Promise.resolve();
  const inTurn = (work: () => void | Promise<void>): void => {
    received = received
      .then(() => (life.isEnded ? undefined : work()))
      .catch((error: unknown) => refuse(life, ServiceError.from(error)));
  };
  // The caller may wait between two messages, but not before the first one or in the middle of one.
  expectMessage(life);
  stream.on('data', (chunk: Buffer) => {
    inTurn(async () => {
      const messages = reader.read(chunk);
      if (messages.length > 0) {
        clearTimeout(life.arrival);
        life.arrival = undefined;
      }
      if (reader.hasPart) expectMessage(life);
      for (const message of messages) source.receive(await openMessage(message, codingOf(life)));
    });
  });
  onceEnded(stream, () => {
    clearTimeout(life.arrival);
    inTurn(() => {
      if (reader.hasPart) throw notOneMessage(NO_MESSAGE);
      source.receiveEnd();
    });
  });
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

function ignore(): void {}
