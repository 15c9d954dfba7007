import type { Caller } from '../../domain/caller.ts';
import type { RequestTrace } from '../../observe/trace.ts';
import type { Stop } from '../../runtime/stop.ts';
import type { MeteredRequest } from '../../service/meter.ts';

/** The state of a call, which the function that answers it reads and completes. */
export type CallState = {
  readonly requestId: string;
  readonly trace: RequestTrace;
  /** Aborts when the caller cancels or its deadline passes; the reason is the matching error. */
  readonly gone: Stop;
  /** Undefined if the call needs no token. */
  caller: Caller | undefined;
  /** Rows in the answer. */
  rows: number | undefined;
  /** Bytes of the answer. */
  bytes: number | undefined;
  /** Set while the call is answered, if it has a caller. */
  metered: MeteredRequest | undefined;
};
