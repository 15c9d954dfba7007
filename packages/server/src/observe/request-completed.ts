import type { Caller } from '@locmetrics/core/domain/caller';
import type { Observation } from './observation.ts';
import type { RequestTrace } from './trace.ts';

type Completed = Extract<Observation, { readonly kind: 'request_completed' }>;

/** The observation of the end of a request; over gRPC too, whose calls are all POSTs. */
export function requestCompleted(
  request: Omit<Completed, 'kind' | 'organisationId' | 'tokenId' | 'traceId'> & {
    readonly caller?: Caller | undefined;
    readonly trace: RequestTrace;
  },
): Completed {
  return {
    kind: 'request_completed',
    requestId: request.requestId,
    method: request.method,
    route: request.route,
    status: request.status,
    durationMs: Math.round(request.durationMs * 1000) / 1000,
    organisationId: request.caller?.organisationId,
    tokenId: request.caller?.tokenId,
    rows: request.rows,
    clientAddress: request.clientAddress,
    cut: request.cut,
    bytes: request.bytes,
    userAgent: request.userAgent,
    traceId: request.trace.traceId,
    reason: request.reason,
  };
}
