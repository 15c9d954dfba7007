import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { openTestServer, type TestServer, useTestServer } from '../test-server.ts';
import { API_REFERENCE, EXPLORER, SCRIPT, writeBuiltPages } from './built-pages.ts';

const ANYBODY = { headers: { authorization: '' } };

const { data, send: sendWithout } = useTestServer((to) => to.publishFiles(SHOPS));
let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = writeBuiltPages(data().directory.root);
  server = await openTestServer(data(), { pages: { folder, explorer: true } });
});
afterAll(() => server.close());

test('anybody gets the explorer, which may load and send nothing elsewhere', async () => {
  const { status, headers, text } = await server.send('/', ANYBODY);
  expect([status, text]).toEqual([200, EXPLORER]);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-cache');
  const policy = headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('a style of maps is named by the explorer, which may load from its origin alone', async () => {
  const mapStyle = 'https://maps.example:8443/styles/streets.json';
  const styled = await openTestServer(data(), { pages: { folder, explorer: true, mapStyle } });
  const { headers } = await styled.send('/', ANYBODY);
  expect(headers.get('map-style')).toBe(mapStyle);
  const policy = headers.get('content-security-policy') ?? '';
  const named = policy.split('; ').filter((directive) => directive.includes('https:'));
  expect(named).toEqual([
    "img-src 'self' data: blob: https://maps.example:8443",
    "connect-src 'self' https://maps.example:8443",
  ]);
  const reference = await styled.send('/docs/api/', ANYBODY);
  expect(reference.headers.get('map-style')).toBeNull();
  expect(reference.headers.get('content-security-policy')).not.toContain('maps.example');
  await styled.close();
});

test('a browser that has the page is told so', async () => {
  const etag = (await server.send('/', ANYBODY)).headers.get('etag') ?? '';
  // Without this header, fetch asks for a new copy.
  const headers = { authorization: '', 'cache-control': 'max-age=0', 'if-none-match': etag };
  const held = await server.send('/', { headers });
  expect([held.status, held.text]).toEqual([304, '']);
});

test('a script is kept for ever, and sent as it was compressed when it was built', async () => {
  const { status, headers } = await server.send('/assets/page-1a2b.js', {
    headers: { authorization: '', 'accept-encoding': 'gzip' },
  });
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('content-encoding')).toBe('gzip');
  expect(Number(headers.get('content-length'))).toBe(gzipSync(SCRIPT).length);
  const plain = await server.send('/assets/page-1a2b.js', {
    headers: { authorization: '', 'accept-encoding': 'identity' },
  });
  expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, SCRIPT]);
});

test.each([
  '/built-from',
  '/assets/page-1a2b.js.gz',
  '/assets/none.js',
  '/assets/',
  '/..%2fcontrol.sqlite',
  '/assets/..%2f..%2fcontrol.sqlite',
])('there is nothing at %s', async (path) => {
  expect((await server.send(path, ANYBODY)).status).toBe(401);
  expect((await server.send(path)).status).toBe(404);
});

test('the data need a token as before', async () => {
  const path = '/v3/catalog/listDataReferences';
  expect((await server.send(path, { method: 'POST', ...ANYBODY })).status).toBe(401);
});

test('the page is not in the description of the API, nor sent by POST', async () => {
  const { text } = await server.send('/openapi.json', ANYBODY);
  expect(Object.keys(JSON.parse(text).paths)).not.toContain('/');
  expect((await server.send('/', { method: 'POST' })).status).toBe(405);
});

describe('the API reference', () => {
  test.each(['/docs', '/docs/', '/docs/api', '/docs/api/'])('is what %s leads to', async (path) => {
    const page = await fetch(`${server.url}${path}`, { headers: { accept: 'text/csv' } });
    expect([page.status, await page.text()]).toEqual([200, API_REFERENCE]);
    expect(page.url).toBe(`${server.url}/docs/api/`);
    expect(page.headers.get('cache-control')).toBe('no-cache');
  });

  test.each(['gzip', 'identity'])(
    'may load and send nothing elsewhere, sent as %s',
    async (coding) => {
      const { headers } = await server.send('/docs/api/', {
        headers: { authorization: '', 'accept-encoding': coding },
      });
      const policy = headers.get('content-security-policy') ?? '';
      const [first, scripts, styles, ...others] = policy.split('; ');
      expect([first, scripts]).toEqual(["default-src 'none'", "script-src 'self'"]);
      expect(styles).toBe("style-src 'self' 'unsafe-inline'");
      expect(others.join('; ')).not.toMatch(/unsafe|https?:|\*/);
      expect(others).toContain("connect-src 'self'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  test('is served without the explorer', async () => {
    const alone = await openTestServer(data(), { pages: { folder, explorer: false } });
    expect((await alone.send('/docs/api/', ANYBODY)).text).toBe(API_REFERENCE);
    expect((await alone.send('/assets/page-1a2b.js', ANYBODY)).text).toBe(SCRIPT);
    for (const path of ['/', '/index.html']) expect((await alone.send(path)).status).toBe(404);
    await alone.close();
  });

  test.each(['/docs/apis', '/doc/api', '/docs/api/index.htm'])(
    'is the nearest address to %s',
    async (path) => {
      const { status, text } = await server.send(path);
      expect([status, JSON.parse(text).hint]).toEqual([404, expect.stringMatching(/'\/docs\/api/)]);
    },
  );

  test('is not in the description of the API', async () => {
    const { text } = await server.send('/openapi.json', ANYBODY);
    expect(Object.keys(JSON.parse(text).paths).filter((path) => path.startsWith('/docs'))).toEqual(
      [],
    );
  });
});

test('where the pages were not built there is nothing at their addresses', async () => {
  for (const path of ['/docs', '/docs/', '/docs/api/']) {
    expect((await sendWithout(path)).status).toBe(404);
  }
  expect((await sendWithout('/', ANYBODY)).status).toBe(401);
  expect((await sendWithout('/')).status).toBe(404);
});
