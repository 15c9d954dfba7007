import { catalogV3 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { openTestServer, useTestServer } from '../test-server.ts';

const { data } = useTestServer((to) => to.publishFiles(SHOPS));

/** The recorded address of a request with this header, with these trusted proxies. */
async function noted(trustedProxies: readonly string[], forwarded: string | undefined) {
  const server = await openTestServer(data(), { trustedProxies });
  await server.send('/livez', {
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });
  await server.close();
  const [line] = server.log().filter(({ kind }) => kind === 'request_completed');
  return line?.['clientAddress'];
}

test.each([
  ['no proxy is trusted', [], '203.0.113.7'],
  ['another proxy is trusted', ['10.0.0.0/8', '192.0.2.1'], '203.0.113.7'],
  ['the header is absent', ['127.0.0.1'], undefined],
])('if %s, the address of the connection is recorded', async (_, trusted, forwarded) => {
  expect(await noted(trusted, forwarded)).toBe('127.0.0.1');
});

test.each([
  ['an address', ['127.0.0.1'], '203.0.113.7', '203.0.113.7'],
  ['a network', ['127.0.0.0/8'], '2001:db8::7', '2001:db8::7'],
  ['an earlier address from the caller', ['127.0.0.1'], '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['a second proxy', ['127.0.0.1', '10.0.0.0/8'], '203.0.113.7, 10.1.2.3', '203.0.113.7'],
])('the header of a trusted proxy is used: %s', async (_, trusted, forwarded, expected) => {
  expect(await noted(trusted, forwarded)).toBe(expected);
});

test('an invalid address is not recorded', async () => {
  expect(await noted(['127.0.0.1'], 'unknown, <script>')).toBeUndefined();
});

test('over gRPC the address of the connection is recorded', async () => {
  const server = await openTestServer(data(), { trustedProxies: ['127.0.0.1'] });
  await server.grpc.ask(
    catalogV3.CatalogQuery.method.listDataReferences,
    {},
    { metadata: { 'x-forwarded-for': '203.0.113.7' } },
  );
  await server.close();
  expect(server.log()).toMatchObject([{ status: 'OK', clientAddress: '127.0.0.1' }]);
});
