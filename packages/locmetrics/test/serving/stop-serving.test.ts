// @module-tag slow

import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../commands/start-service.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';

let data: TestData;

beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});

afterAll(async () => {
  await data.remove();
});

const BODY = '{"dataReferenceName": "shop.codes", "fields": ["label"]}';

const serve = (...flags: readonly string[]): Promise<Service> =>
  startService(data.directory.root, ['--grpc', '127.0.0.1:0', ...flags]);

/** A connection, and the bytes received on it so far. */
async function open(url: string): Promise<{ readonly socket: Socket; received: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const connection = { socket, received: '' };
  socket.setEncoding('utf8').on('data', (text: string) => {
    connection.received += text;
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return connection;
}

/** Sends a request without its body. The server answers 100 when it starts to read the body. */
async function beginRequest({ url }: Service) {
  const connection = await open(url);
  connection.socket.write(
    `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${data.token}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await new Promise((resolve) => connection.socket.once('data', resolve));
  expect(connection.received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  return connection;
}

const until = (socket: Socket, event: 'close') =>
  new Promise((resolve) => socket.once(event, resolve));

test('serving writes its log to standard error and nothing to standard output', {
  tags: 'slow',
}, async () => {
  const serving = await serve();
  expect(await (await fetch(`${serving.url}/readyz`)).json()).toMatchObject({
    status: 'ready',
    version: '0.1.0',
    commit: expect.stringMatching(/^([0-9a-f]{12}|unknown)$/),
  });
  serving.kill('SIGINT');
  const { code, data: written, messages } = await serving.ended;
  expect([code, written]).toEqual([0, '']);
  const lines = messages
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const kindsOf = (worker: number | undefined) =>
    lines.filter((line) => line.worker === worker).map(({ kind }) => kind);
  // Two processes write, so only the order within each is fixed.
  expect(kindsOf(undefined)).toEqual([
    'service_started',
    'versions_verified',
    'server_listening',
    'server_listening',
    'server_stopping',
    'server_stopped',
  ]);
  expect(kindsOf(1)).toEqual(['worker_started', 'request_completed']);
});

test('a request whose body is still arriving is answered before the process ends', async () => {
  const serving = await serve();
  const connection = await beginRequest(serving);
  connection.socket.write(BODY.slice(0, 10));
  serving.kill('SIGTERM');
  await serving.untilItWrites('server_stopping');
  await expect(fetch(`${serving.url}/livez`)).rejects.toThrow('fetch failed');
  connection.socket.write(BODY.slice(10));
  await until(connection.socket, 'close');
  expect(connection.received).toContain('HTTP/1.1 200 OK\r\n');
  expect(connection.received).toContain(
    '{"records":[{"fields":{"label":"one"}},{"fields":{"label":"two"}}]',
  );
  // A worker that the drain timeout ends makes it 1.
  expect((await serving.ended).code).toBe(0);
});

test('connections that wait for their first or next request do not keep the process running', {
  tags: 'slow',
}, async () => {
  const serving = await serve();
  const silent = await open(serving.url);
  const kept = await open(serving.url);
  kept.socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => kept.socket.once('data', resolve));
  serving.kill('SIGTERM');
  await Promise.all([until(silent.socket, 'close'), until(kept.socket, 'close')]);
  // A worker that the drain timeout ends makes it 1.
  expect((await serving.ended).code).toBe(0);
});

test('a second signal ends the process at once', { tags: 'slow' }, async () => {
  const serving = await serve();
  const { socket } = await beginRequest(serving);
  serving.kill('SIGTERM');
  await serving.untilItWrites('server_stopping');
  serving.kill('SIGTERM');
  expect((await serving.ended).code).toBe(1);
  socket.destroy();
});

test('a listener on a non-loopback address causes a warning', { tags: 'slow' }, async () => {
  const serving = await serve('--http', '0.0.0.0:0', '--allow-plaintext');
  await serving.untilItWrites('server_exposed');
  expect(serving.written().messages).toContain(
    '"msg":"Tokens and data are sent in plaintext to other machines."',
  );
});
