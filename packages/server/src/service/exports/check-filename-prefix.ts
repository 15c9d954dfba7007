import { ServiceError } from '@locmetrics/core/errors/service-error';

/** Refuses a start of file names, at a place of the request, that could lead elsewhere or be unreadable. */
export function checkFilenamePrefix(prefix: string, pointer: string): void {
  if (/^[A-Za-z0-9._-]{0,100}$/.test(prefix)) return;
  throw ServiceError.atPointer(
    'INVALID_EXPORT',
    pointer,
    `The prefix '${prefix.slice(0, 120)}' is not one of file names.`,
    'Use 1 to 100 of A-Z, a-z, 0-9, ., _ and -.',
  );
}
