import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { METRIC_TABLE } from '@locmetrics/server/observe/metric-table';
import { openMetricTotals, writeMetrics } from '@locmetrics/server/observe/metric-totals';
import type { Observation } from '@locmetrics/server/observe/observation';
import { type Metrics, openMetrics } from '@locmetrics/server/observe/open-metrics';
import { afterEach, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { EVERY_OBSERVATION, everySource } from './every-metric.ts';
import { readExposition, sampleOf } from './read-exposition.ts';

const opened: Metrics[] = [];
afterEach(() => {
  for (const metrics of opened.splice(0)) metrics.close();
});

test('requests are counted and timed by route and status, with the names of OpenTelemetry', async () => {
  const metrics = open();
  observeHttp(metrics, { status: 200, durationMs: 4 });
  observeHttp(metrics, { status: 200, durationMs: 40 });
  observeHttp(metrics, { status: 503, durationMs: 1 });
  const name = 'http_server_request_duration_seconds';
  const labels = { http_request_method: 'POST', http_route: '/v3/catalog/listRecords' };
  const answered = { ...labels, http_response_status_code: '200', error_type: '' };
  expect(await read(metrics, `${name}_count`, answered)).toBe(2);
  expect(await read(metrics, `${name}_sum`, answered)).toBeCloseTo(0.044, 9);
  expect(await read(metrics, `${name}_bucket`, { ...answered, le: '0.005' })).toBe(1);
  expect(await read(metrics, `${name}_bucket`, { ...answered, le: '0.05' })).toBe(2);
  const failed = { ...labels, http_response_status_code: '503', error_type: '503' };
  expect(await read(metrics, `${name}_count`, failed)).toBe(1);
});

test('gRPC calls have a separate metric, and only faults of the service have an error type', async () => {
  const metrics = open();
  for (const status of ['OK', 'NOT_FOUND', 'DEADLINE_EXCEEDED'] as const) {
    metrics.observe({ kind: 'request_began', protocol: 'grpc', method: 'POST' });
    metrics.observe({
      kind: 'request_completed',
      requestId: '1',
      method: 'POST',
      route: '/unacast.catalog.v3.CatalogQuery/ListRecords',
      status,
      durationMs: 2,
    });
  }
  const { samples } = readExposition(await writeMetrics([await metrics.snapshot()]));
  const counted = samples.filter(({ name }) => name === 'rpc_server_call_duration_seconds_count');
  expect(counted.map(({ labels, value }) => [labels, value])).toEqual(
    [
      ['OK', ''],
      ['NOT_FOUND', ''],
      ['DEADLINE_EXCEEDED', 'DEADLINE_EXCEEDED'],
    ].map(([code, error]) => [
      {
        rpc_system_name: 'grpc',
        rpc_method: 'unacast.catalog.v3.CatalogQuery/ListRecords',
        rpc_response_status_code: code,
        error_type: error,
      },
      1,
    ]),
  );
});

test('a request is active from its start to its end', async () => {
  const metrics = open();
  const active = () => read(metrics, 'http_server_active_requests', { http_request_method: 'GET' });
  metrics.observe({ kind: 'request_began', protocol: 'http', method: 'GET' });
  metrics.observe({ kind: 'request_began', protocol: 'http', method: 'GET' });
  expect(await active()).toBe(2);
  complete(metrics, { method: 'GET', status: 200, durationMs: 1 });
  expect(await active()).toBe(1);
});

test('an unknown method of a caller does not become a label', async () => {
  const metrics = open();
  observeHttp(metrics, { method: 'BREW', status: 404, durationMs: 1 });
  const text = await writeMetrics([await metrics.snapshot()]);
  expect(text).not.toContain('BREW');
  expect(text).toContain('http_request_method="_OTHER"');
});

test('every metric of the table has a sample after all observations', async () => {
  const metrics = open();
  for (const observation of EVERY_OBSERVATION) metrics.observe(observation);
  const withoutSample = async (): Promise<readonly string[]> => {
    const { samples } = readExposition(await writeMetrics([await metrics.snapshot(everySource())]));
    const sampled = new Set(samples.map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '')));
    return Object.keys(METRIC_TABLE).filter((name) => !sampled.has(name));
  };
  // The delay of the event loop is sampled every 10 ms.
  await expect.poll(withoutSample).toEqual([]);
});

test('sources are read at each snapshot, and their removed values disappear', async () => {
  const metrics = open();
  const scrape = async (publishedTime: string) => {
    const versions = [...(everySource().currentVersions?.() ?? [])];
    const currentVersions = () => versions.map((version) => ({ ...version, publishedTime }));
    const text = await writeMetrics([await metrics.snapshot({ currentVersions })]);
    return readExposition(text).samples.filter(({ name: metric }) =>
      metric.startsWith('locmetrics_dataset_'),
    );
  };
  const dataset = 'shop.stores';
  const published = 'locmetrics_dataset_published_timestamp_seconds';
  const due = 'locmetrics_dataset_due_timestamp_seconds';
  expect(await scrape('2024-01-01T00:00:00.000Z')).toEqual([
    { name: 'locmetrics_dataset_rows', labels: { dataset }, value: 4 },
    { name: published, labels: { dataset }, value: 1_704_067_200 },
    { name: due, labels: { dataset }, value: Date.parse('2024-04-03') / 1000 },
  ]);
  expect((await scrape('2024-01-02T00:00:00.000Z')).slice(1, 2)).toEqual([
    { name: published, labels: { dataset }, value: 1_704_153_600 },
  ]);
});

test('a gauge without a value is absent and not 0', async () => {
  const text = await writeMetrics([await open().snapshot()]);
  expect(text).not.toMatch(/^locmetrics_(?:ready|engine|certificate)/m);
  expect(text).not.toMatch(/^locmetrics_workers_running/m);
});

test('a snapshot is plain data: it is the same after a JSON round trip', async () => {
  const metrics = open();
  observeHttp(metrics, { status: 200, durationMs: 4 });
  const snapshot = await metrics.snapshot();
  expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
});

test('a snapshot does not change when counting continues', async () => {
  const metrics = open();
  observeHttp(metrics, { status: 200, durationMs: 4 });
  const snapshot = await metrics.snapshot();
  const before = JSON.stringify(snapshot);
  observeHttp(metrics, { status: 200, durationMs: 4 });
  expect(JSON.stringify(snapshot)).toBe(before);
});

test('CPU time never decreases, and is counted once', async () => {
  const metrics = open();
  const first = await read(metrics, 'process_cpu_seconds_total', {});
  const second = await read(metrics, 'process_cpu_seconds_total', {});
  const { user, system } = process.cpuUsage();
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThanOrEqual(first ?? 0);
  expect(second).toBeLessThanOrEqual((user + system) / 1e6);
});

test('the delay of a blocked event loop is about the time of the block', async () => {
  const metrics = open();
  await metrics.snapshot();
  const late = await until(async () => {
    const end = performance.now() + 300;
    while (performance.now() < end);
    await nextLoopTick();
    const seconds = await read(metrics, 'nodejs_eventloop_delay_max_seconds', {});
    return seconds !== undefined && seconds > 0.2 && seconds;
  });
  // Seconds, not milliseconds.
  expect(late).toBeLessThan(100);
});

test('workers are combined: the sum of counts, the maximum delay, the minimum readiness, one version', async () => {
  const [own, first, second] = [open(), open(), open()];
  observeHttp(first, { status: 200, durationMs: 4 });
  observeHttp(second, { status: 200, durationMs: 4 });
  const { totals } = openTotals();
  const text = await totals.collect({
    own: () => own.snapshot(),
    workers: new Map([
      [
        1,
        {
          worker: 1,
          ask: () =>
            first.snapshot({
              isReady: () => true,
              queues: { answers: () => ({ running: 2, waiting: 5 }) },
            }),
        },
      ],
      [
        2,
        {
          worker: 2,
          ask: () =>
            second.snapshot({
              isReady: () => false,
              queues: { answers: () => ({ running: 1, waiting: 0 }) },
            }),
        },
      ],
    ]),
  });
  expect(requestCount(text)).toBe(2);
  expect(sampleOf(text, 'locmetrics_ready', {})).toBe(0);
  expect(sampleOf(text, 'locmetrics_queue_running', { queue: 'answers' })).toBe(3);
  expect(sampleOf(text, 'locmetrics_queue_waiting', { queue: 'answers' })).toBe(5);
  const build = { version: '1.2.3', node_version: process.versions.node };
  expect(sampleOf(text, 'locmetrics_build_info', build)).toBe(1);
});

test('the counters of an ended worker stay, and its gauges disappear', async () => {
  const [own, worker, next] = [open(), open(), open()];
  observeHttp(worker, { status: 200, durationMs: 4 });
  worker.observe({ kind: 'request_began', protocol: 'http', method: 'GET' });
  const { totals } = openTotals();
  const collect = (id: number, metrics: Metrics) =>
    totals.collect({
      own: () => own.snapshot(),
      workers: new Map([[id, { worker: 1, ask: () => metrics.snapshot() }]]),
    });
  const before = await collect(1, worker);
  totals.end(1);
  observeHttp(next, { status: 200, durationMs: 4 });
  const after = await collect(2, next);
  expect([requestCount(before), requestCount(after)]).toEqual([1, 2]);
  const active = { http_request_method: 'GET' };
  expect(sampleOf(before, 'http_server_active_requests', active)).toBe(1);
  expect(sampleOf(after, 'http_server_active_requests', active)).toBeUndefined();
});

test('the last snapshot of a worker counts, and one that arrives after its end does not count twice', async () => {
  const [own, worker] = [open(), open()];
  observeHttp(worker, { status: 200, durationMs: 4 });
  const { totals } = openTotals();
  totals.keep(1, await worker.snapshot());
  totals.end(1);
  totals.keep(1, await worker.snapshot());
  totals.end(1);
  const text = await totals.collect({ own: () => own.snapshot(), workers: new Map() });
  expect(requestCount(text)).toBe(1);
});

test('a worker that ends during a collection is counted once', async () => {
  const [own, worker, slow] = [open(), open(), open()];
  observeHttp(worker, { status: 200, durationMs: 4 });
  const { totals, observed } = openTotals();
  const gate = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<Awaited<ReturnType<typeof worker.snapshot>>>();
  const collecting = totals.collect({
    own: () => own.snapshot(),
    workers: new Map([
      [
        1,
        {
          worker: 1,
          ask: () => {
            answering.resolve(worker.snapshot());
            return answering.promise;
          },
        },
      ],
      [2, { worker: 2, ask: () => gate.promise.then(() => slow.snapshot()) }],
    ]),
  });
  await answering.promise;
  await nextLoopTick();
  totals.end(1);
  gate.resolve();
  expect(requestCount(await collecting)).toBe(1);
  expect(observed).toEqual([]);
});

test('a worker that does not answer in time is reported, and its previous snapshot is used', async () => {
  const [own, worker] = [open(), open()];
  observeHttp(worker, { status: 200, durationMs: 4 });
  const { totals, observed } = openTotals(50, own.observe);
  const collect = (ask: () => ReturnType<Metrics['snapshot']>) =>
    totals.collect({ own: () => own.snapshot(), workers: new Map([[7, { worker: 1, ask }]]) });
  await collect(() => worker.snapshot());
  const never = await collect(() => new Promise(() => {}));
  const failing = await collect(() => Promise.reject(new Error('The channel is closed.')));
  expect([requestCount(never), requestCount(failing)]).toEqual([1, 1]);
  expect(observed).toEqual([
    { kind: 'worker_unanswered', worker: 1 },
    { kind: 'worker_unanswered', worker: 1 },
  ]);
  expect(sampleOf(failing, 'locmetrics_workers_unanswered_total', {})).toBe(2);
});

test('starts and ends of workers are counted, ends by their cause', async () => {
  const metrics = open();
  metrics.observe({ kind: 'worker_started', worker: 1, pid: 41 });
  metrics.observe({ kind: 'worker_started', worker: 2, pid: 42 });
  metrics.observe({ kind: 'worker_exited', worker: 1, pid: 41, cause: 'SIGKILL' });
  expect(await read(metrics, 'locmetrics_workers_started_total', {})).toBe(2);
  expect(await read(metrics, 'locmetrics_workers_exited_total', { cause: 'SIGKILL' })).toBe(1);
});

function open(): Metrics {
  const metrics = openMetrics({ version: '1.2.3' });
  opened.push(metrics);
  return metrics;
}

function openTotals(timeoutMs = 5000, also: (observation: Observation) => void = () => {}) {
  const observed: Observation[] = [];
  const observe = (observation: Observation): void => {
    observed.push(observation);
    also(observation);
  };
  return { totals: openMetricTotals({ observe, timeoutMs }), observed };
}

type HttpRequest = {
  readonly method?: string;
  readonly status: number;
  readonly durationMs: number;
};

function observeHttp(metrics: Metrics, request: HttpRequest): void {
  const { method = 'POST' } = request;
  metrics.observe({ kind: 'request_began', protocol: 'http', method });
  complete(metrics, request);
}

function complete(metrics: Metrics, { method = 'POST', status, durationMs }: HttpRequest): void {
  const route = '/v3/catalog/listRecords';
  metrics.observe({ kind: 'request_completed', requestId: '1', method, route, status, durationMs });
}

async function read(metrics: Metrics, name: string, labels: Readonly<Record<string, string>>) {
  return sampleOf(await writeMetrics([await metrics.snapshot()]), name, labels);
}

function requestCount(text: string): number | undefined {
  return sampleOf(text, 'http_server_request_duration_seconds_count', {
    http_request_method: 'POST',
    http_route: '/v3/catalog/listRecords',
    http_response_status_code: '200',
    error_type: '',
  });
}
