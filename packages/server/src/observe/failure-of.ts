import type { ErrorCode } from '@locmetrics/core/errors/service-error';

/**
 * The OpenTelemetry attribute `error.type` of a request with this status: set for a fault of the service,
 * undefined for a mistake of the caller. OpenTelemetry counts UNIMPLEMENTED as a fault too, but here it
 * only means that a caller named a call that does not exist.
 */
export function failureOf(status: number | 'OK' | ErrorCode): string | undefined {
  if (typeof status === 'number') return status >= 500 ? String(status) : undefined;
  return SERVER_ERRORS.has(status) ? status : undefined;
}

const SERVER_ERRORS: ReadonlySet<'OK' | ErrorCode> = new Set([
  'DEADLINE_EXCEEDED',
  'INTERNAL',
  'UNAVAILABLE',
] as const);
