import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { openTestServer, type TestServer, useTestServer } from '../test-server.ts';
import { sendRaw } from './raw-request.ts';

const { data, send: sendToDefault } = useTestServer((to) => to.publishFiles(SHOPS));

const MAPS = 'https://maps.example';
const VALUES = '/v1/catalogs/shop/metrics/customers/values';
const PREFLIGHT = {
  method: 'OPTIONS',
  headers: {
    authorization: '',
    origin: MAPS,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization,if-none-match',
  },
};

let listed: TestServer;
let open: TestServer;
beforeAll(async () => {
  listed = await openTestServer(data(), { corsOrigins: ['https://other.example', MAPS] });
  open = await openTestServer(data(), { corsOrigins: ['*'] });
});
afterAll(() => Promise.all([listed.close(), open.close()]));

function corsHeaders(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

describe('a listed origin', () => {
  test('may send a preflight request without a token', async () => {
    const { status, headers, text } = await listed.send(VALUES, PREFLIGHT);
    expect([status, text]).toEqual([204, '']);
    expect(corsHeaders(headers)).toEqual({
      'access-control-allow-origin': MAPS,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-None-Match, X-Request-Id, traceparent, tracestate',
      'access-control-expose-headers':
        'X-Request-Id, ETag, Retry-After, WWW-Authenticate, RateLimit, RateLimit-Policy, Content-Disposition, Next-Page-Token, Total-Size, Data-Version, Link, Locmetrics-Rows, Locmetrics-Rows-Policy',
      'access-control-max-age': '600',
    });
    expect(headers.get('vary')).toBe('Origin');
  });

  test.each([
    ['an answer', `${VALUES}?billingContext=acme`, {}, 200],
    ['a refused token', VALUES, { authorization: 'Bearer lm_wrong' }, 401],
    ['an unknown address', '/v1/x', {}, 404],
    ['a wrong method', '/v3/catalog/listRecords', {}, 405],
    ['a wrong request', VALUES, {}, 400],
  ])('may read %s', async (_, path, headers, expected) => {
    const answer = await listed.send(path, { headers: { origin: MAPS, ...headers } });
    expect(answer.status).toBe(expected);
    expect(answer.headers.get('access-control-allow-origin')).toBe(MAPS);
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  test('may read a 304 and the refusal of an overloaded service', async () => {
    const path = `${VALUES}?billingContext=acme`;
    const headers = { origin: MAPS, 'if-none-match': '*' };
    const held = await listed.send(path, { headers });
    expect([held.status, held.headers.get('access-control-allow-origin')]).toEqual([304, MAPS]);
    expect(held.headers.get('vary')).toBe('Origin, Accept, Authorization, Accept-Encoding');
    const limits = { connectionsMax: 0, waitingMax: 0, corsOrigins: [MAPS] };
    const full = await openTestServer(data(), limits);
    const refused = await full.send(path, { headers: { origin: MAPS } });
    await full.close();
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      503,
      MAPS,
    ]);
  });
});

test.each([
  'https://maps.example.evil.example',
  'http://maps.example',
  'https://maps.example:8443',
  'https://MAPS.example',
  'null',
  '',
])('the unlisted origin %s gets no CORS headers', async (origin) => {
  const headers = { ...PREFLIGHT.headers, origin };
  const asked = await listed.send(VALUES, { ...PREFLIGHT, headers });
  expect(corsHeaders(asked.headers)).toEqual({});
  expect([asked.status, asked.body.reason]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  const answer = await listed.send(`${VALUES}?billingContext=acme`, { headers: { origin } });
  expect([answer.status, corsHeaders(answer.headers)]).toEqual([200, {}]);
  expect(answer.headers.get('vary')).toContain('Origin');
});

test('a request without an Origin header gets no CORS headers', async () => {
  const { headers } = await listed.send('/livez');
  expect(corsHeaders(headers)).toEqual({});
});

test('if all origins are allowed, every answer has the same CORS headers', async () => {
  const asked = await open.send(VALUES, PREFLIGHT);
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  const answer = await open.send('/livez');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('vary')).toBe('Accept-Encoding');
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
});

test('without a list of origins, no answer has CORS headers', async () => {
  const asked = await sendToDefault(VALUES, PREFLIGHT);
  expect([asked.status, corsHeaders(asked.headers)]).toEqual([403, {}]);
  expect(JSON.parse(asked.text)).toMatchObject({
    detail: `Pages of the origin '${MAPS}' may not read answers.`,
    hint: 'The operator of the service allows origins with --cors-origins.',
  });
  const answer = await sendToDefault('/livez', { headers: { origin: MAPS } });
  expect(corsHeaders(answer.headers)).toEqual({});
});

describe('OPTIONS that is not a preflight', () => {
  test.each([
    ['/v3/catalog/listRecords', 'POST, OPTIONS'],
    [VALUES, 'GET, HEAD, OPTIONS'],
    ['/v1/admin/organisations/acme/limits', 'GET, HEAD, PUT, OPTIONS'],
    ['/livez', 'GET, HEAD, OPTIONS'],
    ['/v1/catalogs/shop/metrics/customers', 'GET, HEAD, OPTIONS'],
    // It is not a metric with this name.
    ['/v1/catalogs/shop/metrics/customers:download', 'POST, OPTIONS'],
    ['*', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
  ])('of %s is answered with the methods, without a token', async (path, allow) => {
    for (const more of ['', `Origin: ${MAPS}\r\n`, 'Access-Control-Request-Method: GET\r\n']) {
      const head = `OPTIONS ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
      for (const server of [listed, open]) {
        const answer = await sendRaw(server.url, `${head}${more}\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 204 /);
        expect(/^allow: (.*)\r$/im.exec(answer)?.[1]).toBe(allow);
      }
    }
  });

  test('of an unknown path is not found', async () => {
    const known = await listed.send('/v1/x', { method: 'OPTIONS' });
    expect([known.status, known.headers.get('allow')]).toEqual([404, null]);
    const { status } = await listed.send('/v1/x', {
      method: 'OPTIONS',
      headers: { authorization: '' },
    });
    expect(status).toBe(401);
  });
});

test.each(['GET', 'HEAD', 'DELETE'])(
  '%s of the method of a resource is refused with its method, and not looked up as a name',
  async (method) => {
    const path = '/v1/catalogs/shop/metrics/customers:download';
    const { status, headers } = await listed.send(path, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    const named = await listed.send('/v1/catalogs/shop/metrics/customers:other');
    expect([named.status, named.body.reason]).toEqual([404, 'METRIC_NOT_FOUND']);
  },
);

test('an unsupported method is refused as before', async () => {
  const { status, headers, body } = await listed.send('/v3/catalog/listRecords', {
    method: 'PUT',
  });
  expect([status, headers.get('allow'), body.reason]).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED']);
});
