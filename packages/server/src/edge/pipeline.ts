import { authenticate } from '../auth/authenticate.ts';
import { checkScope } from '../auth/check-scope.ts';
import type { ControlStore } from '../auth/control-store.ts';
import type { Caller } from '../domain/caller.ts';
import type { Scope } from '../domain/scope.ts';
import { releaseBuffer } from '../encoding/buffer-pool.ts';
import { inSpanUntil } from '../observe/request-scope.ts';
import { type RequestTrace, runInSpan } from '../observe/trace.ts';
import type { StopSignal } from '../runtime/stop.ts';
import type { AnswerLimit } from '../service/answer-limit.ts';
import type { Meter, MeteredRequest } from '../service/meter.ts';
import type { Call } from '../service/service-context.ts';

/*
 * The path of a request, from top to bottom. A step refuses a request by throwing a ServiceError, which its edge sends.
 *
 * | step         | folder                       | refused here                                                          |
 * | ------------ | ---------------------------- | --------------------------------------------------------------------- |
 * | authenticate | auth                         | no token, one that is not accepted, a missing scope                   |
 * | admit        | service/meter.ts, metering   | more requests than a limit allows, or no rows left                    |
 * | receive      | edge/http/request, edge/grpc | a body or message that is too large, too late or of another type      |
 * | read         | edge/http/request, edge/grpc | unreadable bytes, unknown request fields, wrong shapes                |
 * | run          | service, plan, storage       | what the caller may not see, unknown names, wrong values, a full queue, a missed deadline |
 * | encode       | encoding                     | nothing                                                               |
 * | record       | service/meter.ts, metering   | more rows than are left; usage that cannot be recorded                |
 *
 * Then the edge sends the answer and logs its end. HTTP admits a request by its headers, so that a body is not received
 * in vain. Over gRPC the message mostly arrives with the headers, so a call takes its slot once it can be answered.
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
export type Operation<Context, Received, Asked, Result> = {
  /** Its name in the usage records. */
  readonly name: string;
  /** Parses what was received. */
  readonly read: (received: Received) => Asked;
  /** Plans and runs the queries, or finds that the caller holds the answer already. */
  readonly run: (
    context: Context,
    asked: Asked,
    call: Call,
  ) => Promise<Result | typeof HELD> | Result;
  /** The rows that are in memory until they are encoded. Default: none, because the result describes data. */
  readonly rowsOf?: ((result: Result) => number) | undefined;
  readonly encode: (result: Result, asked: Asked) => Promise<Encoded>;
};

/** The result of an operation whose answer the caller holds already. */
export const HELD = Symbol('held');

/** An answer as it is sent. */
export type Encoded = {
  /** The bytes, in a buffer of the pool or not. The edge releases it once they are sent. */
  readonly answer: Buffer;
  readonly rows: number | undefined;
  /** The bytes that are recorded as usage. */
  readonly bytes: number;
};

/** Finds the caller of a request. */
export function authenticateRequest(
  exchange: Exchange,
  authorization: string | undefined,
  {
    store,
    scope,
  }: { readonly store: Pick<ControlStore, 'findCaller'>; readonly scope: Scope | undefined },
): void {
  const caller = runInSpan(exchange.trace, 'auth', () => authenticate(authorization, store));
  exchange.caller = caller;
  if (scope !== undefined) checkScope(caller, scope);
}

/** Asks for the limits of the caller. The edge frees the slot of the request when it has ended. */
export async function admitRequest(exchange: Exchange, meter: Pick<Meter, 'admit'>): Promise<void> {
  const { requestId, gone: signal } = exchange;
  const { caller } = callOf(exchange);
  exchange.metered = await meter.admit({ caller, requestId, signal });
}

/** Answers a request that was received. */
export async function answerRequest<
  Context extends { readonly answers: AnswerLimit },
  Received,
  Asked extends object,
  Result,
>(
  context: Context,
  exchange: Exchange,
  operation: Operation<Context, Received, Asked, Result>,
  received: Received,
): Promise<Encoded> {
  const asked = operation.read(received);
  const result = await operation.run(context, asked, callOf(exchange));
  const encoded =
    result === HELD
      ? NOTHING
      : await encode(context.answers, exchange, operation, { asked, result });
  await record(exchange, operation.name, asked, encoded);
  return encoded;
}

/** A large page keeps its place among those in memory, because its encoding takes several event-loop ticks. */
async function encode<Asked, Result>(
  answers: AnswerLimit,
  exchange: Exchange,
  { rowsOf, encode: make }: Pick<Operation<never, never, Asked, Result>, 'rowsOf' | 'encode'>,
  { asked, result }: { readonly asked: Asked; readonly result: Result },
): Promise<Encoded> {
  const encoded = await answers.holdRows(rowsOf?.(result) ?? 0, () =>
    inSpanUntil('encoding', () => make(result, asked)),
  );
  exchange.rows = encoded.rows;
  exchange.bytes = encoded.bytes;
  return encoded;
}

const NOTHING: Encoded = { answer: Buffer.alloc(0), rows: undefined, bytes: 0 };

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
function callOf({ caller, gone }: Exchange): Call {
  if (caller === undefined) throw new Error('A request that needs a caller is public.');
  return { caller, signal: gone };
}
