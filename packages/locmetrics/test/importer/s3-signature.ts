import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request to S3 has the right signature, as a server checks it: written from the documentation of AWS
 * ("Authenticating Requests: Using the Authorization Header"), and not from the library that signs.
 */
export function isSignedBy(
  secret: string,
  request: {
    readonly method: string;
    readonly target: string;
    readonly headers: IncomingHttpHeaders;
  },
): boolean {
  const { headers } = request;
  const fields =
    /^AWS4-HMAC-SHA256 Credential=(.+), ?SignedHeaders=(.+), ?Signature=([0-9a-f]{64})$/;
  const [, credential = '', signedHeaders = '', signature = ''] =
    fields.exec(headers.authorization ?? '') ?? [];
  const [, date = '', region = '', service = ''] = credential.split('/');
  const [path = '', query = ''] = request.target.split('?');
  const canonical = [
    request.method,
    path,
    query.split('&').toSorted().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    String(headers['x-amz-content-sha256']),
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(
    (before, part) => hmac(before, part),
    Buffer.from(`AWS4${secret}`),
  );
  const expected = hmac(key, text);
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
