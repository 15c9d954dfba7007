import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../domain/service-error.ts';

/**
 * RFC 9112 § 3.2: a request of HTTP/1.1 says which host it is for, and says it once; nor may it have two
 * tokens. Node would keep the first of each without a word, and a proxy in front may believe the other.
 */
export function checkHeaders({ headers, httpVersion, rawHeaders }: IncomingMessage): void {
  const repeated = findRepeated(rawHeaders);
  if (repeated !== undefined) {
    throw new ServiceError(
      'MALFORMED_HTTP',
      `The header ${repeated} stands in the request more than once.`,
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

/** By their length, so that nearly all other names are told apart by a number. */
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

/** RFC 3986 § 3.2.2 and § 3.2.3; it is empty where the address names no host. */
const HOST =
  /^(?:\[[0-9A-Fa-fv:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)(?::[0-9]*)?$/;
