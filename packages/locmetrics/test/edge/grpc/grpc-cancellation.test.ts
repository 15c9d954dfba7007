import { once } from 'node:events';
import { connect, type OutgoingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import { catalogV3 } from '@locmetrics/contract/grpc';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import { openGrpcServer } from '@locmetrics/server/edge/grpc/open-grpc-server';
import { listen } from '@locmetrics/server/edge/listening/listen';
import type { Observation } from '@locmetrics/server/observe/observation';
import { createServiceContext } from '@locmetrics/server/service/service-context';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIG, SLOW_FILTERS, useBigTable } from '../../conformance/big-table.ts';
import { openPlainCatalog } from '../../conformance/engines/plain-catalog.ts';
import { delay } from '../../support/delay.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openGrpcClient } from './grpc-client.ts';

const { listRecords } = catalogV3.CatalogQuery.method;
const NAME = { dataReferenceName: BIG.dataset.name };
/** This query takes many seconds if it is not stopped. */
const SLOW = { ...NAME, filters: SLOW_FILTERS.map(toMessage) };

let big = '';
let folder = '';
let data: TestData;
beforeAll(async () => {
  folder = temporaryFolder();
  big = await useBigTable();
  data = await createTestData();
});
afterAll(async () => {
  await data.remove();
});

test('a call past the deadline of its caller gets DEADLINE_EXCEEDED and its query ends', async () => {
  await using server = await openBigServer();
  await server.ask(listRecords, { ...NAME, pageSize: 1 });
  expect(await server.refusal(listRecords, SLOW, { deadlineMs: 200 })).toMatchObject({
    code: 'DEADLINE_EXCEEDED',
  });
  // There is only one connection to the database, so the next query waits until it is free.
  await server.ask(listRecords, { ...NAME, pageSize: 1 }, { deadlineMs: 600_000 });
  expect(server.observed('request_refused')).toMatchObject([
    { code: 'DEADLINE_EXCEEDED', reason: 'DEADLINE_EXCEEDED' },
  ]);
  expect(server.statuses()).toEqual(['OK', 'DEADLINE_EXCEEDED', 'OK']);
});

test('a call that its caller cancels ends with its query', async () => {
  await using server = await openBigServer();
  await server.ask(listRecords, { ...NAME, pageSize: 1 });
  const caller = new AbortController();
  const refusal = server.refusal(listRecords, SLOW, { signal: caller.signal });
  await server.untilQueried(2);
  caller.abort();
  expect(await refusal).toMatchObject({ code: 'CANCELLED' });
  await server.ask(listRecords, { ...NAME, pageSize: 1 }, { deadlineMs: 600_000 });
  expect(server.observed('request_refused')).toMatchObject([
    { code: 'CANCELLED', reason: 'CANCELLED' },
  ]);
  expect(server.statuses()).toEqual(['OK', 'CANCELLED', 'OK']);
});

test('a call whose caller vanishes ends with its query', async () => {
  await using server = await openBigServer();
  await server.ask(listRecords, { ...NAME, pageSize: 1 });
  const reset = await sendSlow(server.address);
  await server.untilQueried(2);
  reset();
  await server.ask(listRecords, { ...NAME, pageSize: 1 }, { deadlineMs: 600_000 });
  expect(server.statuses()).toEqual(['OK', 'CANCELLED', 'OK']);
});

test('a reset shortly before the timer of the service ends is the deadline of the caller', async () => {
  await using server = await openBigServer();
  await server.ask(listRecords, { ...NAME, pageSize: 1 });
  const reset = await sendSlow(server.address, { 'grpc-timeout': '1000m' });
  await delay(980);
  reset();
  await server.ask(listRecords, { ...NAME, pageSize: 1 });
  expect(server.statuses()).toEqual(['OK', 'DEADLINE_EXCEEDED', 'OK']);
});

test('a query past the deadline of the service is refused with a hint', async () => {
  await using server = await openBigServer(100);
  expect(await server.refusal(listRecords, SLOW)).toMatchObject({
    code: 'DEADLINE_EXCEEDED',
    reason: 'DEADLINE_EXCEEDED',
    message: 'The query took longer than 100 ms. Narrow the filters, or ask for fewer records.',
  });
});

test('a running call is answered when the service stops', {
  tags: 'slow',
}, async () => {
  await using server = await openBigServer();
  await server.ask(listRecords, { ...NAME, pageSize: 1 });
  const filters = SLOW.filters.slice(0, 4);
  const asked = server.ask(listRecords, { ...NAME, filters, countOnly: true });
  await server.untilQueried(2);
  expect(server.statuses()).toEqual(['OK']);
  const closed = server.stop();
  expect((await asked).message.totalSize).toBe(BigInt(BIG.rowCount ?? 0));
  await closed;
  expect(await server.refusal(listRecords, NAME)).toMatchObject({ code: 'UNAVAILABLE' });
});

/** Sends the slow call as bytes, and returns what makes its caller vanish. */
async function sendSlow(address: string, headers: OutgoingHttpHeaders = {}) {
  const session = connect(`http://${address}`);
  await once(session, 'connect');
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${listRecords.parent.typeName}/${listRecords.name}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${data.token}`,
    ...headers,
  });
  stream.on('error', () => {});
  const message = toBinary(listRecords.input, create(listRecords.input, SLOW));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
  return () => session.destroy();
}

function toMessage({ fieldName, operator, value }: FilterClause) {
  return { fieldName, operator, value: String(value) };
}

/** The big table over gRPC, with one connection to the database. */
async function openBigServer(queryTimeoutMs = 600_000) {
  const catalog = openPlainCatalog();
  catalog.publish(BIG);
  const engine = await openDuckdbEngine({
    directoryOf: () => big,
    temporaryDirectory: join(folder, 'temporary'),
    memoryLimitBytes: 2 ** 30,
    threads: 2,
    connectionsMax: 1,
    waitingMax: 1,
  });
  const observations: Observation[] = [];
  let queries = 0;
  const server = openGrpcServer({
    service: createServiceContext({
      catalog,
      engine: {
        ...engine,
        run: (plan, signal) => {
          queries += 1;
          return engine.run(plan, signal);
        },
      },
      pageTokenKey: () => new Uint8Array(32),
      queryTimeoutMs,
    }),
    store: data.store,
    observe: (observation) => observations.push(observation),
    isReady: () => true,
  });
  const port = await listen({ host: '127.0.0.1', port: 0 }, server.accept);
  const { address } = port;
  const client = openGrpcClient(address, { token: data.token });
  return {
    ...client,
    address,
    untilQueried: (count: number) => until(() => queries >= count),
    stop: () => {
      port.close();
      return server.close();
    },
    observed: (kind: Observation['kind']) => observations.filter((one) => one.kind === kind),
    statuses: () =>
      observations.flatMap((one) => (one.kind === 'request_completed' ? [one.status] : [])),
    [Symbol.asyncDispose]: async () => {
      client.close();
      port.close();
      await server.close();
      await engine.close();
    },
  };
}
