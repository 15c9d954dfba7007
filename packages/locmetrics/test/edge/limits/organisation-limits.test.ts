import { credentials, type ServiceError as GrpcError, Metadata } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { beforeEach, describe, expect, test } from 'vitest';
import { limitsIn, openGrpcClient } from '../grpc/grpc-client.ts';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

/** A new organisation for each test, so that tests do not share limits. */
let limits: OrganisationLimits = {};
let organisationId = '';
let authorization = '';
let created = 0;

const server = useTestServer((to) => to.publishFiles(SHOPS), {
  corsOrigins: ['*'],
  limitsOf: (id) => (id === organisationId ? limits : {}),
});

beforeEach(() => {
  created += 1;
  organisationId = `limited-${created}`;
  const { store } = server.data();
  store.createOrganisation({ id: organisationId, name: 'Limited' });
  store.addGrant(organisationId, wholeGrant('', '*'));
  const { tokenText } = store.createToken({ organisationId, name: 'test' });
  authorization = `Bearer ${tokenText}`;
});

const { listRecords } = catalogV3.CatalogQuery.method;
const VALUES = '/v1/catalogs/shop/metrics/customers/values';

const post = (request: object = {}, operation = 'listRecords') =>
  server.post(operation, { dataReferenceName: 'shop.stores', ...request }, { authorization });
const ask = (request: object = {}) =>
  server.ask(
    listRecords,
    { dataReferenceName: 'shop.stores', ...request },
    { metadata: { authorization } },
  );
const getValues = (headers: Readonly<Record<string, string>> = {}, query = '') =>
  server.send(`${VALUES}?billingContext=${organisationId}${query}`, {
    headers: { authorization, ...headers },
  });
const limitHeaders = ({ headers }: { readonly headers: Headers }) =>
  limitsIn(Object.fromEntries(headers));

/** The seconds until midnight and until the end of the month (UTC) differ in each run. */
const withoutTimes = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      String(value)
        .replaceAll(/t=[0-9]{2,}/g, 't=…')
        .replaceAll(/w=2[0-9]{6}/g, 'w=…'),
    ]),
  );

test('answers to an organisation without limits have no limit headers', async () => {
  limits = {};
  expect(limitHeaders(await post())).toEqual({});
  expect(limitsIn((await ask()).metadata)).toEqual({});
});

describe('the remaining limit', () => {
  beforeEach(() => {
    limits = {
      requestsPerSecond: 0.01,
      burst: 50,
      concurrentQueries: 4,
      rowsPerDay: 100,
      rowsPerMonth: 1000,
    };
  });

  const POLICIES = {
    'ratelimit-policy': '"requests";q=50;w=5000, "concurrent";q=4;qu="concurrent-requests"',
    'locmetrics-rows-policy': '"day";q=100;w=86400, "month";q=1000;w=…',
  };
  const left = (requests: number, rows: number) => ({
    ...POLICIES,
    ratelimit: `"requests";r=${requests};t=…, "concurrent";r=3`,
    'locmetrics-rows': `"day";r=${100 - rows};t=…, "month";r=${1000 - rows};t=…`,
  });

  test('is in every answer over HTTP, including errors and 304', async () => {
    const first = await post();
    expect(first.body.records).toHaveLength(3);
    expect(withoutTimes(limitHeaders(first))).toEqual(left(49, 3));
    expect(withoutTimes(limitHeaders(await post({ fields: ['citty'] })))).toEqual(left(48, 3));
    expect(withoutTimes(limitHeaders(await post({}, 'listRecord')))).toEqual(left(47, 3));
    const values = await getValues();
    expect(values.status).toBe(200);
    expect(withoutTimes(limitHeaders(values))).toEqual(left(46, 6));
    const held = await getValues({ 'if-none-match': values.headers.get('etag') ?? '' });
    expect(held.status).toBe(304);
    expect(withoutTimes(limitHeaders(held))).toEqual(left(45, 6));
    const malformed = await server.post('listRecords', '{', { authorization });
    expect(malformed.status).toBe(400);
    expect(withoutTimes(limitHeaders(malformed))).toEqual(left(44, 6));
    const head = await server.send(`${VALUES}?billingContext=${organisationId}`, {
      method: 'HEAD',
      headers: { authorization },
    });
    expect(withoutTimes(limitHeaders(head))['ratelimit']).toContain('"requests";r=43;');
  });

  test('is in the metadata over gRPC, and in the trailers of an error', async () => {
    const answered = await ask();
    expect(answered.message.records).toHaveLength(3);
    expect(withoutTimes(limitsIn(answered.metadata))).toEqual(left(49, 3));
    const error = await trailersOf({ fields: [{ name: 'citty' }] });
    expect(withoutTimes(error)).toEqual(left(48, 3));
  });

  test('can be read by the scripts of other origins', async () => {
    const { headers } = await server.send('/v3/catalog/listRecords', {
      method: 'POST',
      headers: {
        authorization,
        origin: 'https://maps.example',
        'content-type': 'application/json',
      },
      body: '{"dataReferenceName": "shop.stores"}',
    });
    expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
      expect.arrayContaining([
        'RateLimit',
        'RateLimit-Policy',
        'Locmetrics-Rows',
        'Locmetrics-Rows-Policy',
      ]),
    );
  });

  test('is not in the answer to a request without a token, which costs nothing', async () => {
    const refused = await server.post('listRecords', {}, { authorization: 'Bearer lm_wrong' });
    expect([refused.status, limitHeaders(refused)]).toEqual([401, {}]);
    expect(withoutTimes(limitHeaders(await post()))).toEqual(left(49, 3));
  });
});

describe('requests a second', () => {
  /** Seconds until the next request, of which some may have passed on a busy machine. */
  const UP_TO_100 = /^(100|[1-9][0-9]?)$/;

  test('above the limit HTTP answers 429 and says when to retry', async () => {
    limits = { requestsPerSecond: 0.01 };
    expect((await post()).status).toBe(200);
    const refused = await post();
    expect(refused.body).toMatchObject({
      status: 429,
      code: 'RESOURCE_EXHAUSTED',
      reason: 'LIMIT_EXCEEDED',
      limit: 'requestsPerSecond',
      detail: expect.stringMatching(
        /^Your organisation may send 0\.01 requests a second, in bursts of 1\./,
      ),
    });
    expect(refused.headers.get('retry-after')).toMatch(UP_TO_100);
    expect(limitHeaders(refused)).toEqual({
      'ratelimit-policy': '"requests";q=1;w=100',
      ratelimit: expect.stringMatching(/^"requests";r=0;t=(100|[1-9][0-9]?)$/),
    });
  });

  test('above the limit gRPC answers RESOURCE_EXHAUSTED and says the same', async () => {
    limits = { requestsPerSecond: 0.01 };
    await ask();
    const request = { dataReferenceName: 'shop.stores' };
    expect(
      await server.refusal(listRecords, request, { metadata: { authorization } }),
    ).toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
      reason: 'LIMIT_EXCEEDED',
      quotas: [
        expect.stringMatching(/^requestsPerSecond: Your organisation may send 0\.01 requests/),
      ],
      retryDelaySeconds: expect.toSatisfy((seconds) => UP_TO_100.test(String(seconds))),
    });
    expect(await trailersOf()).toEqual({
      'ratelimit-policy': '"requests";q=1;w=100',
      ratelimit: expect.stringMatching(/^"requests";r=0;t=(100|[1-9][0-9]?)$/),
    });
  });

  test('are counted over both interfaces together', async () => {
    limits = { requestsPerSecond: 0.01, burst: 2 };
    await ask();
    expect((await post()).status).toBe(200);
    expect((await getValues()).status).toBe(429);
  });
});

describe('rows', () => {
  beforeEach(() => {
    limits = { rowsPerDay: 5 };
  });
  const rowsLeft = (answer: { readonly headers: Headers }) =>
    /r=([0-9]+)/.exec(answer.headers.get('locmetrics-rows') ?? '')?.[1];

  test('an answer with more rows than are left is refused, a smaller page is not', async () => {
    expect(rowsLeft(await post())).toBe('2');
    const refused = await post();
    expect([refused.status, refused.body]).toEqual([
      429,
      expect.objectContaining({
        reason: 'LIMIT_EXCEEDED',
        limit: 'rowsPerDay',
        detail: expect.stringMatching(
          /^The answer has 3 rows, and 2 of the 5 rows a day of your organisation are left. The count restarts at /,
        ),
      }),
    ]);
    expect(rowsLeft(refused)).toBe('2');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rowsLeft(await post({ pageSize: 2 }))).toBe('0');
    const none = await post({ pageSize: 1 });
    expect(none.body).toMatchObject({ detail: expect.stringMatching(/^None of the 5 rows a day/) });
  });

  test('include values of metrics and distinct values', async () => {
    expect(rowsLeft(await getValues({}, '&pageSize=2'))).toBe('3');
    expect(rowsLeft(await post({ field: 'city', pageSize: 1 }, 'searchFieldValues'))).toBe('2');
  });

  test('refused requests and empty answers cost none', async () => {
    expect(rowsLeft(await post({ fields: ['citty'] }))).toBe('5');
    expect(rowsLeft(await post({ countOnly: true }))).toBe('5');
    const values = await getValues({}, '&countOnly=true');
    expect([values.body.totalSize, rowsLeft(values)]).toEqual([3, '5']);
    expect(rowsLeft(await post({ field: 'city', countOnly: true }, 'searchFieldValues'))).toBe('5');
  });

  test('a request costs as many rows as countOnly says', async () => {
    limits = { rowsPerDay: 100 };
    const { costRows } = JSON.parse((await post({ countOnly: true })).text);
    let left = '';
    for (let pageToken = '', page = 0; page === 0 || pageToken !== ''; page += 1) {
      const { body, ...answer } = await post({ pageSize: 1, pageToken });
      pageToken = body.nextPageToken;
      left = rowsLeft(answer) ?? '';
    }
    expect(Number(left)).toBe(100 - costRows);
  });
});

test('a concurrent query is released with its answer', async () => {
  limits = { concurrentQueries: 1 };
  for (let asked = 0; asked < 5; asked += 1) {
    expect((await post()).status).toBe(200);
    expect((await ask()).message.records).toHaveLength(3);
  }
  const together = await Promise.all(Array.from({ length: 10 }, () => getValues()));
  const statuses = together.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  await expect.poll(async () => (await getValues()).status).toBe(200);
});

/** The limits in the trailers of a refused call. */
async function trailersOf(request: object = {}): Promise<Readonly<Record<string, unknown>>> {
  const token = authorization.replace('Bearer ', '');
  const channel = credentials.createInsecure();
  const client = openGrpcClient(server.grpcAddress(), { token, channel });
  try {
    await client.ask(listRecords, { dataReferenceName: 'shop.stores', ...request });
  } catch (error) {
    // grpc-js rejects calls only with this type.
    const { metadata = new Metadata() } = error as GrpcError;
    return limitsIn(metadata.getMap());
  } finally {
    client.close();
  }
  throw new Error('The call was answered.');
}
