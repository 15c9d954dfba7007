import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { openCertificateSource } from '@locmetrics/server/edge/listening/tls/certificate-source';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import {
  FLAG,
  FRAME,
  frame,
  headerBlock,
  OPENING,
  PREFACE,
  SETTINGS,
  sendBytes,
} from './raw-http2.ts';

/** Clients that stop half-way, as bytes, because no library sends them. */
let data: TestData;
let server: TestServer;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  const certificate = openCertificateSource(
    await issueCertificates({
      notBefore: new Date(Date.now() - 1000),
      notAfter: new Date(Date.now() + 3_600_000),
    }),
  );
  const grpcLimits = { headersTimeoutMs: 1000, idleTimeoutMs: 2000 };
  server = await openTestServer(data, { grpcLimits, certificate });
});
afterAll(async () => {
  await server.close();
  await data.remove();
});

const opened = new Set<Socket>();
afterAll(() => {
  for (const socket of opened) socket.destroy();
});

const headersOf = (requestId: string, path: string) =>
  headerBlock({
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': 'localhost',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${data.token}`,
    'x-request-id': requestId,
  });
const LIST = '/unacast.catalog.v3.CatalogQuery/ListDataReferences';
const begin = (requestId: string, flags: number = FLAG.endHeaders, path: string = LIST) =>
  frame(FRAME.headers, flags, 1, headersOf(requestId, path));
/** An empty message with its prefix. */
const call = (requestId: string) =>
  Buffer.concat([begin(requestId), frame(FRAME.data, FLAG.endStream, 1, Buffer.alloc(5))]);

function send(...parts: readonly Uint8Array[]): Socket {
  const socket = sendBytes(server.grpcAddress, Buffer.concat(parts));
  opened.add(socket);
  return socket;
}

const completed = (requestId: string) =>
  server.log().find((line) => line['requestId'] === requestId && 'status' in line);
const refused = (requestId: string) =>
  server.log().find((line) => line['requestId'] === requestId && 'reason' in line);

const STOPS: readonly (readonly [string, () => readonly Uint8Array[]])[] = [
  ['nothing', () => []],
  ['a part of the preface', () => [PREFACE.subarray(0, 10)]],
  ['only a preface', () => [PREFACE]],
  ['a part of its settings', () => [PREFACE, SETTINGS.subarray(0, 5)]],
  ['settings, and does not acknowledge those of the service', () => [PREFACE, SETTINGS]],
  ['HEADERS without END_HEADERS', () => [OPENING, begin('never', FLAG.none)]],
  ['a part of a HEADERS frame', () => [OPENING, begin('never').subarray(0, 40)]],
  ['a part of the head of a frame', () => [OPENING, begin('never').subarray(0, 5)]],
  ['a part of a PING', () => [OPENING, frame(FRAME.ping, 0, 0, Buffer.alloc(8)).subarray(0, 12)]],
  ['no call', () => [OPENING]],
];
/** They are opened together, because each waits for its own deadline. */
const closed = new Map<string, Promise<unknown>>();
beforeAll(() => {
  for (const [name, bytes] of STOPS) closed.set(name, once(send(...bytes()), 'close'));
});

test.each(STOPS)('a client that sends %s is disconnected', async (name) => {
  await closed.get(name);
});

test('a client that says goodbye but keeps its side open is disconnected', async () => {
  const goodbye = frame(FRAME.goaway, FLAG.none, 0, Buffer.alloc(8));
  const [host = '', port = ''] = server.grpcAddress.split(':');
  const socket = connectSocket({ host, port: Number(port), allowHalfOpen: true });
  opened.add(socket);
  socket.on('error', () => {});
  socket.resume().write(Buffer.concat([OPENING, call('before-goodbye'), goodbye]));
  await once(socket, 'end');
  // The service forgets a connection that is closed on both sides only.
  await expect
    .poll(async () => {
      socket.write('x');
      return socket.destroyed;
    })
    .toBe(true);
});

test('over TLS a client that sends only a preface is disconnected', async () => {
  const [host, port] = server.grpcTlsAddress.split(':');
  const options = { ALPNProtocols: ['h2'], rejectUnauthorized: false };
  const socket = connectTls({ host, port: Number(port), ...options });
  opened.add(socket);
  socket.write(PREFACE);
  await once(socket.resume(), 'close');
});

test('after an accepted token a connection may be idle, but not in a header block', async () => {
  const idle = send(OPENING, call('idle'));
  await expect.poll(() => completed('idle')).toMatchObject({ status: 'OK' });
  const half = send(
    OPENING,
    call('half'),
    frame(FRAME.headers, FLAG.none, 3, headersOf('x', LIST)),
  );
  const stranger = send(OPENING);
  await Promise.all([once(half, 'close'), once(stranger, 'close')]);
  idle.write(
    Buffer.concat([
      frame(FRAME.headers, FLAG.endHeaders, 3, headersOf('idle-again', LIST)),
      frame(FRAME.data, FLAG.endStream, 3, Buffer.alloc(5)),
    ]),
  );
  await expect.poll(() => completed('idle-again')).toMatchObject({ status: 'OK' });
});

test.each<[string, (requestId: string) => readonly Uint8Array[]]>([
  ['an empty DATA frame', (id) => [begin(id), frame(FRAME.data, FLAG.endStream, 1)]],
  ['its HEADERS', (id) => [begin(id, FLAG.endHeaders | FLAG.endStream)]],
  [
    'half a message',
    (id) => [begin(id), frame(FRAME.data, FLAG.endStream, 1, Buffer.from([0, 0, 0]))],
  ],
])('a call that ends without a message in %s is refused at once', async (name, bytes) => {
  // The service waits 30 s for a message that can still arrive, longer than this test.
  const requestId = `ends-${name.replaceAll(' ', '-')}`;
  send(OPENING, ...bytes(requestId));
  await expect.poll(() => refused(requestId)).toMatchObject({ reason: 'MALFORMED_MESSAGE' });
});

test.each([
  '/grpc.health.v1.Health/Watch',
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
])('a streaming call of %s that ends without a message is answered at once', async (path) => {
  const requestId = `streaming${path.length}`;
  send(OPENING, begin(requestId, FLAG.endHeaders, path), frame(FRAME.data, FLAG.endStream, 1));
  await expect.poll(() => completed(requestId)).toBeDefined();
});

test('a message that arrives half has a deadline, also in a streaming call, and so has its stream', {
  tags: 'slow',
}, async () => {
  const own = await openTestServer(data, {
    grpcLimits: { requestTimeoutMs: 500, headersTimeoutMs: 1000, idleTimeoutMs: 2000 },
  });
  const paths = [LIST, '/grpc.health.v1.Health/Watch'];
  const sockets = paths.map((path) =>
    sendBytes(
      own.grpcAddress,
      Buffer.concat([
        OPENING,
        begin(`late${path.length}`, FLAG.endHeaders, path),
        frame(FRAME.data, FLAG.none, 1, Buffer.from([0, 0, 0])),
      ]),
    ),
  );
  for (const path of paths) {
    await expect
      .poll(() => own.log().find((line) => line['requestId'] === `late${path.length}`))
      .toMatchObject({ reason: 'REQUEST_TIMEOUT' });
  }
  // The caller never ends its side. Only the one with a token may be idle afterwards.
  await once(sockets[1] as Socket, 'close');
  sockets[0]?.destroy();
  await own.close();
});
