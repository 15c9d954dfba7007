import { join } from 'node:path';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import { createServiceContext } from '@locmetrics/server/service/service-context';
import { beforeAll, expect, test } from 'vitest';
import { delay } from '../support/delay.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { BIG, BIG_ROWS, SLOW_FILTERS, useBigTable } from './big-table.ts';
import { openPlainCatalog } from './engines/plain-catalog.ts';
import { askService } from './engines/service-under-test.ts';
import type { CallQuestion } from './engines/test-call.ts';
import { where } from './filter-clause.ts';
import { askMetrics, type MetricOperations } from './metrics/ask-metrics.ts';
import { refusalOf } from './refusal.ts';

/**
 * The slow query takes many seconds of CPU if it is not stopped. A busy machine changes how long these last, but not how
 * many they are, so the tests measure the CPU time of this process.
 */
const SLOW = { filters: SLOW_FILTERS };
const AT_ONCE_CPU_S = 8;
const DEADLINE_MS = 50;
const WINDOW_MS = 200;

let big = '';
let folder = '';
beforeAll(async () => {
  folder = temporaryFolder();
  big = await useBigTable();
});

test('the slow query is slow', { tags: 'slow' }, async () => {
  await using service = await openBigService({ queryTimeoutMs: 600_000 });
  const caller = new AbortController();
  const asked = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  const before = cpuS();
  await until(() => cpuS() - before > AT_ONCE_CPU_S + 2);
  caller.abort();
  expect(await asked).toContain('CANCELLED');
});

test('a query past its deadline is refused and ends', async () => {
  await using service = await openBigService({ queryTimeoutMs: DEADLINE_MS });
  const refusal = await atOnce(refusalOf(service.listRecords(SLOW)));
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
  expect((await atOnce(service.quick())).rows).toHaveLength(1);
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
    expect(await atOnce(refusalOf(ask()))).toContain('DEADLINE_EXCEEDED');
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
  expect(await atOnce(refusalOf(ask(service, {})))).toContain('DEADLINE_EXCEEDED');
  expect((await atOnce(service.quick())).rows).toHaveLength(1);
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
    await service.untilBusy();
    caller.abort();
    expect(await atOnce(asked)).toContain('CANCELLED');
    expect((await atOnce(service.quick())).rows).toHaveLength(1);
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
  await service.untilBusy();
  caller.abort();
  expect(await atOnce(asked)).toMatchInlineSnapshot(`
    "CANCELLED
    The caller cancelled before the answer was ready.
    "
  `);
  expect((await atOnce(service.quick())).rows).toHaveLength(1);
});

test('a query whose caller is gone before it starts is cancelled', async () => {
  await using service = await openBigService();
  const asked = service.listRecords({ ...SLOW, signal: AbortSignal.abort() });
  expect(await atOnce(refusalOf(asked))).toContain('CANCELLED');
});

test.each([0, 1, 2, 5, 10, 20, 50])(
  'a caller who goes away after %d ms leaves a connection that works',
  async (afterMs) => {
    await using service = await openBigService();
    const caller = new AbortController();
    const asked = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
    await delay(afterMs);
    caller.abort();
    expect(await atOnce(asked)).toContain('CANCELLED');
    const last = String(BIG_ROWS - 1);
    const filters = [where('id', '==', last)];
    expect(await atOnce(service.column('id', { filters }))).toEqual([last]);
  },
);

test('if the queue is full, the next query is refused as overloaded', async () => {
  await using service = await openBigService({ connectionsMax: 1, waitingMax: 1 });
  const caller = new AbortController();
  const running = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  const waiting = service.listRecords({ pageSize: 1 });
  const refusal = await atOnce(refusalOf(service.listRecords({ pageSize: 1 })));
  expect(refusal).toMatchInlineSnapshot(`
    "OVERLOADED
    Too many queries are waiting for the database.
    Try again after a second."
  `);
  caller.abort();
  expect(await atOnce(running)).toContain('CANCELLED');
  expect((await atOnce(waiting)).rows).toHaveLength(1);
});

test('a caller who goes away while waiting leaves the queue', async () => {
  await using service = await openBigService({ connectionsMax: 1, waitingMax: 1 });
  const caller = new AbortController();
  const waitingCaller = new AbortController();
  const running = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  const left = refusalOf(service.listRecords({ pageSize: 1, signal: waitingCaller.signal }));
  // The request is queued by the next turn of the event loop.
  await nextLoopTick();
  waitingCaller.abort();
  expect(await atOnce(left)).toContain('CANCELLED');
  const waiting = service.listRecords({ pageSize: 1 });
  caller.abort();
  expect(await atOnce(running)).toContain('CANCELLED');
  expect((await atOnce(waiting)).rows).toHaveLength(1);
});

test('the deadline includes the time in the queue', async () => {
  await using service = await openBigService({ queryTimeoutMs: 300 });
  const answers = [service.listRecords(SLOW), service.listRecords(SLOW)].map(refusalOf);
  expect(await atOnce(Promise.all(answers))).toEqual([
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
  expect(await atOnce(stopped)).toContain('CANCELLED');
  expect((await counted).totalSize).toBe(BIG.rowCount);
});

async function openBigService(
  options: {
    readonly queryTimeoutMs?: number;
    readonly connectionsMax?: number;
    readonly waitingMax?: number;
  } = {},
) {
  const { queryTimeoutMs = 600_000, connectionsMax = 1, waitingMax = 1 } = options;
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
  const patient = createServiceContext({ ...parts, queryTimeoutMs: 600_000 });
  return {
    /** Resolves when the database works on a query. */
    untilBusy: async () => {
      const before = cpuS();
      await until(() => cpuS() - before > 0.2);
    },
    /** A quick query, which may still take longer than a deadline on a busy machine. */
    quick: () => askService(patient, BIG.dataset.name).listRecords({ pageSize: 1 }),
    ...askService(context, BIG.dataset.name),
    ...askMetrics(context, { metricId: 'trips', layerId: 'places' }),
    [Symbol.asyncDispose]: engine.close,
  };
}

/** The answer, if this process did little work until it arrived. */
async function atOnce<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const before = cpuS();
  const found = await answer;
  expect(cpuS() - before).toBeLessThan(AT_ONCE_CPU_S);
  return found;
}

/** No query keeps a core busy; the runtime itself, with a collection for one, may for a moment. */
async function expectIdle(): Promise<void> {
  const before = cpuS();
  let last = { cpuS: before, wallMs: performance.now() };
  await until(() => {
    const now = { cpuS: cpuS(), wallMs: performance.now() };
    if (now.wallMs - last.wallMs < WINDOW_MS) return false;
    const busyShare = (1000 * (now.cpuS - last.cpuS)) / (now.wallMs - last.wallMs);
    last = now;
    return busyShare < 0.5;
  });
  expect(cpuS() - before).toBeLessThan(AT_ONCE_CPU_S);
}

/** The seconds of CPU that this process has used, with the threads of the database. */
function cpuS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
