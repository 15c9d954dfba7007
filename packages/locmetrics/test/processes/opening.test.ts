import { expect, test } from 'vitest';
import { isOpeningWhole } from '../../src/processes/opening.ts';

const HEAD = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** A record with four bytes. */
const RECORD = '\x16\x03\x01\x00\x04abcd';

const whole = (listener: 'http' | 'https' | 'grpcPlaintext', text: string) =>
  isOpeningWhole(listener, Buffer.from(text, 'latin1'));

test.each([
  ['http', HEAD],
  ['https', RECORD],
  ['grpcPlaintext', PREFACE],
] as const)('over %s no part of an opening is whole', (listener, opening) => {
  for (let length = 1; length < opening.length; length += 1) {
    expect([length, whole(listener, opening.slice(0, length))]).toEqual([length, false]);
  }
  expect(whole(listener, opening)).toBe(true);
  expect(whole(listener, `${opening}more`)).toBe(true);
});

test.each([
  ['TLS on the plain port', 'http', '\x16\x03'],
  ['a line that is not of HTTP', 'http', 'HELLO\r\n'],
  ['a method in lower case', 'http', 'get /'],
  ['a line feed alone', 'http', 'GET / HTTP/1.1\n'],
  ['a head that is too large', 'http', `${HEAD.slice(0, -2)}X: ${'x'.repeat(17_000)}`],
  ['HTTP on a port of TLS', 'https', 'G'],
  ['HTTP/1.1 on a port of gRPC', 'grpcPlaintext', 'POST /'],
] as const)('%s is passed on at once, because the worker answers it', (_, listener, bytes) => {
  expect(whole(listener, bytes)).toBe(true);
});
