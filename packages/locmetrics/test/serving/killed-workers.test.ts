// @module-tag slow

import { catalogV3 } from '@locmetrics/contract/grpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOf } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { type GrpcTestClient, openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { readAll } from '../metering/usage-under-test.ts';
import { delay } from '../support/delay.ts';
import { testCount } from '../support/test-count.ts';
import { until } from '../support/until.ts';

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(async () => {
  await data.remove();
});

/** The number of kills. The start of a worker takes a second of a core. */
const KILLS = testCount('KILLS', { few: 2, all: 100 });
const WORKERS = Math.min(KILLS, 3);
const KILLS_OF_SERVICE = 10;
const CLIENTS = 8;
/** Between the requests of a client, so that the workers that start have the processors too. */
const PAUSE_MS = 10;
const { listRecords } = catalogV3.CatalogQuery.method;

type Counted = { readonly rows: number; readonly bytes: number };
type Send = (requestId: string) => Promise<Counted>;

test('every answer is recorded once and as sent, while workers are killed', {
  timeout: 180_000 + KILLS * 20_000,
}, async () => {
  const sent = new Set<string>();
  const answered = new Map<string, Counted>();
  let killed = 0;
  while (killed < KILLS) {
    const serving = await serve();
    const clients: GrpcTestClient[] = [];
    let isOver = false;
    const ask = async (name: string, send: Send): Promise<void> => {
      for (let number = 0; !isOver; number += 1) {
        const requestId = `${name}-${number}`;
        sent.add(requestId);
        const counted = await send(requestId).catch(() => undefined);
        // The callers of a killed worker get no answer.
        if (counted !== undefined) answered.set(requestId, counted);
        await delay(PAUSE_MS);
      }
    };
    const asking = Array.from({ length: CLIENTS }, (_, index) => {
      const name = `${killed}-${index}`;
      if (index % 2 === 0) return ask(`http-${name}`, overHttp(serving.url));
      const client = openGrpcClient(serving.addressOf('grpc'), { token: data.token });
      clients.push(client);
      return ask(`grpc-${name}`, overGrpc(client));
    });
    for (let index = 0; index < KILLS_OF_SERVICE && killed < KILLS; index += 1) {
      // Workers are killed in the order of their starts, replacements too, and have answered requests before.
      const before = answered.size;
      await expect.poll(() => answered.size).toBeGreaterThan(before + CLIENTS);
      process.kill(await until(() => startedWorkers(serving)[index]), 'SIGKILL');
      killed += 1;
    }
    isOver = true;
    serving.kill('SIGKILL');
    await Promise.all(asking);
    for (const client of clients) client.close();
    await serving.ended;
  }
  const recorded = await readAll(data.directory.usage);
  const byId = new Map(recorded.map((record) => [record.requestId, record]));
  expect(byId.size).toBe(recorded.length);
  expect([...byId.keys()].filter((requestId) => !sent.has(requestId))).toEqual([]);
  const counted = [...answered.keys()].map((requestId) => {
    const record = byId.get(requestId);
    return [requestId, { rows: record?.rows, bytes: record?.bytes }];
  });
  expect(counted).toEqual([...answered]);
  expect(killed).toBeGreaterThanOrEqual(KILLS);
  expect(answered.size).toBeGreaterThan(KILLS * CLIENTS);
});

const serve = (): Promise<Service> =>
  startService(data.directory.root, [
    ...['--workers', String(WORKERS), '--grpc-plaintext', '127.0.0.1:0'],
    ...['--memory', `${WORKERS * 64}MiB`, '--access-log', 'off'],
  ]);

/** The process ids in the order of the starts. */
const startedWorkers = (serving: Service): readonly number[] =>
  linesOf(serving).flatMap(({ kind, pid }) => (kind === 'worker_started' ? [Number(pid)] : []));

function overHttp(url: string): Send {
  return async (requestId) => {
    const answer = await fetch(`${url}/v3/catalog/listRecords`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${data.token}`,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'x-request-id': requestId,
      },
      body: JSON.stringify({ dataReferenceName: 'shop.stores' }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return { rows: JSON.parse(text).records.length, bytes: Buffer.byteLength(text) };
  };
}

function overGrpc(client: GrpcTestClient): Send {
  return async (requestId) => {
    const { message, bytes } = await client.ask(
      listRecords,
      { dataReferenceName: 'shop.codes' },
      { metadata: { 'x-request-id': requestId }, deadlineMs: 5000 },
    );
    return { rows: message.records.length, bytes };
  };
}
