import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { authenticate } from '@locmetrics/server/auth/authenticate';
import {
  type MetricsServer,
  openMetricsServer,
} from '@locmetrics/server/edge/http/server/open-metrics-server';
import type { Observation } from '@locmetrics/server/observe/observation';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { sendRaw } from './transport/raw-request.ts';

let server: MetricsServer;
let observed: Observation[];
let collect: () => Promise<string>;
let checkReady: () => Promise<void>;

beforeEach(async () => {
  observed = [];
  collect = async () => 'up 1\n';
  checkReady = async () => {};
  server = await open();
});

afterEach(() => server.close());

test('a scrape is in the text format of Prometheus, and is not cached', async () => {
  const answer = await fetch(`${server.url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.text()).toBe('up 1\n');
  expect(observed).toEqual([]);
});

test.each([
  'Host: a\r\nHost: b',
  'Host: a b',
  'X: no host',
  'Host: a\r\nAuthorization: x\r\nAuthorization: y',
])('a scrape with the headers %j is refused with a problem', async (head) => {
  const answer = await sendRaw(
    server.url,
    `GET /metrics HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*"reason":"MALFORMED_HTTP"/s);
});

test('simultaneous scrapes share one collection', async () => {
  let collected = 0;
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const onRequest = () => {
    asked += 1;
    // The last one is handled in the event-loop tick in which it begins.
    if (asked === 3) setImmediate(gate.resolve);
  };
  subscribe('http.server.request.start', onRequest);
  onTestFinished(() => {
    unsubscribe('http.server.request.start', onRequest);
  });
  collect = async () => {
    collected += 1;
    await gate.promise;
    return `collected ${collected}\n`;
  };
  const scrape = async () => (await fetch(`${server.url}/metrics`)).text();
  const texts = await Promise.all([scrape(), scrape(), scrape()]);
  expect(new Set(texts)).toEqual(new Set(['collected 1\n']));
  expect(await scrape()).toBe('collected 2\n');
});

test('HEAD has the headers of GET and no body', async () => {
  const answer = await fetch(`${server.url}/metrics`, { method: 'HEAD' });
  expect(answer.headers.get('content-length')).toBe('5');
  expect(await answer.text()).toBe('');
});

test('a scrape that fails is an internal error, observed with its cause', async () => {
  const error = new Error('The channel is closed.');
  collect = () => Promise.reject(error);
  const answer = await fetch(`${server.url}/metrics`, { headers: { 'x-request-id': 'scrape-1' } });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ reason: 'INTERNAL', requestId: 'scrape-1' });
  expect(observed).toEqual([{ kind: 'request_failed', requestId: 'scrape-1', error }]);
});

test('/livez answers, and /readyz lists the parts that are not ready', async () => {
  expect(await (await fetch(`${server.url}/livez`)).json()).toEqual({ status: 'live' });
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' });
  checkReady = () => Promise.reject(new ServiceError('NOT_READY', 'Not answering: the catalog.'));
  const answer = await fetch(`${server.url}/readyz`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
  ]);
  expect(await answer.json()).toMatchObject({
    reason: 'NOT_READY',
    detail: 'Not answering: the catalog.',
    instance: '/readyz',
  });
});

test.each(['/', '/metrics/', '/metrics2', '/v3/catalog/listRecords', '/toString'])(
  'the address %s is unknown',
  async (path) => {
    const answer = await fetch(`${server.url}${path}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ reason: 'ROUTE_NOT_FOUND', instance: path });
  },
);

test.each(['POST', 'PUT', 'DELETE'])('%s is refused', async (method) => {
  const answer = await fetch(`${server.url}/metrics`, { method });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await answer.json()).toMatchObject({ reason: 'METHOD_NOT_ALLOWED' });
});

test('if a token is required, a scrape without one is refused and the health is not', async () => {
  const findCaller = () => ({ isAccepted: false, refusal: 'unknown', tokenId: undefined }) as const;
  const guarded = await open((authorization) => void authenticate(authorization, { findCaller }));
  try {
    const answer = await fetch(`${guarded.url}/metrics`);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="locmetrics"',
    ]);
    expect(await answer.json()).toMatchObject({ reason: 'TOKEN_MISSING' });
    expect((await fetch(`${guarded.url}/livez`)).status).toBe(200);
  } finally {
    await guarded.close();
  }
});

test('bytes that are not HTTP are refused with a message', async () => {
  const answer = await sendRaw(server.url, '\x16\x03\x01\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('MALFORMED_HTTP');
});

test('the server closes although a client keeps its connection open', async () => {
  const other = await open();
  await (await fetch(`${other.url}/livez`)).text();
  await other.close();
  await expect(fetch(`${other.url}/livez`)).rejects.toThrow('fetch failed');
});

function open(authorize?: (authorization: string | undefined) => void): Promise<MetricsServer> {
  return openMetricsServer({
    host: '127.0.0.1',
    port: 0,
    collect: () => collect(),
    checkReady: () => checkReady(),
    observe: (observation) => observed.push(observation),
    ...(authorize === undefined ? {} : { authorize }),
  });
}
