// @module-tag slow

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentials, status } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOf, startCommand } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { OPENING, PREFACE } from '../edge/grpc/raw-http2.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { until } from '../support/until.ts';

/**
 * A flood of connections from the address of the caller, each of which connects again when it is closed. SECURITY.md
 * says that it cannot lock out callers.
 */
const FLOOD = 400;
const REQUESTS = 5;

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(() => data.remove());

const HALF_HEAD = 'POST /v3/catalog/listRecords HTTP/1.1\r\nHost: localhost\r\nConte';
/** A record of TLS with the first bytes of a handshake, of which the rest does not arrive. */
const HALF_HELLO = Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]);
/** A whole record, which is not a valid handshake. */
const WHOLE_RECORD = Buffer.concat([Buffer.from([22, 3, 1, 0, 4]), Buffer.from([1, 0, 1, 0])]);
const KINDS: readonly (readonly [string, string, Uint8Array | string])[] = [
  ['that send nothing', 'http', ''],
  ['with half a head', 'http', HALF_HEAD],
  ['that had an answer without a token', 'http', 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['without a TLS handshake', 'grpcs', ''],
  ['with half of a TLS handshake', 'grpcs', HALF_HELLO],
  ['with a first record of TLS and no more', 'grpcs', WHOLE_RECORD],
  ['with a part of the preface', 'grpc', PREFACE.subarray(0, 10)],
  ['with an HTTP/2 opening and no call', 'grpc', OPENING],
];

test('floods of idle and half-open connections do not lock out callers', async () => {
  const serving = await serve(['--connections', '100']);
  for (const [name, scheme, bytes] of KINDS) {
    const flood = await openFlood(serving.addressOf(scheme), bytes);
    expect([name, await ask(serving)]).toEqual([name, ALL_ANSWERED]);
    flood.end();
  }
}, 600_000);

test('with few open files a flood of idle connections does not lock out callers', async () => {
  const serving = await serve([], { openFiles: 64 });
  const flood = await openFlood(serving.addressOf('http'), '');
  expect(await askOverHttp(serving)).toEqual({ new: REQUESTS, kept: REQUESTS });
  flood.end();
  // Nobody is refused because the system has no descriptor left.
  expect(linesOf(serving).filter(({ kind }) => kind === 'accept_failed')).toEqual([]);
}, 600_000);

test('a client beyond its number of connections is refused if all have an accepted token', async () => {
  const serving = await serve(['--connections-per-client', '2', '--workers', '1']);
  const kept = [openKept(serving), openKept(serving)];
  for (const connection of kept) expect(await connection.ask()).toMatch(/^HTTP\/1.1 200 /);
  const third = openKept(serving);
  expect(await third.ask()).toMatch(/^HTTP\/1.1 503 .*"reason":"OVERLOADED"/s);
  kept.pop()?.socket.destroy();
  await expect.poll(() => askNew(serving)).toBe(true);
  for (const { socket } of kept) socket.destroy();
}, 600_000);

const ALL_ANSWERED = { new: REQUESTS, kept: REQUESTS, grpc: REQUESTS };

async function ask(serving: Service) {
  return { ...(await askOverHttp(serving)), grpc: await askOverGrpc(serving) };
}

/** How many requests were answered on a new connection each, and on one that stays open. */
async function askOverHttp(serving: Service): Promise<{ new: number; kept: number }> {
  const answered = { new: 0, kept: 0 };
  const kept = openKept(serving);
  for (let count = 0; count < REQUESTS; count += 1) {
    if ((await kept.ask()).startsWith('HTTP/1.1 200 ')) answered.kept += 1;
    if (await askNew(serving)) answered.new += 1;
  }
  kept.socket.destroy();
  return answered;
}

async function askOverGrpc({ addressOf }: Service): Promise<number> {
  const channel = credentials.createSsl(await readFile(join(data.directory.tls, 'ca.pem')));
  let answered = 0;
  for (let count = 0; count < REQUESTS; count += 1) {
    const client =
      count % 2 === 0
        ? openGrpcClient(addressOf('grpcs'), { token: data.token, channel })
        : openGrpcClient(addressOf('grpc'), { token: data.token });
    // A connection needs several round trips before its token is read. On a busy machine the flood can end it in between.
    const { message } = await until(() => askUnlessEnded(client));
    if (message.totalSize === 2n) answered += 1;
    client.close();
  }
  return answered;
}

async function askUnlessEnded(client: ReturnType<typeof openGrpcClient>) {
  try {
    return await client.ask(catalogV3.CatalogQuery.method.listRecords, {
      dataReferenceName: 'shop.codes',
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === status.UNAVAILABLE) {
      return undefined;
    }
    throw error;
  }
}

async function askNew(serving: Service): Promise<boolean> {
  const connection = openKept(serving);
  const answer = await connection.ask();
  connection.socket.destroy();
  return answer.startsWith('HTTP/1.1 200 ');
}

function openKept({ addressOf }: Service) {
  const [host, port] = addressOf('http').split(':');
  const socket = connect({ host, port: Number(port) })
    .setEncoding('utf8')
    .setMaxListeners(0);
  socket.on('error', () => {});
  const body = '{"dataReferenceName": "shop.codes"}';
  return {
    socket,
    /** The answer, or an empty text if the connection is closed without one. */
    ask: () =>
      new Promise<string>((resolve) => {
        if (socket.destroyed) resolve('');
        socket.once('data', (text: string) => resolve(text));
        socket.once('close', () => resolve(''));
        socket.write(
          `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${data.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      }),
  };
}

const FLOOD_PROCESS = fileURLToPath(new URL('./flood-process.ts', import.meta.url));

/** A process of its own, because it must not delay the caller. */
async function openFlood(
  address: string,
  bytes: Uint8Array | string,
): Promise<{ end: () => void }> {
  const sent = Buffer.from(bytes).toString('base64');
  const flood = startCommand([address, String(FLOOD), sent], { nodeParameters: [FLOOD_PROCESS] });
  await flood.untilItWrites('complete');
  return { end: () => flood.kill('SIGKILL') };
}

async function serve(
  flags: readonly string[],
  { openFiles }: { readonly openFiles?: number } = {},
): Promise<Service> {
  const listeners = ['--grpc', '127.0.0.1:0', '--grpc-plaintext', '127.0.0.1:0'];
  return startService(data.directory.root, [...listeners, '--access-log', 'off', ...flags], {
    onStart: (pid) => {
      if (openFiles === undefined) return;
      execFileSync('prlimit', ['--pid', String(pid), `--nofile=${openFiles}`]);
    },
  });
}
