import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../domain/service-error.ts';

/** RFC 9112 § 3.2: a request of HTTP/1.1 says which host it is for. */
export function checkHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host !== undefined || httpVersion === '1.0') return;
  throw new ServiceError('MALFORMED_HTTP', 'The request has no header Host.', {
    hint: 'Send the host of the address, as every HTTP library does.',
  });
}
