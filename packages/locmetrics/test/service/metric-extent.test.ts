import { strict as assert } from 'node:assert';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { Engine, Extent } from '@locmetrics/core/storage/engine';
import { openMetricExtents } from '@locmetrics/server/service/extents';
import { expect, test } from 'vitest';
import { openPlainCatalog } from '../conformance/engines/plain-catalog.ts';
import { PARK_TABLES } from '../conformance/parks.ts';

const catalog = openPlainCatalog();
for (const { version } of PARK_TABLES) catalog.publish(version);
const [METRIC = assert.fail('The tables have no metric.')] = catalog.snapshot().metrics.values();

const EXTENT: Extent = { firstDay: '2024-01-01', lastDay: '2024-01-01', count: 3 };
const FOUND = { ...EXTENT, isWhole: METRIC.values.rowCount === 3 };

/** An engine whose queries end when the test says so, or when they are cancelled. */
function openHeldEngine() {
  const queries: PromiseWithResolvers<Extent>[] = [];
  const engine = {
    run: (_plan: unknown, signal: AbortSignal) => {
      const query = Promise.withResolvers<Extent>();
      queries.push(query);
      signal.addEventListener('abort', () => query.reject(signal.reason));
      return query.promise;
    },
  } as unknown as Engine;
  return { engine, queries };
}

test('requests that need an extent at the same time share one query', async () => {
  const { engine, queries } = openHeldEngine();
  const extents = openMetricExtents(engine);
  const { signal } = new AbortController();
  const reads = Array.from({ length: 5 }, () => extents.read(METRIC, signal));
  await nextLoopTick();
  expect(queries).toHaveLength(1);
  queries[0]?.resolve(EXTENT);
  expect(await Promise.all(reads)).toEqual(Array(5).fill(FOUND));
  expect(await extents.read(METRIC, signal)).toEqual(FOUND);
  expect(queries).toHaveLength(1);
});

test('if the request that asked is cancelled, another one asks', async () => {
  const { engine, queries } = openHeldEngine();
  const extents = openMetricExtents(engine);
  const [first, second] = [new AbortController(), new AbortController()];
  const cancelled = extents.read(METRIC, first.signal);
  const waiting = extents.read(METRIC, second.signal);
  first.abort(new Error('The caller has gone.'));
  await expect(cancelled).rejects.toThrow('The caller has gone.');
  await nextLoopTick();
  expect(queries).toHaveLength(2);
  queries[1]?.resolve(EXTENT);
  expect(await waiting).toMatchObject(EXTENT);
});

test('a request that waits for the query of another one can be cancelled', async () => {
  const { engine, queries } = openHeldEngine();
  const extents = openMetricExtents(engine);
  const second = new AbortController();
  const asking = extents.read(METRIC, new AbortController().signal);
  const waiting = extents.read(METRIC, second.signal);
  second.abort(new Error('The caller has gone.'));
  await expect(waiting).rejects.toThrow('The caller has gone.');
  queries[0]?.resolve(EXTENT);
  expect(await asking).toMatchObject(EXTENT);
});

test('an extent that is not known soon is left to later requests', async () => {
  const { engine, queries } = openHeldEngine();
  const extents = openMetricExtents(engine);
  expect(await extents.soon(METRIC)).toBeUndefined();
  expect(await extents.soon(METRIC)).toBeUndefined();
  expect(queries).toHaveLength(1);
  queries[0]?.resolve(EXTENT);
  await nextLoopTick();
  expect(await extents.soon(METRIC)).toEqual(FOUND);
  expect(queries).toHaveLength(1);
});

test('an extent that is found at once is used', async () => {
  const { engine, queries } = openHeldEngine();
  const extents = openMetricExtents(engine);
  const soon = extents.soon(METRIC);
  await nextLoopTick();
  queries[0]?.resolve(EXTENT);
  expect(await soon).toEqual(FOUND);
});

test('after a query that failed the next request asks again', async () => {
  const { engine, queries } = openHeldEngine();
  const extents = openMetricExtents(engine);
  const soon = extents.soon(METRIC);
  await nextLoopTick();
  queries[0]?.reject(new Error('The file is damaged.'));
  expect(await soon).toBeUndefined();
  expect(await extents.soon(METRIC)).toBeUndefined();
  expect(queries).toHaveLength(2);
});

test('a query that no request waits for ends when the process does', async () => {
  const { engine, queries } = openHeldEngine();
  const extents = openMetricExtents(engine);
  expect(await extents.soon(METRIC)).toBeUndefined();
  await extents.close();
  await expect(queries[0]?.promise).rejects.toThrow();
});
