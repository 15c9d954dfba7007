import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../domain/caller.ts';
import type { ErrorReason } from '../../../domain/service-error.ts';
import { NO_TRACE, type RequestTrace } from '../../../observe/trace.ts';
import { Stop } from '../../../runtime/stop.ts';
import type { MeteredRequest } from '../../../service/meter.ts';
import type { AnswerCut } from '../../../service/unsent-answer.ts';
import { type AcceptedCoding, IDENTITY_ACCEPTED } from './content-coding.ts';

/** The state of a request, shared by the hooks and the handler. */
export type RequestState = {
  caller?: Caller | undefined;
  metered?: MeteredRequest | undefined;
  /** Pointers as written by the caller: see `readSpelling`. */
  writtenPointers: ReadonlyMap<string, string>;
  /** Aborts when the caller disconnects. */
  readonly gone: Stop;
  /** The accepted encodings of the answer. */
  accepted: AcceptedCoding;
  /** The path below which the caller reaches the service, such as `/metrics-data`; empty for none. */
  pathPrefix: string;
  /** The address of the client. */
  clientAddress?: string | undefined;
  /** Rows in the answer. */
  rows?: number | undefined;
  /** Why the connection was closed before the caller had read the answer. */
  cut?: AnswerCut | undefined;
  /** The reason, if the answer is an error. */
  reason?: ErrorReason | undefined;
  /** Bytes of the answer. */
  bytes?: number | undefined;
  trace: RequestTrace;
  /** Whether its end was observed. */
  isCompleted: boolean;
};

/**
 * A WeakMap would keep all that a request refers to until a full collection, because V8's young collections take
 * its values for used.
 */
const STATE = Symbol('state');

export function stateOf(request: FastifyRequest & { [STATE]?: RequestState }): RequestState {
  let state = request[STATE];
  if (state === undefined) {
    state = {
      writtenPointers: new Map(),
      gone: new Stop(),
      accepted: IDENTITY_ACCEPTED,
      pathPrefix: '',
      trace: NO_TRACE,
      isCompleted: false,
    };
    request[STATE] = state;
  }
  return state;
}
