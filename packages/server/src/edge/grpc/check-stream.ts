import type { IncomingHttpHeaders } from 'node:http2';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { cutText } from './cut-text.ts';
import type { KnownCalls } from './known-calls.ts';
import { ACCEPTED_CODINGS } from './message-reader.ts';

/**
 * Checks the headers of a call by the rules of gRPC over HTTP/2
 * (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
 */
export function checkStream(
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  calls: KnownCalls,
): void {
  checkMethod(headers[':method']);
  checkContentType(headers['content-type']);
  checkPath(headers[':path'] ?? '', calls);
  checkAuthorization(rawHeaders);
  checkTimeout(textOf(headers['grpc-timeout']));
  checkCoding(textOf(headers['grpc-encoding']));
}

function checkMethod(method = ''): void {
  if (method === 'POST') return;
  throw new ServiceError('METHOD_NOT_ALLOWED', `The method is ${quoted(method, '')}.`, {
    hint: 'Send POST, as every gRPC library does.',
  });
}

function checkContentType(contentType: string | undefined): void {
  const [type = ''] = (contentType ?? '').split(';');
  if (CONTENT_TYPES.has(type.trim().toLowerCase())) return;
  const message =
    contentType === undefined
      ? 'The request has no content type.'
      : `The content type is ${quoted(contentType)}.`;
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', message, {
    hint: 'Send gRPC with the content type application/grpc or application/grpc+proto.',
  });
}

/** The content types of gRPC with protobuf. gRPC with JSON and gRPC-Web are not served. */
const CONTENT_TYPES: ReadonlySet<string> = new Set(['application/grpc', 'application/grpc+proto']);

function checkPath(path: string, calls: KnownCalls): void {
  if (calls.find(path) === undefined) throw calls.unknownCall(path);
}

/** Node silently uses the first of two tokens, but a proxy in front may use the other. */
function checkAuthorization(rawHeaders: readonly string[]): void {
  let isFound = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at] !== 'authorization') continue;
    if (isFound) {
      throw new ServiceError(
        'MALFORMED_HTTP',
        'The metadata authorization is in the call more than once.',
        { hint: 'Send one token.' },
      );
    }
    isFound = true;
  }
}

function checkTimeout(timeout: string | undefined): void {
  if (timeout === undefined || TIMEOUT.test(timeout)) return;
  throw new ServiceError('INVALID_REQUEST', `The metadata grpc-timeout is ${quoted(timeout)}.`, {
    hint: 'Send at most eight digits and a unit, H, M, S, m, u or n; a gRPC library does.',
  });
}

const TIMEOUT = /^[0-9]{1,8}[HMSmun]$/;

function checkCoding(coding: string | undefined): void {
  if (coding === undefined || ACCEPTED_CODINGS.split(',').includes(coding)) return;
  throw new ServiceError(
    'UNSUPPORTED_COMPRESSION',
    `The messages are compressed as ${quoted(coding)}.`,
    { hint: 'Compress them with gzip or deflate, or not at all.' },
  );
}

function quoted(text: string, quote = "'"): string {
  return `${quote}${cutText(text, { characters: 100, bytes: 200 })}${quote}`;
}

/** Node joins a header that is sent more than once, as HTTP defines it. */
export function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
