import type { RequestListener } from 'node:http';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { serveLocally } from '../../packages/locmetrics/test/support/listen-locally.ts';
import type { LoadOrder, Target } from '../src/driver/load-order.ts';
import { startDriver } from '../src/driver/start-driver.ts';

async function listen(listener: RequestListener): Promise<Target> {
  const { port } = await serveLocally(listener);
  return { host: '127.0.0.1', port, headers: { authorization: 'Bearer secret' } };
}

function orderFor(target: Target, given: Partial<LoadOrder> = {}): LoadOrder {
  return {
    kind: 'load',
    protocol: 'http',
    questions: [{ workload: 'W1', shape: 'ours' }],
    target,
    context: {
      world: { seed: 1, places: 50, months: 2, longPlaces: 2, names: 10 },
      pageTokens: new Map(),
    },
    seedText: 'a',
    inFlight: 4,
    end: { kind: 'requests', requests: 30 },
    countFailures: false,
    ...given,
  };
}

test('a load sends the requests of its seed with the headers of the target, and measures each answer', async () => {
  const asked: string[] = [];
  const target = await listen((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`);
    response.end('1234567');
  });
  await using driver = startDriver();
  const result = await driver.run(orderFor(target));
  expect(result.latenciesMs).toHaveLength(30);
  expect(result.latenciesMs.every((latency) => latency > 0)).toBe(true);
  expect(result).toMatchObject({ bodyBytes: 210, failures: 0, firstFailure: undefined });
  expect(new Set(asked).size).toBeGreaterThan(10);
  expect(asked.every((text) => text.startsWith('Bearer secret /v1/catalogs/'))).toBe(true);
  const first = asked.splice(0).sort();
  await driver.run(orderFor(target));
  expect(asked.splice(0).sort()).toEqual(first);
  await driver.run(orderFor(target, { seedText: 'b' }));
  expect(asked.sort()).not.toEqual(first);
});

test('a load of some seconds ends after them', { tags: 'slow' }, async () => {
  const target = await listen((_, response) => response.end('x'));
  await using driver = startDriver();
  const result = await driver.run(orderFor(target, { end: { kind: 'seconds', seconds: 1 } }));
  expect(result.durationMs).toBeGreaterThan(500);
});

test('the first error answer ends the load, and its message contains the request', async () => {
  let count = 0;
  const target = await listen((_, response) => {
    response.statusCode = ++count > 10 ? 503 : 200;
    response.end('busy');
  });
  await using driver = startDriver();
  await expect(driver.run(orderFor(target))).rejects.toThrow(
    /A request of W1 \(ours\) failed: GET \/v1\/catalogs\S+ HTTP\/1.1 was answered 503: busy/,
  );
});

test('a connection that the server closes ends the load', async () => {
  const target = await listen((_, response) => response.destroy());
  await using driver = startDriver();
  await expect(driver.run(orderFor(target))).rejects.toThrow('closed a connection');
});

test('a load that counts failures goes on after them, until it is stopped', async () => {
  let count = 0;
  const target = await listen((_, response) => {
    count++;
    if (count % 10 === 0) response.destroy();
    else {
      response.statusCode = count % 5 === 0 ? 500 : 200;
      response.end('x');
    }
  });
  await using driver = startDriver();
  const running = driver.run(orderFor(target, { end: { kind: 'stopped' }, countFailures: true }));
  await expect.poll(() => count).toBeGreaterThan(100);
  driver.stop();
  const { failures, latenciesMs, firstFailure } = await running;
  expect(failures).toBeGreaterThan(10);
  expect(latenciesMs.length).toBeGreaterThan(70);
  expect(firstFailure).toContain('was answered 500');
});

test('a failed gRPC call ends the load, and its message contains the request', async () => {
  const server = new GrpcServer();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  await using driver = startDriver();
  const order = orderFor(
    { host: '127.0.0.1', port, headers: {} },
    { protocol: 'grpc', questions: [{ workload: 'W1g', shape: 'ours' }] },
  );
  await expect(driver.run(order)).rejects.toThrow(
    /A request of W1g \(ours\) failed: \S+SearchMetricValues failed: 12 UNIMPLEMENTED/,
  );
  server.forceShutdown();
});
