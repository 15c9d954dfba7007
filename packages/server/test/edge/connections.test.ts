import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connectionRefuser } from '../../src/edge/http/refuse-connections.ts';
import { sendRaw } from './raw-request.ts';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

const { data, url, log } = useTestServer((data) => data.publishFiles(SHOPS));

test('bytes that are not HTTP are answered with a problem', async () => {
  const { head, body } = parts(await sendRaw(url(), 'FOO /v3/catalog HTTP/1.1\r\nHost: a\r\n\r\n'));
  expect(head).toContain('HTTP/1.1 400 Bad Request\r\n');
  expect(head).toContain('content-type: application/problem+json; charset=utf-8\r\n');
  expect(head).toContain(`x-request-id: ${body['requestId']}\r\n`);
  expect({ ...body, requestId: 'request-1' }).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The bytes are not a request of HTTP/1.1.",
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

test('headers that are too large are answered with a problem', async () => {
  const large = `GET /livez HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`;
  const { head, body } = parts(await sendRaw(url(), large));
  expect(head).toContain('HTTP/1.1 431 Request Header Fields Too Large\r\n');
  expect({ ...body, requestId: 'request-1' }).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The address and the headers are too large.",
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
  const refuse = connectionRefuser(() => {});
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const server = createServer((socket) => refuse(late, socket)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { head, body } = parts(await sendRaw(`http://127.0.0.1:${port}`, 'GET'));
  server.close();
  expect(head).toContain('HTTP/1.1 408 Request Timeout\r\n');
  expect({ ...body, requestId: 'request-1' }).toMatchInlineSnapshot(`
    {
      "code": "DEADLINE_EXCEEDED",
      "detail": "The whole request did not arrive in time.",
      "hint": "Send it again, without waiting between its parts.",
      "instance": "",
      "reason": "REQUEST_TIMEOUT",
      "requestId": "request-1",
      "status": 408,
      "title": "The request did not arrive in time",
      "type": "urn:locmetrics:problem:REQUEST_TIMEOUT",
    }
  `);
});

test('a caller who leaves while sending a body is no failure of the service', async () => {
  const { hostname, port } = new URL(url());
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.write(
    `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data().token}\r\nX-Request-Id: left\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  setTimeout(() => socket.destroy(), 100);
  const linesOfLeft = () => log().filter(({ requestId }) => requestId === 'left');
  await expect.poll(() => linesOfLeft().length, { timeout: 5_000 }).toBe(2);
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
