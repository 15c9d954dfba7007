import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../../domain/service-error.ts';

/**
 * RFC 9112 § 3.2: an HTTP/1.1 request names its host exactly once; it must not have two tokens either. Node
 * silently uses the first of each, but a proxy in front may use the other.
 */
export function checkHeaders({ headers, httpVersion, rawHeaders }: IncomingMessage): void {
  const repeated = findRepeated(rawHeaders);
  if (repeated !== undefined) {
    throw new ServiceError(
      'MALFORMED_HTTP',
      `The header ${repeated} appears in the request more than once.`,
      { hint: 'Send it once.' },
    );
  }
  if (headers.host === undefined) {
    if (httpVersion === '1.0') return;
    throw new ServiceError('MALFORMED_HTTP', 'The request has no header Host.', {
      hint: 'Send the host of the address, as every HTTP library does.',
    });
  }
  if (!HOST.test(headers.host)) {
    throw new ServiceError('MALFORMED_HTTP', 'The header Host is not a host and a port.', {
      hint: 'Send the host of the address, such as maps.example or 127.0.0.1:8080.',
    });
  }
}

/** By name length, so that a number excludes nearly all other names. */
const SINGLE_HEADERS: Readonly<Record<number, string>> = { 4: 'Host', 13: 'Authorization' };

function findRepeated(rawHeaders: readonly string[]): string | undefined {
  let found = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const single = SINGLE_HEADERS[name.length];
    if (single === undefined || name.toLowerCase() !== single.toLowerCase()) continue;
    if (found.includes(single)) return single;
    found += single;
  }
  return undefined;
}

/** RFC 3986 § 3.2.2 and § 3.2.3; empty if the address has no host. */
const HOST =
  /^(?:\[[0-9A-Fa-fv:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)(?::[0-9]*)?$/;
