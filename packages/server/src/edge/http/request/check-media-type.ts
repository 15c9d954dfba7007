import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '@locmetrics/core/errors/service-error';

/** Refuses a body that is declared as compressed or in another character set, instead of misreading it. */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body is sent with a content encoding.', {
      hint: 'Send it uncompressed, without the header Content-Encoding.',
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase().replace('-', '') !== 'utf8') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body is not declared as UTF-8.', {
      hint: 'Send JSON in UTF-8, with the header Content-Type: application/json.',
    });
  }
}
