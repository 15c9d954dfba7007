import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { afterEach, describe, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import {
  openTestServer,
  type ServerOptions,
  type TestServer,
  useTestServer,
} from '../test-server.ts';
import { sendRaw } from '../transport/raw-request.ts';

const { data, url } = useTestServer((to) => to.publishFiles(SHOPS));

const servers = new Set<TestServer>();
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all([...servers].map((server) => server.close()));
  servers.clear();
});

async function serve(options: ServerOptions): Promise<TestServer> {
  const server = await openTestServer(data(), options);
  servers.add(server);
  return server;
}

/** A connection after the answer to its first request. */
async function openConnection(server: TestServer): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.add(socket);
  socket.on('error', () => {});
  socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => {
    socket.once('data', resolve);
    socket.once('close', resolve);
  });
  return socket;
}

test('an idle connection is closed after a while', async () => {
  const server = await serve({ limits: { keepAliveTimeoutMs: 100 } });
  const socket = await openConnection(server);
  expect(socket.closed).toBe(false);
  await expect.poll(() => socket.closed).toBe(true);
});

describe('a request', () => {
  test.each([
    ['whose head does not arrive in time', 'GET /livez HTTP/1.1\r\nHost: a\r\n'],
    ['that never starts', ''],
  ])('%s is refused', async (_, bytes) => {
    const server = await serve({ limits: { headersTimeoutMs: 200 } });
    const answer = await sendRaw(server.url, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"reason":"REQUEST_TIMEOUT"');
  });

  test('whose body does not arrive in time is refused', async () => {
    const server = await serve({ limits: { requestTimeoutMs: 500 } });
    const answer = await sendRaw(
      server.url,
      `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data().token}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('with a body that is too large is refused with the limit', async () => {
    const server = await serve({ limits: { bodyMaxBytes: 100 } });
    const { status, text } = await server.post('listRecords', ' '.repeat(101));
    expect([status, JSON.parse(text).detail]).toEqual([413, 'The body is larger than 100 bytes.']);
    expect((await server.post('listDataReferences', ' '.repeat(98).concat('{}'))).status).toBe(200);
  });

  test('without a Host header is refused with a problem, unless it is HTTP/1.0', async () => {
    const answer = await sendRaw(url(), 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"detail":"The request has no header Host."');
    expect(await sendRaw(url(), 'GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ['Host: a\r\nHost: a', 'The header Host appears in the request more than once.'],
    ['Host: a\r\nhost: b', 'The header Host appears in the request more than once.'],
    [
      'Host: a\r\nAuthorization: Bearer a\r\nAUTHORIZATION: Bearer b',
      'The header Authorization appears in the request more than once.',
    ],
    ...['a b', 'a/b', 'a@b', 'a:b', 'a:80:80', '[::1', 'a%zz', '\u00e4', 'a?b', 'a#b', '<a>'].map(
      (host) => [`Host: ${host}`, 'The header Host is not a host and a port.'],
    ),
  ])('with the headers %j is refused with a problem', async (head, detail) => {
    const answer = await sendRaw(
      url(),
      `GET /livez HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const { reason, detail: told } = JSON.parse(answer.slice(answer.indexOf('{')));
    expect([reason, told]).toEqual(['MALFORMED_HTTP', detail]);
  });

  test.each(['a', 'A-1.b_c:8080', '127.0.0.1:80', '[::1]:80', '', 'a:', '%C3%A4.example', 'xn--a'])(
    'for the host %j is answered',
    async (host) => {
      const head = `Host: ${host}\r\nHost-Name: a\r\nHost-Name: b\r\nConnection: close`;
      expect(await sendRaw(url(), `GET /livez HTTP/1.1\r\n${head}\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 200 /,
      );
    },
  );

  test('with Expect: 100-continue gets 100 Continue', async () => {
    const answer = await sendRaw(
      url(),
      `POST /v3/catalog/listDataReferences HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data().token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n{}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  test.each([
    ['without a token', '', 2, 401],
    ['of another media type', 'Content-Type: text/plain', 2, 415],
    ['with a content coding', 'Content-Encoding: gzip', 2, 415],
    ['that is too large', 'Content-Type: application/json', 2 ** 21, 413],
    ['for a path without a route', 'Content-Type: application/json', 2, 404],
  ])(
    'with Expect: 100-continue %s is refused without an invitation, and the connection ends',
    async (_, header, length, status) => {
      const path = status === 404 ? '/v3/catalog/none' : '/v3/catalog/listDataReferences';
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: a',
        `Content-Length: ${length}`,
        'Expect: 100-continue',
        ...(header === '' ? [] : [`Authorization: Bearer ${data().token}`, header]),
      ];
      const answer = await sendRaw(url(), `${head.join('\r\n')}\r\n\r\n`);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(answer).not.toContain('100 Continue');
    },
  );

  test('with Expect: 100-continue in HTTP/1.0 is answered without an invitation', async () => {
    const answer = await sendRaw(
      url(),
      `POST /v3/catalog/listDataReferences HTTP/1.0\r\nAuthorization: Bearer ${data().token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test.each(['200-ok', '100-continue, x', 'y=100-continue'])(
    'with Expect: %s is refused with a problem',
    async (expectation) => {
      const answer = await sendRaw(
        url(),
        `GET /livez HTTP/1.1\r\nHost: a\r\nExpect: ${expectation}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
        reason: 'EXPECTATION_FAILED',
        detail: `The header Expect is '${expectation}', which is not supported.`,
        hint: 'Send Expect: 100-continue, or leave Expect out.',
      });
    },
  );

  test.each(['gzip, chunked', 'chunked, chunked', 'GZIP,chunked'])(
    'with Transfer-Encoding: %s is refused with a problem',
    async (coding) => {
      const answer = await sendRaw(
        url(),
        `POST /v3/catalog/listDataReferences HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data().token}\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 (501|400) /);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
        reason: expect.stringMatching(/^(UNSUPPORTED_TRANSFER_CODING|MALFORMED_HTTP)$/),
      });
    },
  );

  test.each(['chunked', 'Chunked'])('with Transfer-Encoding: %s is read', async (coding) => {
    const answer = await sendRaw(
      url(),
      `POST /v3/catalog/listDataReferences HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data().token}\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(['FOO', 'get', 'GETT', 'LIST'])('with the method %s is refused', async (method) => {
    const answer = await sendRaw(url(), `${method} /livez HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      reason: 'METHOD_UNKNOWN',
      detail: `The method ${method} is not known.`,
      hint: 'Send GET or POST; methods are in upper case.',
    });
  });

  test('with the method CONNECT is refused', async () => {
    const answer = await sendRaw(url(), 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 501 /);
    expect(answer).toContain('METHOD_UNKNOWN');
  });

  test.each(['PROPFIND', 'PATCH', 'TRACE', 'SEARCH'])(
    'with the method %s is refused with those that are allowed',
    async (method) => {
      const answer = await sendRaw(
        url(),
        `${method} /v3/catalog/listRecords HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data().token}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toMatch(/^allow: POST\r$/im);
    },
  );

  const LAYER = '/v1/catalogs/shop/addressComponents/city/values';
  test.each([
    // As curl sends them from a terminal in UTF-8, and in Latin-1.
    [`${LAYER}?query=Br\u00c3\u00bccke`, `${LAYER}?query=Br%C3%BCcke`],
    [`${LAYER}?query=Br\u00fccke`, `${LAYER}?query=Br%C3%BCcke`],
    [`${LAYER}?query=a b`, `${LAYER}?query=a%20b`],
    ['/\u00e6\u2014', undefined],
  ])('for the raw address %j is refused with the one that works', async (address, encoded) => {
    const head = `Host: a\r\nAuthorization: Bearer ${data().token}\r\nConnection: close\r\n\r\n`;
    const answer = await sendRaw(url(), `GET ${address} HTTP/1.1\r\n${head}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const { reason, detail, hint } = JSON.parse(answer.slice(answer.indexOf('{')));
    expect([reason, detail]).toEqual([
      'INVALID_REQUEST',
      'The URL has non-ASCII characters or spaces that are not percent-encoded.',
    ]);
    const works = String(hint).replace('Send ', '');
    if (encoded !== undefined) expect(works).toBe(encoded);
    expect(await sendRaw(url(), `GET ${works} HTTP/1.1\r\n${head}`)).toMatch(
      encoded === undefined ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 200 /,
    );
  });

  test('of which only a part has arrived is refused without its address', async () => {
    const answer = await sendRaw(url(), `GET ${LAYER}?query=Br\u00fc`);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      reason: 'INVALID_REQUEST',
      hint: 'Encode each parameter in UTF-8, a space as %20.',
    });
  });

  test('with a raw address after another request is refused with its own address', async () => {
    const first = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
    const answer = await sendRaw(url(), `${first}GET /x?a=\u00fc HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(JSON.parse(answer.slice(answer.lastIndexOf('{"type"')))).toMatchObject({
      hint: 'Send /x?a=%C3%BC',
    });
  });
});

test('a gRPC message that is too large is refused with the limit', async () => {
  const server = await serve({ grpcLimits: { messageMaxBytes: 2048 } });
  const { listRecords } = catalogV3.CatalogQuery.method;
  const refused = await server.grpc.refusal(listRecords, { dataReferenceName: 'x'.repeat(2048) });
  expect(refused).toMatchObject({
    reason: 'BODY_TOO_LARGE',
    message: 'The message is larger than 2 KiB. Split a long list of values over several requests.',
  });
});

test('a gRPC request that does not arrive in time is refused', async () => {
  const server = await serve({ grpcLimits: { requestTimeoutMs: 200 } });
  const session = connectHttp2(`http://${server.grpcAddress}`);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/unacast.catalog.v3.CatalogQuery/ListRecords',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${data().token}`,
  });
  const headers = await new Promise((resolve) => stream.once('response', resolve));
  expect(headers).toMatchObject({ 'grpc-status': '4' });
  session.destroy();
});
