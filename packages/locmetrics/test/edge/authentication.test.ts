import { expect, test } from 'vitest';
import { runSecondProcess } from '../auth/run-second-process.ts';
import { until } from '../support/until.ts';
import { SHOPS } from './shops.ts';
import { problemOf, useTestServer } from './test-server.ts';

const { data, post, problem, send } = useTestServer((to) => to.publishFiles(SHOPS));

const METRIC_VALUES = '/v1/catalogs/{catalogId}/metrics/{metricId}/values';
const METRIC_AGGREGATES = '/v1/catalogs/{catalogId}/metrics/{metricId}/aggregates';
const METRIC_DOWNLOAD = '/v1/catalogs/{catalogId}/metrics/{metricId}:download';
const CATALOG = '/v1/catalogs/{catalogId}';
const FOUND_BY_GET = [
  '/v1/addressComponents',
  '/v1/catalogs',
  `${CATALOG}/addressComponents/{component}/values`,
  `${CATALOG}/dimensions/{dimensionId}/values`,
  `${CATALOG}/layers/{layerId}`,
  `${CATALOG}/layers/{layerId}/features`,
  `${CATALOG}/layers/{layerId}/tiles.json`,
  `${CATALOG}/layers/{layerId}/tiles/{z}/{x}/{y}.mvt`,
  `${CATALOG}/metrics`,
  `${CATALOG}/metrics/{metricId}`,
  `${CATALOG}/metrics/{metricId}/report`,
  '/v3/catalog/{dataReferenceName}/records.arrow',
  '/v3/catalog/{dataReferenceName}/records.csv',
  '/v3/catalog/{dataReferenceName}/records.geojson',
  '/v3/catalog/{dataReferenceName}/records.ndjson',
  '/v3/catalog/{dataReferenceName}/records.parquet',
  '/v3/catalog/{dataReferenceName}/tiles.json',
  '/v3/catalog/{dataReferenceName}/tiles/{z}/{x}/{y}.mvt',
];
const CALLS = [
  ...FOUND_BY_GET,
  `${CATALOG}/layers/{layerId}/features:search`,
  '/v1/admin/audit',
  '/v1/admin/explain/getLayerStats',
  '/v1/admin/explain/listRecords',
  '/v1/admin/explain/listRecordsStatistics',
  '/v1/admin/explain/searchFieldValues',
  '/v1/admin/explain/searchMetricAggregates',
  '/v1/admin/explain/searchMetricValues',
  '/v1/admin/grants',
  '/v1/admin/grants/{grantId}',
  '/v1/admin/organisations',
  '/v1/admin/organisations/{organisationId}/limits',
  '/v1/admin/organisations/{organisationId}/resume',
  '/v1/admin/organisations/{organisationId}/suspend',
  '/v1/admin/preview/checkGrantValues',
  '/v1/admin/preview/getDataReference',
  '/v1/admin/preview/listDataReferences',
  '/v1/admin/preview/listRecords',
  '/v1/admin/preview/searchGrantValues',
  '/v1/admin/tokens',
  '/v1/admin/tokens/{tokenId}/revoke',
  '/v1/admin/tokens/{tokenId}/rotate',
  '/v1/admin/usage',
  '/v1/admin/versions',
  '/v1/admin/versions/{dataset}/diff',
  '/v1/admin/versions/{dataset}/{version}/report',
  '/v1/admin/versions:rollback',
  '/v1/caller',
  METRIC_DOWNLOAD,
  METRIC_AGGREGATES,
  METRIC_VALUES,
  `${METRIC_VALUES}.arrow`,
  `${METRIC_VALUES}.csv`,
  `${METRIC_VALUES}.ndjson`,
  `${METRIC_VALUES}.parquet`,
  `${METRIC_VALUES}:search`,
  '/v1/usage',
  '/v3/catalog/getDataReference',
  '/v3/catalog/listDataReferences',
  '/v3/catalog/createRecordsExport',
  '/v3/catalog/deleteRecordsExport',
  '/v3/catalog/getRecordsExport',
  '/v3/catalog/listRecords',
  '/v3/catalog/listRecordsExports',
  '/v3/catalog/searchFieldValues',
  '/v3alpha/catalog/fileDownload',
  '/v3alpha/catalog/getLayerStats',
  '/v3alpha/catalog/listRecordsStatistics',
];
const PUBLIC = ['/livez', '/readyz', '/openapi.json'];
const NO_TOKEN = { authorization: '' };

test('every call of the interface is tested here', async () => {
  const { text } = await send('/openapi.json');
  const paths = Object.keys(JSON.parse(text).paths);
  expect(paths.sort()).toEqual([...CALLS, '/v1/sign-in'].sort());
});

test.each(CALLS)('%s needs a token', async (path) => {
  const { status, headers } = await send(path, { method: 'POST', headers: NO_TOKEN });
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="locmetrics"']);
});

test.each([
  ...FOUND_BY_GET,
  METRIC_AGGREGATES,
  METRIC_VALUES,
  '/v1/caller',
  '/v1/usage',
  '/v1/admin/usage',
])('GET %s needs a token too', async (path) => {
  expect((await send(path, { headers: NO_TOKEN })).status).toBe(401);
});

test.each(['/', '/v3', '/v3/catalog/nothing', '/metrics', '/docsx', '/livez/x', '/readyz/'])(
  'the unknown address %s needs a token too',
  async (path) => {
    expect((await send(path, { headers: NO_TOKEN })).status).toBe(401);
  },
);

test.each([
  '/v3/catalog/listRecord%73',
  '//v3/catalog/listRecords',
  '/docs/../v3/catalog/listRecords',
])('the spelling %s of an address does not avoid the check', async (path) => {
  expect((await send(path, { method: 'POST', headers: NO_TOKEN })).status).toBe(401);
});

test.each(PUBLIC)('%s needs no token', async (path) => {
  expect((await send(path, { headers: NO_TOKEN })).status).toBe(200);
});

test('the refusal of a request without a token says how to send one', async () => {
  expect(await problem('listDataReferences', {}, NO_TOKEN)).toMatchInlineSnapshot(`
    {
      "code": "UNAUTHENTICATED",
      "detail": "The request has no Authorization header.",
      "hint": "Send the header \`Authorization: Bearer <token>\`.",
      "http": "401 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listDataReferences",
      "reason": "TOKEN_MISSING",
      "requestId": "request-1",
      "status": 401,
      "title": "No token",
      "type": "urn:locmetrics:problem:TOKEN_MISSING",
      "x-request-id": "request-1",
    }
  `);
});

test('the error of an invalid token is invalid_token', async () => {
  const wrong = { authorization: `Bearer lm_${'0'.repeat(36)}` };
  const { headers } = await post('listDataReferences', {}, wrong);
  expect(headers.get('www-authenticate')).toBe('Bearer realm="locmetrics", error="invalid_token"');
  expect(await problem('listDataReferences', {}, wrong)).toMatchInlineSnapshot(`
    {
      "code": "UNAUTHENTICATED",
      "detail": "The token is not accepted.",
      "hint": "Check that the whole token is sent and nothing else; if so, ask the data owner for a new one.",
      "http": "401 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listDataReferences",
      "reason": "TOKEN_INVALID",
      "requestId": "request-1",
      "status": 401,
      "title": "Token not accepted",
      "type": "urn:locmetrics:problem:TOKEN_INVALID",
      "x-request-id": "request-1",
    }
  `);
});

test.each(['Basic YTpi', 'Bearer', 'bearer ', 'Token abc'])(
  'the header Authorization: %s carries no token',
  async (authorization) => {
    const { body, headers } = await post('listDataReferences', {}, { authorization });
    expect(body.reason).toBe('TOKEN_MISSING');
    expect(headers.get('www-authenticate')).toBe('Bearer realm="locmetrics"');
  },
);

test('the scheme may be in any case', async () => {
  const authorization = `bEARER ${data().token}`;
  expect((await post('listDataReferences', {}, { authorization })).status).toBe(200);
});

test('the answer does not repeat a token that was sent without its scheme', async () => {
  const { text } = await post('listDataReferences', {}, { authorization: data().token });
  expect(text).not.toContain(data().token);
});

test.each(['access_token', 'token', 'authorization', 'api_key'])(
  'a token in the query as %s is not accepted',
  async (parameter) => {
    expect(
      await problemOf(
        send(`/v3/catalog/listDataReferences?${parameter}=${data().token}`, {
          method: 'POST',
          headers: NO_TOKEN,
        }),
      ),
    ).toMatchObject({ reason: 'TOKEN_MISSING' });
  },
);

test('a token in the body is not accepted', async () => {
  const body = { access_token: data().token, token: data().token };
  expect(await problem('listDataReferences', body, NO_TOKEN)).toMatchObject({
    reason: 'TOKEN_MISSING',
  });
});

test('a token in a form is not accepted', async () => {
  const headers = { ...NO_TOKEN, 'content-type': 'application/x-www-form-urlencoded' };
  expect(
    await problem('listDataReferences', `access_token=${data().token}`, headers),
  ).toMatchObject({ reason: 'TOKEN_MISSING' });
});

test('without a token the body is not read, so the answer depends on nothing in it', async () => {
  expect(await problem('listRecords', 'not JSON', NO_TOKEN)).toMatchObject({
    reason: 'TOKEN_MISSING',
  });
});

test('a token that another process revoked is refused at the next request', async () => {
  const { tokenId, tokenText } = data().store.createToken({ organisationId: 'acme', name: 'old' });
  const authorization = `Bearer ${tokenText}`;
  expect((await post('listDataReferences', {}, { authorization })).status).toBe(200);
  await runSecondProcess(data().directory.control, 'revokeToken', tokenId);
  const { body, headers } = await post('listDataReferences', {}, { authorization });
  expect(body.reason).toBe('TOKEN_INVALID');
  expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test('a token is refused once it has expired, with the time', async () => {
  const { tokenText } = data().store.createToken({
    organisationId: 'acme',
    name: 'short',
    expiresAfterMs: 1000,
  });
  const authorization = `Bearer ${tokenText}`;
  const { reason } = await until(async () => {
    const { status, body, headers } = await post('listDataReferences', {}, { authorization });
    if (status === 200) return undefined;
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="locmetrics", error="invalid_token", error_description="The token expired"',
    );
    return body;
  });
  expect(reason).toBe('TOKEN_EXPIRED');
});

test.each([
  ['listDataReferences', {}],
  ['getDataReference', { name: 'shop.stores' }],
  ['listRecords', { dataReferenceName: 'shop.stores' }],
  ['searchFieldValues', { dataReferenceName: 'shop.stores', field: 'city' }],
])('%s accepts the billing context of the token or none, and no other', async (call, request) => {
  const statuses = [
    await post(call, { ...request, billingContext: 'acme' }),
    await post(call, { ...request, billing_context: '' }),
    await post(call, request),
    await post(call, { ...request, billingContext: 'ACME' }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 403]);
});

test('another billing context is refused before the rest of the request is checked', async () => {
  expect(
    await problem('listRecords', { dataReferenceName: 'shop.nothing', billingContext: 'globex' }),
  ).toMatchInlineSnapshot(`
    {
      "code": "PERMISSION_DENIED",
      "detail": "The billing context 'globex' is not the organisation of the token.",
      "hint": "Send the id of the organisation that the token was issued to.",
      "http": "403 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "BILLING_CONTEXT_DENIED",
      "requestId": "request-1",
      "status": 403,
      "title": "Billing context not allowed",
      "type": "urn:locmetrics:problem:BILLING_CONTEXT_DENIED",
      "x-request-id": "request-1",
    }
  `);
});

test.each(['A', 'a.b_c-9', 'x'.repeat(128)])('the request id %s is kept', async (id) => {
  const { headers, body } = await post('getDataReference', { name: 'x' }, { 'x-request-id': id });
  expect([headers.get('x-request-id'), body.requestId]).toEqual([id, id]);
});

test.each(['x'.repeat(129), 'a b', 'a,b', '<script>', '{}', 'a=b', 'é'])(
  'the request id %s is replaced',
  async (id) => {
    const answer = await post('getDataReference', { name: 'x' }, { 'x-request-id': id });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  },
);

test('answers are not cached, and their type is not guessed', async () => {
  const answers = [
    await post('listDataReferences', {}),
    await post('listRecords', {}),
    await post('listRecords', {}, NO_TOKEN),
  ];
  expect(
    answers.map(({ headers }) => [
      headers.get('cache-control'),
      headers.get('x-content-type-options'),
    ]),
  ).toEqual([
    ['no-store', 'nosniff'],
    ['no-store', 'nosniff'],
    ['no-store', 'nosniff'],
  ]);
});
