import { OWN_PATHS } from '@locmetrics/core/network/path-prefix-problem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TILED_SHOPS } from '../map/tiled-shops.ts';
import { openTestServer, type TestServer, useTestServer } from '../test-server.ts';
import { EXPLORER, SCRIPT, writeBuiltPages } from './built-pages.ts';

const ANYBODY = { authorization: '' };

const { data } = useTestServer((to) => to.publishFiles(TILED_SHOPS));

let folder = '';
const servers: TestServer[] = [];
const open = async (options: { basePath?: string; trustedProxies?: readonly string[] }) => {
  const server = await openTestServer(data(), { pages: { folder, explorer: true }, ...options });
  servers.push(server);
  return server;
};
let based: TestServer;
let proxied: TestServer;
beforeAll(async () => {
  folder = writeBuiltPages(data().directory.root);
  based = await open({ basePath: '/metrics-data' });
  proxied = await open({ trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** The prefix of the addresses in answers to a caller of this server. */
async function prefixes(server: TestServer, called: string, headers: Record<string, string> = {}) {
  const get = async (path: string) =>
    JSON.parse((await server.send(`${called}${path}`, { headers })).text);
  const {
    tiles: [tiles],
  } = await get('/v3/catalog/map.shops/tiles.json');
  const { servers: described } = await get('/openapi.json');
  const { instance } = await get('/v1/catalogs/none/metrics?billingContext=acme');
  const nowhere = await get('/v1/catalog');
  const wrongMethod = await get('/v1/sign-in');
  return {
    tiles: tiles.replace(/^http:\/\/[^/]*|\/v3\/.*$/g, ''),
    servers: described[0].url,
    problems: [instance, nowhere.instance, nowhere.detail, nowhere.hint, wrongMethod.detail],
  };
}

const below = (prefix: string) => ({
  tiles: prefix,
  servers: prefix || '/',
  problems: [
    `${prefix}/v1/catalogs/none/metrics`,
    `${prefix}/v1/catalog`,
    `There is nothing at ${prefix}/v1/catalog.`,
    `Did you mean '${prefix}/v1/catalogs'?`,
    `${prefix}/v1/sign-in does not answer GET.`,
  ],
});

describe('with a base path', () => {
  test('requests may have it, and addresses in answers always have it', async () => {
    expect(await prefixes(based, '/metrics-data')).toEqual(below('/metrics-data'));
    // A proxy has removed it.
    expect(await prefixes(based, '')).toEqual(below('/metrics-data'));
  });

  test('it ends at a slash', async () => {
    expect((await based.send('/metrics-dat/v1/caller')).status).toBe(404);
    expect((await based.send('/metrics-data2/v1/caller')).status).toBe(404);
    expect((await based.send('/metrics-data/metrics-data/v1/caller')).status).toBe(404);
    expect((await based.send('/metrics-data/v1/caller?a=/metrics-data/')).status).toBe(400);
    expect((await based.send('/metrics-data/v1/caller')).status).toBe(200);
  });

  test('the page and its files are below it, and the base path alone leads to the page', async () => {
    expect((await based.send('/metrics-data/', { headers: ANYBODY })).text).toBe(EXPLORER);
    const file = await based.send('/metrics-data/assets/page-1a2b.js', { headers: ANYBODY });
    expect(file.status).toBe(200);
    const { status, headers } = await based.send('/metrics-data', { headers: ANYBODY });
    expect(status).toBe(308);
    const location = headers.get('location') ?? '';
    expect(new URL(location, `${based.url}/metrics-data`).pathname).toBe('/metrics-data/');
  });

  test('one of several parts is supported', async () => {
    const server = await open({ basePath: '/api/metrics-data' });
    expect(await prefixes(server, '/api/metrics-data')).toEqual(below('/api/metrics-data'));
    const { headers } = await server.send('/api/metrics-data', { headers: ANYBODY });
    const location = headers.get('location') ?? '';
    expect(new URL(location, `${server.url}/api/metrics-data`).pathname).toBe('/api/metrics-data/');
  });
});

describe('the header X-Forwarded-Prefix', () => {
  test('of a trusted proxy decides the addresses in answers', async () => {
    for (const header of ['/a/data-1.0_~', '/a/data-1.0_~/']) {
      const headers = { 'x-forwarded-prefix': header };
      expect(await prefixes(proxied, '', headers)).toEqual(below('/a/data-1.0_~'));
    }
    expect(await prefixes(proxied, '')).toEqual(below(''));
    expect(await prefixes(proxied, '', { 'x-forwarded-prefix': '/' })).toEqual(below(''));
  });

  test('of a trusted proxy is the whole prefix, whatever the base path', async () => {
    const server = await open({ basePath: '/b', trustedProxies: ['127.0.0.0/8'] });
    expect(await prefixes(server, '', { 'x-forwarded-prefix': '/a' })).toEqual(below('/a'));
    expect(await prefixes(server, '/b', { 'x-forwarded-prefix': '/a' })).toEqual(below('/a'));
    expect(await prefixes(server, '/b')).toEqual(below('/b'));
  });

  test('of another client is ignored', async () => {
    const server = await open({ trustedProxies: ['10.0.0.0/8', '::2'] });
    for (const header of ['/a', '//evil.example']) {
      expect(await prefixes(server, '', { 'x-forwarded-prefix': header })).toEqual(below(''));
    }
  });

  test.each([
    '//evil.example',
    'evil.example',
    'https://evil.example',
    '/a//b',
    '/a/../b',
    '/.',
    '/<script>alert(1)</script>',
    '/a"b',
    "/a'b",
    '/a%22',
    '/a?b',
    '/a#b',
    '/a b',
    '/a, /b',
    '/é',
    `/${'a'.repeat(200)}`,
  ])('is refused if it is %s', async (header) => {
    const { status, text } = await proxied.send('/openapi.json', {
      headers: { ...ANYBODY, 'x-forwarded-prefix': Buffer.from(header).toString('latin1') },
    });
    const { reason, detail, instance } = JSON.parse(text);
    expect([status, reason, instance]).toEqual([400, 'MALFORMED_HTTP', '/openapi.json']);
    expect(detail).toMatch(/^The header X-Forwarded-Prefix is '/);
  });

  test('is also in the problem of an address that cannot be decoded', async () => {
    const headers = { 'x-forwarded-prefix': '/a' };
    const { text } = await proxied.send('/v1/catalogs/%zz/metrics', { headers });
    expect(JSON.parse(text).instance).toBe('/a/v1/catalogs/%zz/metrics');
  });

  test('changes the tag of an answer that has the prefix', async () => {
    const path = '/v3/catalog/map.shops/tiles.json';
    const etag = (await proxied.send(path)).headers.get('etag') ?? '';
    const held = { 'if-none-match': etag };
    expect((await proxied.send(path, { headers: held })).status).toBe(304);
    const elsewhere = { ...held, 'x-forwarded-prefix': '/a' };
    expect((await proxied.send(path, { headers: elsewhere })).status).toBe(200);
  });
});

test.each(['/docs', '/docs/', '/docs/api'])(
  '%s leads to the API reference, whose addresses are relative',
  async (path) => {
    for (const [server, below] of [
      [based, '/metrics-data'],
      [proxied, ''],
    ] as const) {
      const page = await fetch(`${server.url}${below}${path}`);
      expect(page.url).toBe(`${server.url}${below}/docs/api/`);
      const [, file = ''] = /src="([^"]*)"/.exec(await page.text()) ?? [];
      const { pathname } = new URL(file, page.url);
      expect(pathname).toBe(`${below}/assets/page-1a2b.js`);
      expect((await server.send(pathname, { headers: ANYBODY })).text).toBe(SCRIPT);
    }
  },
);

test('every route begins with a part with which no base path may begin', async () => {
  const { text } = await based.send('/openapi.json', { headers: ANYBODY });
  const paths = Object.keys(JSON.parse(text).paths);
  const own = [...paths, '/docs', '/openapi.json', '/livez', '/readyz', '/assets', '/index.html'];
  expect(own.map((path) => path.split('/')[1]).filter((part = '') => !OWN_PATHS.has(part))).toEqual(
    [],
  );
});
