import { expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

const { data, log, logText, post, send } = useTestServer((to) => to.publishFiles(SHOPS));

const dataReferenceName = 'shop.stores';
const withId = (id: string) => ({ 'x-request-id': id });
const linesOf = (id: string) => log().filter(({ requestId }) => requestId === id);

test('a request is one log line with caller, request, result, duration and size', async () => {
  const headers = { ...withId('answered'), 'user-agent': 'a client/1.0' };
  const { text } = await post('listRecords', { dataReferenceName }, headers);
  expect(linesOf('answered')).toEqual([
    {
      level: 30,
      clientAddress: '127.0.0.1',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      kind: 'request_completed',
      requestId: 'answered',
      method: 'POST',
      route: '/v3/catalog/listRecords',
      status: 200,
      durationMs: expect.any(Number),
      organisationId: 'acme',
      tokenId: expect.stringMatching(/^[0-9a-v]{12}$/),
      rows: 3,
      bytes: Buffer.byteLength(text),
      userAgent: 'a client/1.0',
    },
  ]);
});

test('a request with a malformed address is logged like all others', async () => {
  await send('/%zz', { headers: withId('malformed') });
  expect(linesOf('malformed')).toMatchObject([
    { kind: 'request_refused', reason: 'ROUTE_NOT_FOUND' },
    { kind: 'request_completed', status: 404, route: 'unknown' },
  ]);
});

test('the route of a method of a resource is logged without its pattern', async () => {
  await send('/v1/catalogs/a/metrics/b:download', { method: 'POST', headers: withId('method') });
  expect(linesOf('method').at(-1)).toMatchObject({
    route: '/v1/catalogs/:catalogId/metrics/:metricId::download',
  });
});

test('a long user agent is cut', async () => {
  const headers = { ...withId('talkative'), 'user-agent': 'x'.repeat(1000) };
  await post('listRecords', { dataReferenceName }, headers);
  expect(linesOf('talkative')).toMatchObject([{ userAgent: 'x'.repeat(200) }]);
});

test('a refused request is a second line with the reason', async () => {
  await post('listRecords', { dataReferenceName, pageSize: -1 }, withId('refused'));
  expect(linesOf('refused')).toMatchObject([
    { kind: 'request_refused', code: 'INVALID_ARGUMENT', reason: 'INVALID_PAGE_SIZE' },
    { kind: 'request_completed', status: 400, organisationId: 'acme' },
  ]);
});

test('only the log says that a token is revoked', async () => {
  const { tokenId, tokenText } = data().store.createToken({ organisationId: 'acme', name: 'old' });
  data().store.revokeToken(tokenId);
  const { text } = await post(
    'listRecords',
    {},
    { ...withId('revoked'), authorization: `Bearer ${tokenText}` },
  );
  expect(text).not.toContain('revoked.');
  expect(linesOf('revoked')).toMatchObject([
    { kind: 'request_refused', reason: 'TOKEN_INVALID', tokenRefusal: 'revoked', tokenId },
    { kind: 'request_completed', status: 401 },
  ]);
});

test('the log contains no token, no value of a filter or row, and no requested address', async () => {
  const secret = 'Quetzalcoatl';
  await post('listRecords', { dataReferenceName, billingContext: secret });
  await post('listRecords', { dataReferenceName: secret });
  await post('listRecords', { dataReferenceName, [secret]: 1 });
  await post('listRecords', { dataReferenceName, fields: [secret] });
  await post('listRecords', { dataReferenceName, pageToken: secret, asOf: secret });
  await post('searchFieldValues', { dataReferenceName, field: 'city', term: secret });
  await post('listRecords', `{"${secret}`);
  await send(`/v3/${secret}?${secret}=${secret}`);
  await send(`/%zz${secret}`);
  await post('listRecords', {}, { authorization: secret });
  await post('listRecords', {}, { authorization: `Bearer ${secret}` });
  for (const operator of ['==', 'contains', 'wrong', '<']) {
    await post('listRecords', {
      dataReferenceName,
      filters: [{ fieldName: 'city', operator, value: secret }],
    });
  }
  await post('listRecords', {
    dataReferenceName,
    filters: [{ fieldName: 'count', operator: '==', value: secret }],
  });
  const { text } = await post('listRecords', { dataReferenceName });
  expect(text).toContain('Zürich');
  expect(log().length).toBeGreaterThan(20);
  expect(logText()).not.toContain(secret);
  expect(logText()).not.toContain('Zürich');
  expect(logText()).not.toContain(data().token);
  expect(logText()).not.toMatch(/lm_[0-9A-Za-z]{10}/);
});
