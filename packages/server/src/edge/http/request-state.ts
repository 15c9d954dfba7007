import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/caller.ts';
import type { ErrorReason } from '../../domain/service-error.ts';
import { NO_TRACE, type RequestTrace } from '../../observe/trace.ts';
import type { MeteredRequest } from '../../service/meter.ts';
import type { AnswerCut } from '../../service/unsent-answer.ts';
import { type AcceptedCoding, IDENTITY_ACCEPTED } from './content-coding.ts';

/** What the hooks learn about a request and its handler needs. */
export type RequestState = {
  caller?: Caller;
  metered?: MeteredRequest;
  /** Pointers as the caller wrote them: see `readSpelling`. */
  writtenPointers: ReadonlyMap<string, string>;
  /** Aborts when the caller goes away. */
  readonly gone: AbortController;
  /** How the answer may be coded. */
  accepted: AcceptedCoding;
  /** Where the request came from. */
  clientAddress?: string;
  /** Rows in the answer. */
  rows?: number;
  /** Why the connection was closed before the caller had the answer. */
  cut?: AnswerCut;
  /** Of the error that is the answer. */
  reason?: ErrorReason;
  /** Bytes of the answer. */
  bytes?: number;
  trace: RequestTrace;
  /** Whether its end was observed. */
  isCompleted: boolean;
};

const states = new WeakMap<FastifyRequest, RequestState>();

export function stateOf(request: FastifyRequest): RequestState {
  let state = states.get(request);
  if (state === undefined) {
    state = {
      writtenPointers: new Map(),
      gone: new AbortController(),
      accepted: IDENTITY_ACCEPTED,
      trace: NO_TRACE,
      isCompleted: false,
    };
    states.set(request, state);
  }
  return state;
}
