import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { AnswerReader, type HttpAnswer } from '../src/driver/answer-reader.ts';

const WITH_LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n';

function readInParts(parts: readonly string[], keepBody = true): HttpAnswer | undefined {
  const reader = new AnswerReader();
  reader.begin(keepBody);
  const answers = parts.map((part) => reader.read(Buffer.from(part)));
  expect(answers.slice(0, -1).every((answer) => answer === undefined)).toBe(true);
  return answers.at(-1);
}

test.each([
  ['a length', WITH_LENGTH],
  ['chunks', CHUNKED],
])('an answer with %s is read wherever its bytes are parted', (_, text) => {
  const expected = { status: 200, bodyBytes: 5, body: Buffer.from('hello') };
  for (let at = 1; at < text.length; at++) {
    expect(readInParts([text.slice(0, at), text.slice(at)])).toEqual(expected);
  }
  expect(readInParts([...text])).toEqual(expected);
});

test('the bytes of a body are counted; the body is kept on request and for an error', () => {
  expect(readInParts([WITH_LENGTH], false)).toEqual({ status: 200, bodyBytes: 5, body: undefined });
  expect(readInParts([WITH_LENGTH.replace('200', '503')], false)?.body?.toString()).toBe('hello');
});

test('a compressed body is counted as sent, and kept as it was before', () => {
  const sent = gzipSync('hello');
  const head = `HTTP/1.1 500 Wrong\r\nContent-Encoding: gzip\r\nContent-Length: ${sent.length}\r\n\r\n`;
  const reader = new AnswerReader();
  reader.begin(false);
  expect(reader.read(Buffer.from(head))).toBeUndefined();
  expect(reader.read(sent)).toEqual({
    status: 500,
    bodyBytes: sent.length,
    body: Buffer.from('hello'),
  });
});

test('an empty body ends with the head', () => {
  expect(readInParts(['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'])?.bodyBytes).toBe(0);
});

test('Not Modified ends with the head, and may say nothing of its length', () => {
  expect(readInParts(['HTTP/1.1 304 Not Modified\r\netag: "a"\r\n\r\n'])).toMatchObject({
    status: 304,
    bodyBytes: 0,
  });
  expect(readInParts(['HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n'])?.bodyBytes).toBe(
    0,
  );
});

test('one reader reads the answers of a connection one after the other', () => {
  const reader = new AnswerReader();
  for (const text of [WITH_LENGTH, CHUNKED, WITH_LENGTH]) {
    reader.begin(true);
    expect(reader.read(Buffer.from(text))?.body?.toString()).toBe('hello');
  }
});

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'no answer of HTTP/1.1'],
  ['no end', 'HTTP/1.1 200 OK\r\n\r\n', 'does not say where it ends'],
  ['more than it says', `${WITH_LENGTH}!`, 'longer than it says'],
  [
    'a head without end',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(5000)}`,
    'head of an answer is too long',
  ],
  [
    'a wrong chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    "no size of a chunk: 'zz'",
  ],
])('%s is refused', (_, text, message) => {
  expect(() => readInParts([text])).toThrow(message);
});
