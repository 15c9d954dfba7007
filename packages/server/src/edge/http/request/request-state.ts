import type { ErrorReason } from '@locmetrics/core/errors/service-error';
import { Stop } from '@locmetrics/core/runtime/stop';
import type { FastifyRequest } from 'fastify';
import { NO_TRACE, type RequestTrace } from '../../../observe/trace.ts';
import type { AnswerCut } from '../../../service/queries/unsent-answer.ts';
import type { Exchange } from '../../pipeline.ts';
import { type AcceptedCoding, IDENTITY_ACCEPTED } from './content-coding.ts';

/** A request while it is answered: what the steps see of it, and what only the hooks share. */
export type RequestState = Exchange & {
  trace: RequestTrace;
  readonly gone: Stop;
  /** Pointers as written by the caller: see `readSpelling`. */
  writtenPointers: ReadonlyMap<string, string>;
  /** The accepted encodings of the answer. */
  accepted: AcceptedCoding;
  /** The path below which the caller reaches the service, such as `/metrics-data`; empty for none. */
  pathPrefix: string;
  /** The address of the client. */
  clientAddress?: string | undefined;
  /** The encoded answer, whose buffer is released once it is sent. */
  answer?: Buffer | undefined;
  /** Why the connection was closed before the caller had read the answer. */
  cut?: AnswerCut | undefined;
  /** The reason, if the answer is an error. */
  reason?: ErrorReason | undefined;
  /** The error that interrupted the answer after its first byte. */
  interruptedBy?: ErrorReason | undefined;
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
      requestId: request.id,
      isHead: request.method === 'HEAD',
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
