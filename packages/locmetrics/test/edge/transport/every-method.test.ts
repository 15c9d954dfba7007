// @module-tag slow

import { Agent, METHODS, request } from 'node:http';
import { SCOPES } from '@locmetrics/core/domain/scope';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

const { data, send, url } = useTestServer((to) => to.publishFiles(SHOPS));

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
let token: string;
/** The addresses of the OpenAPI document, and those that it leaves out. */
let paths: readonly string[];

beforeAll(async () => {
  token = data().store.createToken({
    organisationId: 'acme',
    name: 'all',
    scopes: SCOPES,
  }).tokenText;
  const described = JSON.parse((await send('/openapi.json')).text).paths;
  paths = [...Object.keys(described), '/livez', '/readyz', '/openapi.json'];
});

afterAll(() => agent.destroy());

type Sent = { readonly status: number; readonly reason?: string; readonly allow?: string };

/** `fetch` sends only some methods. */
function ask(
  method: string,
  path: string,
  {
    body,
    headers = {},
  }: { readonly body?: string; readonly headers?: Record<string, string> } = {},
): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const sent = request(
    `${url()}${path}`,
    {
      method,
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        // Node omits it for some methods, and the server would then read the body as the next request.
        ...(body === undefined ? {} : { 'content-length': String(body.length) }),
        ...headers,
      },
    },
    (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => {
        const { allow } = answer.headers;
        const isProblem = answer.headers['content-type']?.startsWith('application/problem+json');
        resolve({
          status: answer.statusCode ?? 0,
          ...(isProblem && text !== '' ? { reason: JSON.parse(text).reason } : {}),
          ...(allow === undefined ? {} : { allow }),
        });
      });
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** Node handles this method itself: it closes the connection. */
const SENT_METHODS = METHODS.filter((method) => method !== 'CONNECT');

const BODIES = [
  {},
  { body: '{}', headers: { 'content-type': 'application/json' } },
  { body: '{}', headers: { 'content-type': 'nonsense' } },
  { body: '{}' },
];

test.each(SENT_METHODS)(
  '%s is answered without an internal error on every address',
  async (method) => {
    const answers = await Promise.all(
      [...paths, '/nothing', '/v1/admin/nothing'].flatMap((path) =>
        BODIES.map(async (sent) => ({ path, sent, ...(await ask(method, path, sent)) })),
      ),
    );
    expect(answers.filter(({ status }) => status >= 500 || status === 0)).toEqual([]);
    const refused = answers.filter(({ status }) => status === 405);
    expect(refused.filter(({ allow }) => allow === undefined)).toEqual([]);
  },
);

test.each([{}, ...BODIES])('QUERY is refused like other unknown methods, with %j', async (sent) => {
  const path = '/v3/catalog/listRecords';
  expect(await ask('QUERY', path, sent)).toEqual(await ask('SEARCH', path, sent));
  expect(await ask('QUERY', path, sent)).toEqual({
    status: 405,
    reason: 'METHOD_NOT_ALLOWED',
    allow: 'POST',
  });
});

const METRIC = '/v1/catalogs/shop/metrics';

test.each([1000, 1001, 12_000])(
  'an id of %i characters in an address is unknown',
  async (length) => {
    const long = 'a'.repeat(length);
    const encoded = '%C3%A9'.repeat(length / 6);
    const query = '?billingContext=acme';
    expect([
      await ask('GET', `/v1/catalogs/${long}/metrics/x/values${query}`),
      await ask('GET', `${METRIC}/${long}/values${query}`),
      await ask('GET', `${METRIC}/${encoded}/values${query}`),
      await ask('DELETE', `/v1/admin/grants/${long}`),
      await ask('GET', `/v1/admin/organisations/${long}/limits`),
    ]).toEqual([
      { status: 404, reason: 'CATALOG_NOT_FOUND' },
      { status: 404, reason: 'METRIC_NOT_FOUND' },
      { status: 404, reason: 'METRIC_NOT_FOUND' },
      { status: 404, reason: 'GRANT_NOT_FOUND' },
      { status: 404, reason: 'ORGANISATION_NOT_FOUND' },
    ]);
  },
);

test('long parameters and invalid percent-encoding cause no internal error', async () => {
  const given = [
    'a'.repeat(1001),
    'a'.repeat(14_000),
    '%41'.repeat(1001),
    '%',
    '%zz',
    '%ff',
    '%00',
  ];
  const asked = paths
    .filter((path) => path.includes('{'))
    .flatMap((path) => given.map((one) => path.replaceAll(/\{\w+\}/g, one)))
    .filter((path) => path.length < 15_000);
  const answers = await Promise.all(
    asked.flatMap((path) =>
      ['GET', 'POST', 'PUT', 'DELETE'].flatMap((method) =>
        ['', `Bearer ${token}`].map(async (authorization) => ({
          path: path.slice(0, 100),
          method,
          ...(await ask(method, path, { headers: { authorization } })),
        })),
      ),
    ),
  );
  expect(answers.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);
  expect(answers.filter(({ reason }) => reason === undefined)).toEqual([]);
});

test('a long parameter changes nothing for a caller without a token', async () => {
  const path = `${METRIC}/${'a'.repeat(1001)}/values?billingContext=acme`;
  expect(await ask('GET', path, { headers: { authorization: '' } })).toEqual({
    status: 401,
    reason: 'TOKEN_MISSING',
  });
});
