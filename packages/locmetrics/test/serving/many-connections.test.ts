// @module-tag slow

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { linesOf } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { delay } from '../support/delay.ts';
import { testCount } from '../support/test-count.ts';

/** The number of connections to each port: three times the number of descriptors. */
const CONNECTIONS = testCount('CONNECTIONS', { few: 400, all: 3000 });
const DESCRIPTORS = Math.round(CONNECTIONS * (1024 / 3000));

let data: TestData;
let serving: Service;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  serving = await serve();
});
afterAll(async () => {
  await data.remove();
});

const opened = new Set<Socket>();
afterEach(() => {
  for (const socket of opened) socket.destroy();
});

test('the log warns that the limit of open files allows fewer connections', () => {
  expect(linesOf(serving)).toContainEqual(
    expect.objectContaining({
      kind: 'connections_reduced',
      level: 40,
      descriptorLimit: DESCRIPTORS,
      descriptorsNeeded: 10_256,
    }),
  );
});

test.each([
  ['in plaintext', 'http', ''],
  [
    'with half a request',
    'http',
    'POST /v3/catalog/listRecords HTTP/1.1\r\nHost: localhost\r\nConte',
  ],
  ['after an answer without a token', 'http', 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['for TLS', 'https', ''],
  ['for gRPC', 'grpcs', ''],
  ['for gRPC in plaintext', 'grpc', ''],
])(
  'more connections %s than descriptors do not block callers with a token',
  {
    timeout: 180_000 + CONNECTIONS * 20,
  },
  async (_, scheme, bytes) => {
    const kept = connectTo(serving.addressOf('http'));
    expect(await askOn(kept)).toContain('HTTP/1.1 200 OK');
    const before = processesOf(serving);
    const idle = await openMany(serving.addressOf(scheme), bytes);

    // A new connection may be refused while others arrive faster than a worker accepts them.
    await expect.poll(() => ask(serving).catch(() => 0)).toBe(200);
    expect(await askOverGrpc(serving)).toBe(2n);
    expect(await askOn(kept)).toContain('HTTP/1.1 200 OK');
    expect((await fetch(`${serving.metricsUrl}/metrics`)).status).toBe(200);
    expect(Math.max(...processesOf(serving).values())).toBeLessThan(DESCRIPTORS);

    for (const socket of idle) socket.destroy();
    await expect.poll(() => mostAdded(before, processesOf(serving))).toBeLessThan(8);
    expect(await ask(serving)).toBe(200);
    // No process has ended or started.
    expect([...processesOf(serving).keys()]).toEqual([...before.keys()]);
  },
);

test('a worker without a free descriptor keeps running, and serves new connections once descriptors are free', async () => {
  const kept = connectTo(serving.addressOf('http'));
  expect(await askOn(kept)).toContain('HTTP/1.1 200 OK');
  const before = processesOf(serving);
  const [, worker = 0] = before.keys();
  limitDescriptors(worker, '10:');
  expect((await fetch(`${serving.metricsUrl}/metrics`)).status).toBe(200);
  const more = { ...SHOPS, 'codes.csv': `${SHOPS['codes.csv']}03,three\n` };
  await data.publishFiles(more, '2024-02-01T00:00:00.000Z');
  // A new version cannot be opened yet.
  expect(await askOn(kept)).toContain('"totalSize":2,');
  const waiting = Promise.all([ask(serving), ask(serving), ask(serving)]);
  await delay(2500);
  limitDescriptors(worker, `${DESCRIPTORS}:`);
  expect(await waiting).toEqual([200, 200, 200]);
  await expect.poll(() => askOn(kept)).toContain('"totalSize":3,');
  await expect.poll(() => mostAdded(before, processesOf(serving))).toBeLessThan(8);
  expect([...processesOf(serving).keys()]).toEqual([...before.keys()]);
});

test('a primary without a free descriptor keeps running, and replaces a worker once descriptors are free', async () => {
  const [primary = 0, worker = 0] = processesOf(serving).keys();
  limitDescriptors(primary, '10:');
  process.kill(worker, 'SIGKILL');
  await serving.untilItWrites('"worker_failed"');
  const refused = connectTo(serving.addressOf('http'));
  await delay(500);
  refused.destroy();
  await expect
    .poll(() => linesOf(serving))
    .toContainEqual(
      expect.objectContaining({
        kind: 'worker_failed',
        error: expect.objectContaining({ message: expect.stringContaining('EMFILE') }),
      }),
    );
  limitDescriptors(primary, `${DESCRIPTORS}:`);
  await expect.poll(() => processesOf(serving).size).toBe(2);
  expect(await ask(serving)).toBe(200);
});

function serve(): Promise<Service> {
  const listeners = ['https', 'grpc', 'grpc-plaintext', 'metrics'].flatMap((name) => [
    `--${name}`,
    '127.0.0.1:0',
  ]);
  return startService(data.directory.root, [...listeners, '--access-log', 'off'], {
    onStart: (pid) => limitDescriptors(pid, `${DESCRIPTORS}`),
  });
}

/** `soft:hard`. Either may be left out; a single number sets both. */
function limitDescriptors(pid: number, limit: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}`]);
}

/** The number of open descriptors of each process: the primary and the running workers. */
function processesOf(running: Service): ReadonlyMap<number, number> {
  const pids = new Set([running.pid]);
  for (const { kind, pid } of linesOf(running)) {
    if (kind === 'worker_started') pids.add(Number(pid));
    if (kind === 'worker_exited') pids.delete(Number(pid));
  }
  return new Map([...pids].map((pid) => [pid, readdirSync(`/proc/${pid}/fd`).length]));
}

function mostAdded(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number {
  return Math.max(...[...after].map(([pid, count]) => count - (before.get(pid) ?? 0)));
}

function connectTo(address: string): Socket {
  const { hostname, port } = new URL(`http://${address}`);
  const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
  // A refused connection may be reset.
  socket.on('error', () => {});
  opened.add(socket.once('close', () => opened.delete(socket)));
  return socket;
}

async function openMany(address: string, bytes: string): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count += 1) {
    const socket = connectTo(address).resume();
    if (bytes !== '') socket.write(bytes);
    sockets.push(socket);
    // The listen backlog of the system has 511 entries.
    if (count % 100 === 99) await once(socket, 'connect');
  }
  return sockets;
}

const REQUEST = '{"dataReferenceName": "shop.codes"}';

/** Sends the request on a new connection. */
async function ask({ addressOf }: Service): Promise<number> {
  const answer = await fetch(`http://${addressOf('http')}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${data.token}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: REQUEST,
    signal: AbortSignal.timeout(120_000),
  });
  await answer.arrayBuffer();
  return answer.status;
}

function askOn(socket: Socket): Promise<string> {
  socket.write(
    `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${data.token}\r\nContent-Type: application/json\r\nContent-Length: ${REQUEST.length}\r\n\r\n${REQUEST}`,
  );
  return new Promise((resolve, reject) => {
    socket.once('data', (text: string) => resolve(text));
    socket.once('close', () => reject(new Error('The connection was closed.')));
  });
}

async function askOverGrpc({ addressOf }: Service): Promise<bigint> {
  const client = openGrpcClient(addressOf('grpc'), { token: data.token });
  try {
    const answer = await client.ask(catalogV3.CatalogQuery.method.listRecords, {
      dataReferenceName: 'shop.codes',
    });
    return answer.message.totalSize;
  } finally {
    client.close();
  }
}
