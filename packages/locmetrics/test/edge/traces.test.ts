import { createServer } from 'node:net';
import { catalogV3 } from '@locmetrics/contract/grpc';
import type { Observation } from '@locmetrics/server/observe/observation';
import { openTracing, type Tracing } from '@locmetrics/server/observe/open-tracing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type OtlpReceiver,
  openOtlpReceiver,
  type ReceivedSpan,
} from '../observe/otlp-receiver.ts';
import { listenLocally } from '../support/listen-locally.ts';
import { until } from '../support/until.ts';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

let tracing: Tracing;
let receiver: OtlpReceiver;
let observed: Observation[];
/** The traces that have begun and not ended. */
let active = 0;

const { ask, log, post, refusal, send } = useTestServer((to) => to.publishFiles(SHOPS), {
  startTrace: (request) => {
    const trace = tracing.start(request);
    active += 1;
    return {
      ...trace,
      end: (...given) => {
        trace.end(...given);
        active -= 1;
      },
    };
  },
});

const dataReferenceName = 'shop.stores';
const { listRecords } = catalogV3.CatalogQuery.method;
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

beforeEach(async () => {
  observed = [];
  receiver = await openOtlpReceiver();
  tracing = open();
});

afterEach(async () => {
  await tracing.close();
  await receiver.close();
});

test('a request over HTTP has a span for the edge, with spans for auth, plan, engine and encoding', async () => {
  await post('listRecords', { dataReferenceName }, { 'x-request-id': 'traced' });
  const [server, ...parts] = await exported();
  expect(server).toMatchObject({
    name: 'POST /v3/catalog/listRecords',
    kind: 2,
    parentSpanId: '',
    statusCode: 0,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v3/catalog/listRecords',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'locmetrics.request_id': 'traced',
    },
    resource: { 'service.name': 'locmetrics', 'service.version': '1.2.3' },
  });
  expect(parts.map(({ name }) => name)).toEqual(['auth', 'plan', 'engine', 'encoding']);
  for (const part of parts) {
    expect(part).toMatchObject({ traceId: server?.traceId, parentSpanId: server?.spanId, kind: 1 });
    expect(part.durationNs).toBeLessThanOrEqual(server?.durationNs ?? 0n);
  }
  expect(parts[2]?.attributes).toEqual({
    'db.operation.name': 'records',
    'db.collection.name': 'shop.stores',
    'db.response.returned_rows': 3,
  });
  expect(log().find(({ requestId }) => requestId === 'traced')).toMatchObject({
    traceId: server?.traceId,
  });
});

test('a call over gRPC has the same spans, with the RPC names', async () => {
  await ask(listRecords, { dataReferenceName });
  const [server, ...parts] = await exported();
  expect(server).toMatchObject({
    name: 'unacast.catalog.v3.CatalogQuery/ListRecords',
    kind: 2,
    attributes: {
      'rpc.system.name': 'grpc',
      'rpc.method': 'unacast.catalog.v3.CatalogQuery/ListRecords',
      'rpc.response.status_code': 'OK',
    },
  });
  expect(parts.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(
    ['auth', 'plan', 'engine', 'encoding'].map((name) => [name, server?.spanId]),
  );
});

test.each(['http', 'grpc'] as const)('the trace of the caller continues over %s', async (edge) => {
  const headers = { traceparent: PARENT, tracestate: 'vendor=value' };
  if (edge === 'http') await post('listRecords', { dataReferenceName }, headers);
  else await ask(listRecords, { dataReferenceName }, { metadata: headers });
  const [server] = await exported();
  expect(server).toMatchObject({ traceId: TRACE_ID, parentSpanId: 'b7ad6b7169203331' });
});

test.each([
  'nonsense',
  `${PARENT}-more`.replace('00-', 'ff-'),
  PARENT.replaceAll(/[1-9a-f]/g, '0'),
])('an invalid traceparent starts a new trace: %s', async (traceparent) => {
  await post('listRecords', { dataReferenceName }, { traceparent });
  const [server] = await exported();
  expect(server?.parentSpanId).toBe('');
  expect(server?.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
});

test('a caller can keep its request out of the traces; its log line then has no trace id', async () => {
  await post(
    'listRecords',
    { dataReferenceName },
    { traceparent: PARENT.replace(/01$/, '00'), 'x-request-id': 'unsampled' },
  );
  expect(await exported()).toEqual([]);
  const line = log().find(({ requestId }) => requestId === 'unsampled');
  expect(line).toMatchObject({ status: 200 });
  expect(line).not.toHaveProperty('traceId');
});

test('a caller cannot export more traces than the ratio allows', async () => {
  await tracing.close();
  tracing = open({ sampleRatio: 0 });
  await post('listRecords', { dataReferenceName }, { traceparent: PARENT });
  expect(await exported()).toEqual([]);
});

test('simultaneous requests do not mix their spans', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `parallel-${index}`);
  await Promise.all(
    ids.map((id) => post('listRecords', { dataReferenceName }, { 'x-request-id': id })),
  );
  const spans = await exported();
  const servers = spans.filter(({ kind }) => kind === 2);
  expect(servers.map(({ attributes }) => attributes['locmetrics.request_id']).toSorted()).toEqual(
    ids.toSorted(),
  );
  for (const { spanId, traceId } of servers) {
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === spanId);
    expect(parts.map(({ name }) => name)).toEqual(['auth', 'plan', 'engine', 'encoding']);
    expect(new Set(parts.map((part) => part.traceId))).toEqual(new Set([traceId]));
  }
});

test('a refused request marks the span of the refusal, but not the edge, because it is not a fault', async () => {
  await post('listRecords', { dataReferenceName, fields: ['nothing'] });
  const [server, auth, plan, ...more] = await exported();
  expect(server).toMatchObject({ statusCode: 0, attributes: { 'http.response.status_code': 400 } });
  expect(auth).toMatchObject({ name: 'auth', statusCode: 0 });
  expect(plan).toMatchObject({
    name: 'plan',
    statusCode: 2,
    attributes: { 'error.type': 'UNKNOWN_FIELD' },
  });
  expect(more).toEqual([]);
});

test('a token that is refused marks the span of auth, over both edges', async () => {
  await post('listRecords', {}, { authorization: 'Bearer lm_wrong' });
  await refusal(listRecords, {}, { metadata: { authorization: 'Bearer lm_wrong' } });
  const spans = await exported();
  expect(
    spans.map(({ name, statusCode, attributes }) => [name, statusCode, attributes['error.type']]),
  ).toEqual([
    ['POST /v3/catalog/listRecords', 0, undefined],
    ['auth', 2, 'TOKEN_INVALID'],
    ['unacast.catalog.v3.CatalogQuery/ListRecords', 0, undefined],
    ['auth', 2, 'TOKEN_INVALID'],
  ]);
});

test('a request for the health is in no trace', async () => {
  await send('/livez');
  await send('/readyz');
  expect(await exported()).toEqual([]);
});

test('no span contains a token, a value of a filter or row, or a requested address', async () => {
  const secret = 'Quetzalcoatl';
  await post('listRecords', {
    dataReferenceName,
    filters: [{ fieldName: 'city', operator: '==', value: secret }],
  });
  await post('listRecords', { dataReferenceName, fields: [secret] });
  await post('listRecords', { dataReferenceName: secret });
  await send(`/v1/catalogs/${secret}/metrics/${secret}/values?billingContext=${secret}`);
  await send(`/v3/${secret}?${secret}=${secret}`);
  await refusal(listRecords, { dataReferenceName: secret });
  await post('listRecords', { dataReferenceName });
  await exported();
  expect(receiver.spans().length).toBeGreaterThan(20);
  expect(receiver.text()).not.toContain(secret);
  expect(receiver.text()).not.toContain('Zürich');
  expect(receiver.text()).not.toMatch(/lm_[0-9A-Za-z]{10}/);
});

test('a failing collector is reported once, and affects no request', async () => {
  await tracing.close();
  const broken = await openOtlpReceiver(400);
  tracing = open({ endpoint: broken.endpoint, exportEveryMs: 20 });
  try {
    for (const _ of [1, 2, 3]) {
      const before = broken.headers().length;
      expect((await post('listRecords', { dataReferenceName })).status).toBe(200);
      await expect.poll(() => broken.headers().length).toBeGreaterThan(before);
    }
    await expect.poll(() => observed.length).toBe(1);
    await tracing.close();
    expect(observed).toEqual([{ kind: 'trace_export_failed', error: expect.any(Error) }]);
  } finally {
    await broken.close();
  }
});

test('a collector that does not answer delays the end of the service until its timeout', async () => {
  await tracing.close();
  const silent = await listenLocally(createServer());
  tracing = open({ endpoint: `http://${silent.address}`, exportTimeoutMs: 50 });
  await post('listRecords', { dataReferenceName });
  await until(() => active === 0);
  await tracing.close();
  await expect
    .poll(() => observed)
    .toMatchObject([{ kind: 'trace_export_failed', error: { message: 'Request timed out' } }]);
});

test('spans are sent to the traces path of the endpoint, as protobuf', async () => {
  await post('listRecords', { dataReferenceName });
  await exported();
  expect(receiver.headers()[0]).toMatchObject({
    url: '/v1/traces',
    'content-type': 'application/x-protobuf',
  });
});

function open(options: Partial<Parameters<typeof openTracing>[0]> = {}): Tracing {
  return openTracing({
    endpoint: receiver.endpoint,
    sampleRatio: 1,
    version: '1.2.3',
    observe: (observation) => observed.push(observation),
    ...options,
  });
}

/** All exported spans: each request before its parts, and the parts in the order of their start. */
async function exported(): Promise<readonly ReceivedSpan[]> {
  // The end of a request is observed just after its answer arrives.
  await until(() => active === 0);
  await tracing.close();
  const spans = receiver.spans();
  return spans
    .filter(({ kind }) => kind === 2)
    .flatMap((server) => [
      server,
      ...spans.filter(({ parentSpanId }) => parentSpanId === server.spanId),
    ]);
}
