import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { memoize } from '@locmetrics/core/runtime/memoize';

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
  checkTransfer(headers['transfer-encoding']);
  if (httpVersion === '1.1') checkExpectation(headers.expect);
  if (headers.host === undefined) {
    if (httpVersion === '1.0') return;
    throw new ServiceError('MALFORMED_HTTP', 'The request has no header Host.', {
      hint: 'Send the host of the URL, as every HTTP library does.',
    });
  }
  if (!isHost(headers.host)) {
    throw new ServiceError('MALFORMED_HTTP', 'The header Host is not a host and a port.', {
      hint: 'Send the host of the URL, such as maps.example or 127.0.0.1:8080.',
    });
  }
}

/** RFC 9112 § 6.1. Node decodes the chunks alone, and would take compressed bytes for the body. */
function checkTransfer(transferEncoding: string | undefined): void {
  if (transferEncoding === undefined || transferEncoding.trim().toLowerCase() === 'chunked') return;
  throw new ServiceError(
    'UNSUPPORTED_TRANSFER_CODING',
    `The body is sent with Transfer-Encoding: ${transferEncoding.slice(0, 100)}.`,
    { hint: 'Send it uncompressed, with Transfer-Encoding: chunked or with Content-Length.' },
  );
}

/** RFC 9110 § 10.1.1. */
function checkExpectation(expect: string | undefined): void {
  if (expect === undefined || expect.trim().toLowerCase() === '100-continue') return;
  throw new ServiceError(
    'EXPECTATION_FAILED',
    `The header Expect is '${expect.slice(0, 100)}', which is not supported.`,
    { hint: 'Send Expect: 100-continue, or leave Expect out.' },
  );
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

const isHost = memoize((host: string): boolean => HOST.test(host), 100);

/** RFC 3986 § 3.2.2 and § 3.2.3; empty if the address has no host. */
const HOST =
  /^(?:\[[0-9A-Fa-fv:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)(?::[0-9]*)?$/;
