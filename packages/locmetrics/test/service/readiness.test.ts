import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { Engine } from '@locmetrics/core/storage/engine';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { type OpenLedger, openLedger } from '@locmetrics/server/metering/open-ledger';
import type { Observation } from '@locmetrics/server/observe/observation';
import { openReadiness, type Readiness } from '@locmetrics/server/service/readiness';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { RECORD } from '../metering/usage-record.ts';

/** A ledger that can record usage. */
const ledger = { check: async () => {} };

let data: TestData;
let engine: Engine;
let observed: Observation[];
let nowMs: number;

beforeEach(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  engine = await openEngine();
  observed = [];
  nowMs = 0;
});

afterEach(async () => {
  await engine.close();
  await data.remove();
});

test('it is ready when the catalog, the control store and the engine answer', async () => {
  const readiness = await open();
  expect(readiness.isReady()).toBe(true);
  expect(await problemOf(readiness)).toBe(undefined);
  expect(observed).toEqual([]);
});

test('a catalog that cannot be read is reported by name, and is ready again when it can', async () => {
  const { current } = data.directory;
  await rename(current, `${current}.old`);
  await writeFile(current, 'no JSON');
  const readiness = await open();
  expect(await problemOf(readiness)).toEqual({
    reason: 'NOT_READY',
    message: 'Not answering: the catalog.',
    hint: 'Try again after a second; the log says why.',
  });
  expect(readiness.isReady()).toBe(false);
  await rename(`${current}.old`, current);
  nowMs += 1000;
  expect(await problemOf(readiness)).toBe(undefined);
  expect(observed).toMatchObject([
    { kind: 'readiness_changed', isReady: false, failing: [{ check: 'catalog' }] },
    { kind: 'readiness_changed', isReady: true, failing: [] },
  ]);
});

test('a control store and an engine that do not answer are reported by name, without a path', async () => {
  const broken = {
    ...data.store,
    findCaller: () => failed(join(data.directory.root, 'control.sqlite')),
  };
  const readiness = await openReadiness({
    catalog: openCatalog(data.directory),
    store: broken,
    ledger,
    engine: { status: { ...statusOf(engine), probe: async () => failed('the database') } },
    observe: (observation) => observed.push(observation),
    clock: () => nowMs,
  });
  expect(await problemOf(readiness)).toMatchObject({
    message: 'Not answering: the control store, the engine.',
  });
  expect(observed).toHaveLength(1);
});

test('a missing control store and a failure to record are reported with their reasons, without a path', async () => {
  const ledgers: unknown[] = [];
  const files = { ...data.directory.usage, segments: data.directory.current };
  const blocked = openLedger({ files, sync: 'normal', observe: (one) => ledgers.push(one) });
  await expect(blocked.record(RECORD)).rejects.toThrow('could not be recorded');
  await rm(data.directory.control);
  const readiness = await open(blocked);
  expect(await problemOf(readiness)).toMatchObject({
    message:
      'Not answering: the control store, the usage ledger. The control store cannot be used: its file is missing. Requests for data are refused, because their usage cannot be recorded.',
  });
  expect(ledgers).toHaveLength(1);
});

test('a closed control store does not answer', async () => {
  const readiness = await open();
  data.store.close();
  nowMs += 1000;
  expect(await problemOf(readiness)).toMatchObject({
    message: 'Not answering: the control store.',
  });
});

test('a result is shared by all checks within a second', async () => {
  let looked = 0;
  const status = statusOf(engine);
  const readiness = await openReadiness({
    catalog: openCatalog(data.directory),
    store: data.store,
    ledger,
    engine: {
      status: {
        ...status,
        probe: () => {
          looked += 1;
          return status.probe();
        },
      },
    },
    observe: (observation) => observed.push(observation),
    clock: () => nowMs,
  });
  nowMs += 999;
  await Promise.all(Array.from({ length: 50 }, () => readiness.check()));
  readiness.isReady();
  expect(looked).toBe(1);
  nowMs += 1;
  await Promise.all(Array.from({ length: 50 }, () => readiness.check()));
  expect(looked).toBe(2);
});

test('a stopping service is not ready any more', async () => {
  const readiness = await open();
  readiness.stop();
  expect(readiness.isReady()).toBe(false);
  expect(await problemOf(readiness)).toMatchObject({ message: 'The service is stopping.' });
});

test('a check that does not wait reports a failure at the next check', async () => {
  const readiness = await open();
  data.store.close();
  nowMs += 1000;
  expect(readiness.isReady()).toBe(true);
  await expect.poll(() => readiness.isReady()).toBe(false);
});

test('an engine whose connections are all busy is not queried, and is ready', async () => {
  const busy = await openEngine(0);
  try {
    await statusOf(busy).probe();
    expect(statusOf(busy).queries()).toEqual({ running: 0, waiting: 0 });
  } finally {
    await busy.close();
  }
});

test('the engine reports its memory, and the same values are shared within a second', async () => {
  const { readMemory } = statusOf(engine);
  const [first, second] = await Promise.all([readMemory(), readMemory()]);
  expect(first).toMatchObject({ memoryLimitBytes: 2 ** 30, temporaryBytes: 0 });
  expect(first?.memoryBytes).toBeGreaterThanOrEqual(0);
  expect(await readMemory()).toBe(second);
});

function open(used: Pick<OpenLedger, 'check'> = ledger): Promise<Readiness> {
  return openReadiness({
    catalog: openCatalog(data.directory),
    store: data.store,
    ledger: used,
    engine,
    observe: (observation) => observed.push(observation),
    clock: () => nowMs,
  });
}

function openEngine(connectionsMax = 1): Promise<Engine> {
  return openDuckdbEngine({
    directoryOf: ({ dataset, version }) => data.directory.version(dataset.name, version),
    temporaryDirectory: join(data.directory.temporary, 'readiness'),
    memoryLimitBytes: 2 ** 30,
    threads: 1,
    connectionsMax,
    waitingMax: 1,
  });
}

function statusOf({ status }: Engine) {
  if (status === undefined) throw new Error('The engine has no status.');
  return status;
}

function failed(what: string): never {
  throw new Error(`${what} cannot be read.`);
}

async function problemOf(readiness: Readiness): Promise<unknown> {
  try {
    await readiness.check();
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { reason, message, hint } = error;
    return { reason, message, hint };
  }
}
