import type { Metadata, StatusObject } from '@grpc/grpc-js';
import type { Caller } from '../../domain/caller.ts';
import type { LateAbort } from '../../domain/late-abort.ts';
import type { ServiceError } from '../../domain/service-error.ts';
import type { RequestTrace } from '../../observe/trace.ts';
import type { MeteredRequest } from '../../service/meter.ts';

/** The state of a call that the interceptor collects and the handler needs. */
export type CallState = {
  /** Empty until the metadata have arrived. */
  requestId: string;
  caller?: Caller;
  /** Aborts when the caller cancels or its deadline passes; the reason is the matching error. */
  readonly gone: LateAbort;
  /** Rows in the answer. */
  rows?: number;
  /** Bytes of the answer. */
  bytes?: number;
  /** Set while the call is answered, if it has a caller. */
  metered?: MeteredRequest;
  trace: RequestTrace;
  /** Observes an error and returns the status that the call ends with. */
  readonly fail: (error: ServiceError) => Pick<StatusObject, 'code' | 'details' | 'metadata'>;
};

/**
 * The metadata of a request is the only object that both the interceptor and the handler get. A WeakMap would keep
 * all that a call refers to until a full collection, because V8's young collections take its values for used.
 */
const STATE = Symbol('state');

type Carrier = Metadata & { [STATE]?: CallState };

export function setState(metadata: Carrier, state: CallState): void {
  metadata[STATE] = state;
}

export function stateOf({ [STATE]: state }: Carrier): CallState {
  if (state === undefined) throw new Error('A call bypassed the call watcher.');
  return state;
}
