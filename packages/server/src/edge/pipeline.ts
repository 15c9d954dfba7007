import type { Caller } from '@locmetrics/core/domain/caller';
import type { Scope } from '@locmetrics/core/domain/scope';
import { releaseBuffer } from '@locmetrics/core/encoding/buffer-pool';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { authenticate } from '../auth/authenticate.ts';
import { checkScope } from '../auth/check-scope.ts';
import type { ControlStore } from '../auth/control-store.ts';
import { inSpanUntil } from '../observe/request-scope.ts';
import { type RequestTrace, runInSpan } from '../observe/trace.ts';
import type { Meter, MeteredRequest } from '../service/meter.ts';
import type { Call, ServiceContext } from '../service/service-context.ts';

/*
 * The path of a request over HTTP and gRPC, from top to bottom. A step refuses by throwing a ServiceError.
 *
 * | step         | folder                       | refused here
 * | authenticate | auth                         | no token, one that is not accepted, a missing scope
 * | admit        | service, metering            | more requests than a limit allows, no rows left
 * | receive      | edge/http/request, edge/grpc | a body or message that is too large or too late, or has another media type
 * | read         | edge/http/request, edge/grpc | malformed bytes, unknown request fields, wrong shapes
 * | run          | service, plan, storage       | unknown names and versions, wrong values, a full queue, a missed deadline
 * | encode       | encoding                     |
 * | record       | service, metering            | more rows than are left, usage that cannot be recorded
 *
 * Then the edge sends the answer, and releases its buffer. Over gRPC the message is received before the call is admitted:
 * it mostly arrives with the headers. HTTP admits first, so that a large body is not received in vain.
 *
 * A stream (`edge/http/routes/streams.ts`) runs, encodes and records piece by piece.
 *
 * Two functions of a result are called while it is encoded. `nextPageToken`, because only the encoder knows how many rows
 * fit into a message. `visit`, because the values of a page are written from where the engine has them, without a copy.
 */

/** A request, as the steps see it. */
export type Exchange = {
  readonly requestId: string;
  readonly trace: RequestTrace;
  /** Aborts when the caller has gone; over gRPC the reason is the matching error. */
  readonly gone: StopSignal;
  /** Whether the answer is sent without its content, as to HEAD. */
  readonly isHead: boolean;
  /** Of the first step; absent if the request needs no token. */
  caller?: Caller | undefined;
  /** Of the second step; absent for the admin interface, whose requests are neither limited nor recorded. */
  metered?: MeteredRequest | undefined;
  /** The rows and bytes of the encoded answer. Answers that describe data have no rows. */
  rows?: number | undefined;
  bytes?: number | undefined;
};

/** How a request for data is answered; all other steps are the same for each. */
export type Operation<Received, Asked, Result> = {
  /** Its name in the usage records. */
  readonly name: string;
  /** Parses what was received. */
  readonly read: (received: Received) => Asked;
  /** Plans and runs the queries, or finds that the caller holds the answer already. */
  readonly run: (
    service: ServiceContext,
    asked: Asked,
    call: Call,
  ) => Promise<Result | typeof HELD> | Result;
  /** The number of rows of a result. Default: none, because it describes data. */
  readonly rowsOf?: ((result: Result) => number) | undefined;
  readonly encode: (result: Result, asked: Asked) => Promise<Encoded>;
};

/** The result of an operation whose answer the caller holds already. */
export const HELD = Symbol('held');
const NOTHING: Encoded = { answer: Buffer.alloc(0), rows: undefined, bytes: 0 };

/** An encoded answer. */
export type Encoded = {
  /** The bytes; their buffer may be of the pool. */
  readonly answer: Buffer;
  readonly rows: number | undefined;
  /** The bytes that are recorded as usage. */
  readonly bytes: number;
  /** Headers of this answer besides those of each, over HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** Finds the caller of a request. The header is `Authorization`, over gRPC the metadata of that name. */
export function authenticateRequest(
  exchange: Exchange,
  { header, scope }: { readonly header: string | undefined; readonly scope: Scope | undefined },
  store: Pick<ControlStore, 'findCaller'>,
): void {
  const caller = runInSpan(exchange.trace, 'auth', () => authenticate(header, store));
  exchange.caller = caller;
  if (scope !== undefined) checkScope(caller, scope);
}

/**
 * Refuses the next piece of an answer if its caller would not get it now: the token was revoked or has expired, or the
 * rights of the caller have changed.
 */
export function checkSameRights(
  { caller }: Pick<Exchange, 'caller'>,
  header: string | undefined,
  store: Pick<ControlStore, 'findCaller'>,
): void {
  const { rights } = authenticate(header, store);
  if (rights.fingerprint === caller?.rights.fingerprint) return;
  throw new ServiceError('PAGE_TOKEN_EXPIRED', 'The rights of the caller have changed.', {
    hint: 'Send the request again.',
  });
}

/** Takes a slot of the limits of the caller; a promise if it takes time. The edge frees it when the request has ended. */
export function admitRequest(
  exchange: Exchange,
  meter: Pick<Meter, 'admit'>,
  isViewing = false,
): undefined | Promise<void> {
  const { requestId, gone: signal } = exchange;
  const { caller } = callOf(exchange);
  const metered = meter.admit({ caller, requestId, signal, isViewing });
  if (metered instanceof Promise) {
    return metered.then((later) => {
      exchange.metered = later;
    });
  }
  exchange.metered = metered;
  return undefined;
}

/** Answers a request that was received. */
export async function answerRequest<Received, Asked extends object, Result>(
  service: ServiceContext,
  exchange: Exchange,
  operation: Operation<Received, Asked, Result>,
  received: Received,
): Promise<Encoded> {
  const asked = operation.read(received);
  const result = await operation.run(service, asked, callOf(exchange));
  const encoded =
    result === HELD ? NOTHING : await encode(service, exchange, operation, { asked, result });
  await record(exchange, operation.name, asked, encoded);
  return encoded;
}

async function encode<Asked, Result>(
  { answers }: ServiceContext,
  exchange: Exchange,
  { rowsOf, encode: make }: Pick<Operation<never, Asked, Result>, 'rowsOf' | 'encode'>,
  { asked, result }: { readonly asked: Asked; readonly result: Result },
): Promise<Encoded> {
  // A large page keeps its place among those in memory, because its encoding takes several event-loop ticks.
  const release = answers.holdRows(rowsOf?.(result) ?? 0);
  try {
    const encoded = await inSpanUntil('encoding', () => make(result, asked));
    exchange.rows = encoded.rows;
    exchange.bytes = encoded.bytes;
    return encoded;
  } finally {
    release();
  }
}

/** Records the usage of an answer before its first byte is sent. */
async function record(
  { metered, isHead }: Exchange,
  operation: string,
  request: object,
  { answer, rows = 0, bytes }: Encoded,
): Promise<void> {
  try {
    const sent = isHead ? { rows: 0, bytes: 0 } : { rows, bytes };
    await metered?.complete({ operation, request, ...sent });
  } catch (error) {
    releaseBuffer(answer);
    throw error;
  }
}

/** The caller and its signal, for a step after the first. */
export function callOf({ caller, gone }: Exchange): Call {
  if (caller === undefined) throw new Error('A request that needs a caller is public.');
  return { caller, signal: gone };
}
