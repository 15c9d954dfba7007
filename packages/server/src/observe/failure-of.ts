import type { ErrorCode } from '../domain/service-error.ts';

/**
 * What OpenTelemetry calls the `error.type` of a request that ended so: a word for what the service
 * did wrong. What a caller did wrong is none.
 */
export function failureOf(status: number | 'OK' | ErrorCode): string | undefined {
  if (typeof status === 'number') return status >= 500 ? String(status) : undefined;
  return SERVER_ERRORS.has(status) ? status : undefined;
}

const SERVER_ERRORS: ReadonlySet<'OK' | ErrorCode> = new Set([
  'DEADLINE_EXCEEDED',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
] as const);
