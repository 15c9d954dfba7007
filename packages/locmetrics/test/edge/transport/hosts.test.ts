import { hostCheck } from '@locmetrics/server/edge/http/request/check-host';
import { openMetricsServer } from '@locmetrics/server/edge/http/server/open-metrics-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { openTestServer, type TestServer, useTestServer } from '../test-server.ts';
import { sendRaw } from './raw-request.ts';

const { data } = useTestServer((to) => to.publishFiles(SHOPS));
let server: TestServer;
let named: TestServer;
beforeAll(async () => {
  server = await openTestServer(data(), { hosts: [] });
  named = await openTestServer(data(), { hosts: ['maps.example', '*.tiles.example'] });
});
afterAll(() => Promise.all([server.close(), named.close()]));

const LOOPBACK = [
  ...[
    'localhost',
    'LOCALHOST:8080',
    'localhost.',
    'maps.localhost:1',
    '127.0.0.1',
    '127.8.9.10:80',
  ],
  ...['[::1]', '[::1]:8080', '[::ffff:127.0.0.1]', '192.0.2.7:8080', '[2001:db8::7]', ''],
];
const FOREIGN = [
  ...['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example'],
  ...['notlocalhost', 'xn--localhost', 'maps.example.evil', '0x7f.1', '127.1', '2130706433'],
];

test.each(LOOPBACK)('over loopback the host %j is accepted', async (host) => {
  expect(await get(server, '/livez', host)).toMatch(/^HTTP\/1\.1 200 /);
});

test.each(FOREIGN)('over loopback the host %j is refused, whatever is asked for', async (host) => {
  for (const path of ['/livez', '/', '/docs/', '/openapi.json', '/v1/caller', '/nothing']) {
    const answer = await get(server, path, host, `Authorization: Bearer ${data().token}`);
    expect(answer).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/);
    const name = host.replace(/:[0-9]+$/, '');
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      reason: 'HOST_NOT_ALLOWED',
      detail: `The request is for the host '${name}', which is not a name of this service.`,
      hint: 'Send it to the address of the service. If the name is right, the operator adds it to --hosts.',
    });
  }
});

test('headers of a proxy, which a page can send too, do not help', async () => {
  const headers = ['X-Forwarded-Host: localhost', 'X-Forwarded-For: 192.0.2.7', 'Forwarded: a=b'];
  expect(await get(server, '/livez', 'evil.example', ...headers)).toMatch(/^HTTP\/1\.1 421 /);
});

test.each([
  ['maps.example', 200],
  ['Maps.Example.:8080', 200],
  ['a.tiles.example', 200],
  ['a.b.tiles.example', 200],
  ['localhost', 200],
  ['127.0.0.1', 200],
  ['tiles.example', 421],
  ['xmaps.example', 421],
  ['a.maps.example', 421],
  ['maps.example.evil.example', 421],
])('with names in the setting, the host %s is answered with %d', async (host, status) => {
  expect(await get(named, '/livez', host)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test.each([
  ['no names', [], '192.0.2.7', 'maps.example', true],
  ['no names', [], '127.0.0.1', 'node-1', true],
  ['no names', [], '::ffff:127.0.0.1', 'maps.example', false],
  ['no names', [], '::1', 'maps.example', false],
  ['no names', [], undefined, 'maps.example', false],
  ['names', ['maps.example'], '192.0.2.7', 'maps.example', true],
  ['names', ['maps.example'], '192.0.2.7', 'other.example', false],
  ['names', ['maps.example'], '192.0.2.7', '192.0.2.1', true],
  ['a star', ['*'], '127.0.0.1', 'other.example', true],
] as const)('with %s %j, a request from %s for %s: %s', (_, names, remoteAddress, host, isFine) => {
  const check = () =>
    hostCheck({ called: names, listening: ['Node-1', '0.0.0.0'] })({
      headers: { host },
      socket: remoteAddress ? { remoteAddress } : {},
    });
  if (isFine) expect(check()).toBeUndefined();
  else expect(check).toThrow(/is not a name of this service/);
});

test('the listener of the metrics has the same check', async () => {
  const metrics = await openMetricsServer({
    host: '127.0.0.1',
    port: 0,
    hosts: { called: [] },
    collect: async () => 'secret 1\n',
    checkReady: async () => {},
    observe: () => {},
  });
  for (const path of ['/metrics', '/livez', '/readyz', '/x']) {
    const answer = await get(metrics, path, 'evil.example:9464');
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).toContain('HOST_NOT_ALLOWED');
    expect(answer).not.toContain('secret');
  }
  expect(await get(metrics, '/metrics', 'localhost:9464')).toContain('secret 1');
  await metrics.close();
});

function get(
  { url }: { readonly url: string },
  path: string,
  host: string,
  ...headers: readonly string[]
): Promise<string> {
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
  return sendRaw(url, `${head.join('\r\n')}\r\n\r\n`);
}
