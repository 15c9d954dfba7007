import { SCOPES } from '@locmetrics/core/domain/scope';
import { expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

const LIMITED = { requestsPerSecond: 1, burst: 1, rowsPerMonth: 1000 };
const { data, send } = useTestServer((to) => to.publishFiles(SHOPS), {
  limitsOf: (id) => (id === 'limited' ? LIMITED : {}),
});

const as = (token: string, path = '/v1/caller') =>
  send(path, { headers: { authorization: `Bearer ${token}` } });

test('a token learns its organisation, name, scopes and end, and the limits of its organisation', async () => {
  const { store } = data();
  store.createOrganisation({ id: 'limited', name: 'City of Limits' });
  const { tokenText, tokenId, expires } = store.createToken({
    organisationId: 'limited',
    name: 'reports',
    scopes: ['usage', 'catalog'],
    expiresAfterMs: 3_600_000,
  });
  const { status, text, headers } = await as(tokenText);
  expect([status, headers.get('cache-control'), JSON.parse(text)]).toEqual([
    200,
    'no-store',
    {
      organisationId: 'limited',
      organisationName: 'City of Limits',
      tokenId,
      tokenName: 'reports',
      scopes: ['catalog', 'usage'],
      expires: new Date(expires ?? 0).toISOString(),
      limits: {
        requestsPerSecond: 1,
        burst: 1,
        rowsPerDay: null,
        rowsPerMonth: 1000,
        concurrentQueries: null,
      },
      viewedRowsPerDay: null,
      viewedRowsPerMonth: 100,
    },
  ]);
  // It counts as a request, as every call outside the admin interface does.
  expect((await as(tokenText)).body.reason).toBe('LIMIT_EXCEEDED');
});

test.each(SCOPES)('a token of the scope %s alone may ask', async (scope) => {
  const { store } = data();
  const { tokenText } = store.createToken({ organisationId: 'acme', name: 'x', scopes: [scope] });
  const { status, text } = await as(tokenText);
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    { organisationId: 'acme', scopes: [scope], expires: null, limits: { burst: null } },
  ]);
});

test('a token that has ended, or whose organisation is suspended, is refused', async () => {
  const { store } = data();
  const revoked = store.createToken({ organisationId: 'acme', name: 'x' }).tokenText;
  store.revokeToken(revoked);
  expect((await as(revoked)).body.reason).toBe('TOKEN_INVALID');
  store.createOrganisation({ id: 'late', name: 'Late' });
  const suspended = store.createToken({ organisationId: 'late', name: 'x' }).tokenText;
  store.suspendOrganisation('late');
  expect((await as(suspended)).body.reason).toBe('ORGANISATION_SUSPENDED');
});

test('the call is not recorded as usage', async () => {
  const { store } = data();
  store.createOrganisation({ id: 'quiet', name: 'Quiet' });
  const { tokenText } = store.createToken({ organisationId: 'quiet', name: 'x' });
  expect((await as(tokenText)).status).toBe(200);
  const { text } = await as(tokenText, '/v1/usage');
  expect(JSON.parse(text).total).toEqual({ requests: 0, rows: 0, bytes: 0 });
});

test('a parameter of the address is refused', async () => {
  const { status, body } = await as(data().token, '/v1/caller?token=x');
  expect([status, body.reason]).toEqual([400, 'UNKNOWN_REQUEST_FIELD']);
});
