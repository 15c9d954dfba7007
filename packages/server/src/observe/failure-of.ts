import type { ErrorCode } from '../domain/service-error.ts';

/**
 * What OpenTelemetry calls the `error.type` of a request that ended so: a word for a fault of the
 * service. A mistake of the caller has none. OpenTelemetry counts UNIMPLEMENTED too, but here only a
 * caller is at fault for it: anybody can call what does not exist.
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
