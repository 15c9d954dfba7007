import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

const { send } = useTestServer((to) => to.publishFiles(SHOPS));

const LIST = '/v1/catalogs';
const TILE = '/v3/catalog/shop.stores/tiles/0/0/0.mvt';
const USAGE = '/v1/usage?from=2024-01-01&to=2024-01-02';

test.each([
  '*/*',
  '*',
  '',
  ' ',
  'application/*',
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;q=0.1',
  'text/csv, application/json;q=0.001',
  'application/json, text/plain, */*',
  'application/json, application/problem+json',
  // Browsers, and URLConnection of Java.
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'text/csv, */*;q=0.1',
  'nonsense',
])('Accept: %s is answered in JSON', async (accept) => {
  const { status, headers } = await send(LIST, { headers: { accept } });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
});

test.each([
  'text/csv',
  'text/*',
  'text/html',
  'application/xml',
  'application/json;q=0',
  'application/*;q=0.5, application/json;q=0',
  '*/*;q=0',
  'application/x-protobuf',
])('Accept: %s cannot be met', async (accept) => {
  for (const path of [LIST, '/v1/caller', '/v3/catalog/shop.stores/tiles.json']) {
    const { status, headers, text } = await send(path, { headers: { accept } });
    expect([status, headers.get('content-type')]).toEqual([
      406,
      'application/problem+json; charset=utf-8',
    ]);
    expect(JSON.parse(text)).toMatchObject({
      reason: 'NOT_ACCEPTABLE',
      detail: `Accept '${accept}' does not accept the answer, which is application/json.`,
      hint: 'Leave Accept out, or send Accept: application/json.',
    });
  }
});

test('a refused POST is not recorded, and its body is not read', async () => {
  const { status } = await send('/v3/catalog/searchFieldValues', {
    method: 'POST',
    headers: { accept: 'text/csv', 'content-type': 'application/json' },
    body: 'not JSON',
  });
  expect(status).toBe(406);
});

test.each([
  ['*/*', 200],
  ['application/vnd.mapbox-vector-tile', 200],
  ['application/*', 200],
  ['application/vnd.mapbox-vector-tile, application/problem+json', 200],
  ['application/json', 406],
  ['image/*', 406],
])('a tile with Accept: %s has the status %d', async (accept, expected) => {
  const { status } = await send(TILE, { headers: { accept } });
  // A tile without records is empty.
  expect(status === 204 ? 200 : status).toBe(expected);
});

test.each([
  ['text/csv', 'text/csv; charset=utf-8; header=present'],
  ['text/*', 'text/csv; charset=utf-8; header=present'],
  ['*/*', 'application/json; charset=utf-8'],
  ['application/json', 'application/json; charset=utf-8'],
  ['text/csv;q=0.5, application/json', 'application/json; charset=utf-8'],
  ['text/csv, application/json', 'text/csv; charset=utf-8; header=present'],
  ['text/html', 'application/problem+json; charset=utf-8'],
])('usage with Accept: %s is %s', async (accept, expected) => {
  const { headers } = await send(USAGE, { headers: { accept } });
  expect(headers.get('content-type')).toBe(expected);
});

test.each(['/livez', '/readyz', '/openapi.json'])(
  '%s needs no token and is sent whatever is accepted',
  async (path) => {
    for (const accept of ['text/html', 'text/csv', 'application/vnd.oai.openapi+json']) {
      expect((await send(path, { headers: { accept, authorization: '' } })).status).toBe(200);
    }
  },
);

test('without a token the refusal is about the token', async () => {
  const headers = { accept: 'text/csv', authorization: '' };
  expect((await send(LIST, { headers })).status).toBe(401);
});

test.each([
  [{ 'content-encoding': 'gzip' }, 'accept-encoding', 'identity'],
  [{ 'content-type': 'text/plain' }, 'accept', 'application/json'],
  [{ 'content-type': 'application/json; charset=latin1' }, 'accept', 'application/json'],
])('a body of %j is refused with what is accepted', async (sent, name, value) => {
  const { status, headers } = await send('/v3/catalog/listRecords', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...sent },
    body: '{}',
  });
  expect([status, headers.get(name)]).toEqual([415, value]);
});
