import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ServiceError } from '../../domain/service-error.ts';
import type { Observe } from '../../observe/observation.ts';
import { writeRawProblem } from './write-raw-problem.ts';

/**
 * Answers bytes that never became a request: what is not HTTP, headers that are too large, and
 * requests that do not arrive. Node calls it instead of the routes.
 */
export function connectionRefuser(observe: Observe) {
  return (failure: Error & { readonly code?: string }, socket: Socket): void => {
    if (failure.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const error = toConnectionError(failure.code);
    const requestId = randomUUID();
    const { code, reason } = error;
    observe({ kind: 'request_refused', requestId, code, reason, isAlone: true });
    writeRawProblem(socket, error, requestId);
  };
}

function toConnectionError(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('HEADERS_TOO_LARGE', 'The address and the headers are too large.', {
        hint: 'Send at most 16 KiB of them; long filters go into the body.',
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('REQUEST_TIMEOUT', 'The whole request did not arrive in time.', {
        hint: 'Send it again, without waiting between its parts.',
      });
    default:
      return new ServiceError('MALFORMED_HTTP', 'The bytes are not a request of HTTP/1.1.', {
        hint: 'Send HTTP/1.1 in plaintext to this port.',
      });
  }
}
