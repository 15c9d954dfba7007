import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { connectionRefuser } from '@locmetrics/server/edge/http/server/refuse-connections';
import { openCertificateSource } from '@locmetrics/server/edge/listening/tls/certificate-source';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenLocally } from '../../support/listen-locally.ts';
import { SHOPS } from '../shops.ts';
import { openTestServer, type TestServer, useTestServer } from '../test-server.ts';
import { sendRaw } from '../transport/raw-request.ts';

const { data, url, log } = useTestServer((data) => data.publishFiles(SHOPS));

let overTls: TestServer;
beforeAll(async () => {
  const issued = await issueCertificates({
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  overTls = await openTestServer(data(), { certificate: openCertificateSource(issued) });
});
afterAll(() => overTls.close());

test('bytes that are not HTTP are answered with a problem', async () => {
  const { head, body } = parts(await sendRaw(url(), 'FOO /v3/catalog NOT/1.1\r\nHost: a\r\n\r\n'));
  expect(head).toContain('HTTP/1.1 400 Bad Request\r\n');
  expect(head).toContain('content-type: application/problem+json; charset=utf-8\r\n');
  expect(head).toContain(`x-request-id: ${body['requestId']}\r\n`);
  expect({ ...body, requestId: 'request-1' }).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The bytes are not an HTTP/1.1 request.",
      "hint": "Send HTTP/1.1 in plaintext to this port.",
      "instance": "",
      "reason": "MALFORMED_HTTP",
      "requestId": "request-1",
      "status": 400,
      "title": "Not an HTTP request",
      "type": "urn:locmetrics:problem:MALFORMED_HTTP",
    }
  `);
});

test.each([
  ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])('%s on the plain port is answered with a problem', async (_, bytes) => {
  expect(parts(await sendRaw(url(), bytes)).body).toMatchObject({ reason: 'MALFORMED_HTTP' });
});

const INVALID = 'FOO / NOT/1.1\r\nHost: a\r\n\r\n';
const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: one\r\nAuthorization: Bearer ${data().token}\r\n${headers}\r\n`;
const post = (body: string) =>
  `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: a\r\nX-Request-Id: slow\r\nAuthorization: Bearer ${data().token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const CODES = '{"dataReferenceName": "shop.codes"}';

/** The status and a part of the body of each answer, in order. */
const answersIn = (bytes: string) =>
  [...bytes.matchAll(/HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n([\s\S]*?)(?=HTTP\/1\.1 \d|$)/g)].map(
    ([, status, body = '']) => [
      Number(status),
      /"(?:status|reason|totalSize)":[^,}]*/.exec(body)?.[0],
    ],
  );
const MALFORMED = [400, '"status":400'];

describe.each([
  ['in plaintext', () => url()],
  ['over TLS', () => overTls.httpsUrl],
])('%s', (_, address) => {
  const send = (...parts: readonly string[]) => sendRaw(address(), ...parts);

  test('a request is answered before the bytes after it are refused', async () => {
    const received = await send(get('/livez') + INVALID);
    expect(answersIn(received)).toEqual([[200, '"status":"live"'], MALFORMED]);
    expect(received).toMatch(/connection: close\r\n\r\n\{[^\r]*$/);
  });

  test('all requests before refused bytes are answered, in order', async () => {
    // The first request waits for a query, the second one does not.
    const received = await send(post(CODES) + get('/livez') + get('/nowhere') + INVALID);
    expect(answersIn(received)).toEqual([
      [200, '"totalSize":2'],
      [200, '"status":"live"'],
      [404, '"status":404'],
      MALFORMED,
    ]);
  });

  test('bytes after an answer that ends the connection are not answered', async () => {
    const received = await send(get('/livez', 'Connection: close\r\n') + INVALID);
    expect(answersIn(received)).toEqual([[200, '"status":"live"']]);
  });

  test('bytes that arrive while a request is answered are refused after its answer', async () => {
    const received = await send(post(CODES), INVALID);
    expect(answersIn(received)).toEqual([[200, '"totalSize":2'], MALFORMED]);
  });

  test('a request with a malformed body is refused after the answer to the previous one', async () => {
    const chunked = post('').replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    const received = await send(`${post(CODES)}${chunked}no chunk\r\n`);
    expect(answersIn(received)).toEqual([[200, '"totalSize":2'], MALFORMED]);
  });
});

test('a refused client that does not close its side is disconnected', async () => {
  const { refuse } = connectionRefuser(() => {});
  const served = Promise.withResolvers<Socket>();
  const { port } = await listenLocally(createServer(served.resolve));
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).resume();
  const socket = await served.promise;
  const cut = once(socket, 'close');
  refuse(new Error('not HTTP'), socket);
  await once(client, 'end');
  await cut;
  client.destroy();
});

test('headers that are too large are answered with a problem', async () => {
  const large = `GET /livez HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`;
  const { head, body } = parts(await sendRaw(url(), large));
  expect(head).toContain('HTTP/1.1 431 Request Header Fields Too Large\r\n');
  expect({ ...body, requestId: 'request-1' }).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The URL and the headers are too large.",
      "hint": "Send at most 16 KiB of them; long filters go into the body.",
      "instance": "",
      "reason": "HEADERS_TOO_LARGE",
      "requestId": "request-1",
      "status": 431,
      "title": "The headers are too large",
      "type": "urn:locmetrics:problem:HEADERS_TOO_LARGE",
    }
  `);
});

test('a request that does not arrive in time is answered with a problem', async () => {
  const { refuse } = connectionRefuser(() => {});
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const { address } = await listenLocally(createServer((socket) => refuse(late, socket)));
  const { head, body } = parts(await sendRaw(`http://${address}`, 'GET'));
  expect(head).toContain('HTTP/1.1 408 Request Timeout\r\n');
  expect({ ...body, requestId: 'request-1' }).toMatchInlineSnapshot(`
    {
      "code": "DEADLINE_EXCEEDED",
      "detail": "The request did not arrive completely in time.",
      "hint": "Send it again, without pauses between its parts.",
      "instance": "",
      "reason": "REQUEST_TIMEOUT",
      "requestId": "request-1",
      "status": 408,
      "title": "The request did not arrive in time",
      "type": "urn:locmetrics:problem:REQUEST_TIMEOUT",
    }
  `);
});

test('a caller who leaves while sending a body does not count as a failure of the service', async () => {
  const { hostname, port } = new URL(url());
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.write(
    `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data().token}\r\nX-Request-Id: left\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{`,
  );
  // The service continues a request whose head it has.
  socket.once('data', () => socket.destroy());
  const linesOfLeft = () => log().filter(({ requestId }) => requestId === 'left');
  await expect.poll(() => linesOfLeft().length).toBe(2);
  expect(linesOfLeft()).toEqual([
    expect.objectContaining({ level: 30, kind: 'request_completed', status: 499 }),
    expect.objectContaining({ level: 30, kind: 'request_refused', reason: 'CANCELLED' }),
  ]);
});

function parts(answer: string): { readonly head: string; readonly body: Problem } {
  const end = answer.indexOf('\r\n\r\n') + 4;
  return { head: answer.slice(0, end), body: JSON.parse(answer.slice(end)) };
}

type Problem = Readonly<Record<string, unknown>>;
