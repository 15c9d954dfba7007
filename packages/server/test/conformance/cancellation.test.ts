import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { createServiceContext } from '../../src/service/service-context.ts';
import { openDuckdbEngine } from '../../src/storage/duckdb/engine/open-duckdb-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { askMetrics, type MetricOperations } from './ask-metrics.ts';
import { BIG, SLOW_FILTERS, useBigTable } from './big-table.ts';
import { where } from './filter-clause.ts';
import { openPlainCatalog } from './plain-catalog.ts';
import { refusalOf } from './refusal.ts';
import { askService } from './service-under-test.ts';
import type { CallQuestion } from './test-call.ts';

/**
 * The slow query takes many seconds if it is not stopped. Immediate effects may take up to eight seconds
 * here, so that the tests do not fail on a busy machine.
 */
const SLOW = { filters: SLOW_FILTERS };
const AT_ONCE_MS = 8_000;
const DEADLINE_MS = 50;
const WINDOW_MS = 200;

let big = '';
let folder = '';
beforeAll(async () => {
  folder = temporaryFolder();
  big = await useBigTable();
});

test('the slow query is slow', { tags: 'slow' }, async () => {
  await using service = await openBigService({ queryTimeoutMs: AT_ONCE_MS + 2_000 });
  expect(await refusalOf(service.listRecords(SLOW))).toContain('DEADLINE_EXCEEDED');
});

test('a query past its deadline is refused and ends', async () => {
  await using service = await openBigService({ queryTimeoutMs: DEADLINE_MS });
  const refusal = await within(DEADLINE_MS + AT_ONCE_MS, refusalOf(service.listRecords(SLOW)));
  expect(refusal).toMatchInlineSnapshot(`
    "DEADLINE_EXCEEDED
    The query took longer than 50 ms.
    Narrow the filters, or ask for fewer records."
  `);
});

test('after a deadline the connection answers at once and no core stays busy', async () => {
  await using service = await openBigService({ queryTimeoutMs: DEADLINE_MS });
  await service.quick();
  await refusalOf(service.listRecords(SLOW));
  // There is only one connection, so the stopped query ran on it.
  expect((await within(AT_ONCE_MS, service.quick())).rows).toHaveLength(1);
  await expectIdle();
});

test('every kind of query ends at its deadline', async () => {
  await using service = await openBigService({ queryTimeoutMs: DEADLINE_MS });
  const asked = [
    () => service.listRecords({ ...SLOW, countOnly: true }),
    () => service.searchFieldValues({ ...SLOW, field: 'name', term: 'z' }),
    () => service.searchFieldValues({ ...SLOW, field: 'id', countOnly: true }),
  ];
  for (const ask of asked) {
    expect(await within(DEADLINE_MS + AT_ONCE_MS, refusalOf(ask()))).toContain('DEADLINE_EXCEEDED');
  }
});

/** Every value is joined with all places, and every name is searched. */
const SLOW_METRICS: readonly [
  string,
  (service: MetricOperations, by: CallQuestion) => Promise<unknown>,
][] = [
  ['metric values', (service, by) => service.searchMetricValues(by)],
  ['their count', (service, by) => service.searchMetricValues({ ...by, countOnly: true })],
  ['a metric', (service, by) => service.getMetric(by)],
  ['a report', (service, by) => service.getMetricReport(by)],
  ['a list of metrics', (service, by) => service.listMetrics(by)],
  ['features', (service, by) => service.searchLayerFeatures({ ...by, query: 'z 1' })],
  [
    'component values',
    (service, by) =>
      service.searchAddressComponentValues({ ...by, component: 'name', query: 'z 1' }),
  ],
  [
    'dimension values',
    (service, by) => service.searchDimensionValues({ ...by, dimensionId: 'name', query: 'z 1' }),
  ],
];

test.each(SLOW_METRICS)('a query for %s ends at its deadline', { tags: 'slow' }, async (_, ask) => {
  await using service = await openBigService({ queryTimeoutMs: DEADLINE_MS });
  await service.quick();
  expect(await within(DEADLINE_MS + AT_ONCE_MS, refusalOf(ask(service, {})))).toContain(
    'DEADLINE_EXCEEDED',
  );
  expect((await within(AT_ONCE_MS, service.quick())).rows).toHaveLength(1);
  await expectIdle();
});

test.each(SLOW_METRICS)(
  'a query for %s ends when its caller goes away',
  { tags: 'slow' },
  async (_, ask) => {
    await using service = await openBigService();
    await service.quick();
    const caller = new AbortController();
    const asked = refusalOf(ask(service, { signal: caller.signal }));
    setTimeout(() => caller.abort(), 50);
    expect(await within(50 + AT_ONCE_MS, asked)).toContain('CANCELLED');
    expect((await within(AT_ONCE_MS, service.quick())).rows).toHaveLength(1);
    await expectIdle();
  },
);

test('after one caller leaves, the same metric is read for the next caller', async () => {
  await using service = await openBigService({ queryTimeoutMs: DEADLINE_MS });
  expect(await refusalOf(service.getMetric())).toContain('DEADLINE_EXCEEDED');
  expect(await refusalOf(service.getMetric({ signal: AbortSignal.abort() }))).toContain(
    'CANCELLED',
  );
  expect(await refusalOf(service.getMetric())).toContain('DEADLINE_EXCEEDED');
});

test('a query whose caller goes away is cancelled and ends', async () => {
  await using service = await openBigService();
  const caller = new AbortController();
  const asked = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  setTimeout(() => caller.abort(), 100);
  expect(await within(100 + AT_ONCE_MS, asked)).toMatchInlineSnapshot(`
    "CANCELLED
    The caller cancelled before the answer was ready.
    "
  `);
  expect((await within(AT_ONCE_MS, service.quick())).rows).toHaveLength(1);
});

test('a query whose caller is gone before it starts is cancelled', async () => {
  await using service = await openBigService();
  const asked = service.listRecords({ ...SLOW, signal: AbortSignal.abort() });
  expect(await within(AT_ONCE_MS, refusalOf(asked))).toContain('CANCELLED');
});

test.each([0, 1, 2, 5, 10, 20, 50])(
  'a caller who goes away after %d ms leaves a connection that works',
  async (afterMs) => {
    await using service = await openBigService();
    const caller = new AbortController();
    const asked = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
    setTimeout(() => caller.abort(), afterMs);
    expect(await within(afterMs + AT_ONCE_MS, asked)).toContain('CANCELLED');
    const filters = [where('id', '==', '2999999')];
    expect(await within(AT_ONCE_MS, service.column('id', { filters }))).toEqual(['2999999']);
  },
);

test('if the queue is full, the next query is refused as overloaded', async () => {
  await using service = await openBigService({ connectionsMax: 1, waitingMax: 1 });
  const caller = new AbortController();
  const running = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  const waiting = service.listRecords({ pageSize: 1 });
  const refusal = await within(AT_ONCE_MS, refusalOf(service.listRecords({ pageSize: 1 })));
  expect(refusal).toMatchInlineSnapshot(`
    "OVERLOADED
    Too many queries are waiting for the database.
    Try again after a second."
  `);
  caller.abort();
  expect(await within(AT_ONCE_MS, running)).toContain('CANCELLED');
  expect((await within(AT_ONCE_MS, waiting)).rows).toHaveLength(1);
});

test('a caller who goes away while waiting leaves the queue', async () => {
  await using service = await openBigService({ connectionsMax: 1, waitingMax: 1 });
  const caller = new AbortController();
  const waitingCaller = new AbortController();
  const running = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  const left = refusalOf(service.listRecords({ pageSize: 1, signal: waitingCaller.signal }));
  // The request is queued by the next turn of the event loop.
  await nextTurn();
  waitingCaller.abort();
  expect(await within(AT_ONCE_MS, left)).toContain('CANCELLED');
  const waiting = service.listRecords({ pageSize: 1 });
  caller.abort();
  expect(await within(AT_ONCE_MS, running)).toContain('CANCELLED');
  expect((await within(AT_ONCE_MS, waiting)).rows).toHaveLength(1);
});

test('the deadline includes the time in the queue', async () => {
  await using service = await openBigService({ queryTimeoutMs: 300 });
  const answers = [service.listRecords(SLOW), service.listRecords(SLOW)].map(refusalOf);
  expect(await within(300 + AT_ONCE_MS, Promise.all(answers))).toEqual([
    expect.stringContaining('DEADLINE_EXCEEDED'),
    expect.stringContaining('DEADLINE_EXCEEDED'),
  ]);
});

test('stopping one query does not affect another', { tags: 'slow' }, async () => {
  await using service = await openBigService({ connectionsMax: 2 });
  const caller = new AbortController();
  const stopped = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  const counted = service.listRecords({ filters: SLOW_FILTERS.slice(0, 4), countOnly: true });
  caller.abort();
  expect(await within(AT_ONCE_MS, stopped)).toContain('CANCELLED');
  expect((await counted).totalSize).toBe(BIG.rowCount);
});

async function openBigService(
  options: {
    readonly queryTimeoutMs?: number;
    readonly connectionsMax?: number;
    readonly waitingMax?: number;
  } = {},
) {
  const { queryTimeoutMs = 60_000, connectionsMax = 1, waitingMax = 1 } = options;
  const catalog = openPlainCatalog();
  catalog.publish(BIG);
  const engine = await openDuckdbEngine({
    directoryOf: () => big,
    temporaryDirectory: join(folder, 'temporary'),
    memoryLimitBytes: 2 ** 30,
    threads: 2,
    connectionsMax,
    waitingMax,
  });
  const parts = { catalog, engine, pageTokenKey: () => new Uint8Array(32) };
  const context = createServiceContext({ ...parts, queryTimeoutMs });
  const patient = createServiceContext({ ...parts, queryTimeoutMs: 60_000 });
  return {
    /** A quick query, which may still take longer than a deadline on a busy machine. */
    quick: () => askService(patient, BIG.dataset.name).listRecords({ pageSize: 1 }),
    ...askService(context, BIG.dataset.name),
    ...askMetrics(context, { metricId: 'trips', layerId: 'places' }),
    [Symbol.asyncDispose]: engine.close,
  };
}

/** The answer, if it arrives within the time. */
async function within<Answer>(timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** No query keeps a core busy; the runtime itself, with a collection for one, may for a moment. */
async function expectIdle(): Promise<void> {
  await expect.poll(() => busyShare(WINDOW_MS), { timeout: 3 * WINDOW_MS }).toBeLessThan(0.5);
}

/** The number of cores that this process keeps busy without requests, measured over the given time. */
async function busyShare(durationMs: number): Promise<number> {
  const began = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000 / durationMs;
}
