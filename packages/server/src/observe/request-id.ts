import { randomUUID } from 'node:crypto';

/** The request id from the caller if it is safe in logs and headers, else a new one. */
export function readRequestId(given: unknown): string {
  return typeof given === 'string' && HARMLESS_ID.test(given) ? given : randomUUID();
}

const HARMLESS_ID = /^[A-Za-z0-9._-]{1,128}$/;
