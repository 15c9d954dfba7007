import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { openTestServer, type TestServer, useTestServer } from '../test-server.ts';

const PAGE = '<!doctype html><title>Deploy</title>';
const NOT_FOUND =
  '<!doctype html><title>Not found</title><link rel="stylesheet" href="/docs/_astro/site.1a2b.css">';
const BROWSER = { headers: { authorization: '', accept: 'text/html,*/*;q=0.8' } };
const ANYBODY = { headers: { authorization: '' } };

const { data, send: sendWithout } = useTestServer((to) => to.publishFiles(SHOPS));
let server: TestServer;
beforeAll(async () => {
  const folder = join(data().directory.root, 'docs');
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  write('index.html', '<!doctype html><title>Documentation</title>');
  write('how-to/deploy/index.html', PAGE);
  write('how-to/deploy/index.html.gz', gzipSync(PAGE));
  write('_astro/site.1a2b.css', ':root{}');
  write('404.html', NOT_FOUND);
  write('built-from', 'a hash');
  server = await openTestServer(data(), { docs: folder, basePath: '/metrics-data' });
});
afterAll(() => server.close());

test('anybody gets a page, which may load and send nothing elsewhere', async () => {
  const { status, headers, text } = await server.send('/docs/how-to/deploy/', ANYBODY);
  expect([status, text]).toEqual([200, PAGE]);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('etag')).toMatch(/./);
  const policy = headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; /);
  expect(policy).not.toMatch(/unsafe-inline|https?:/);
});

test('a page is sent as it was compressed when it was built', async () => {
  const { headers } = await server.send('/docs/how-to/deploy/', {
    headers: { authorization: '', 'accept-encoding': 'gzip' },
  });
  expect(headers.get('content-encoding')).toBe('gzip');
  expect(Number(headers.get('content-length'))).toBe(gzipSync(PAGE).length);
});

test('a file whose name has a hash is kept for ever', async () => {
  const { headers } = await server.send('/docs/_astro/site.1a2b.css', ANYBODY);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test.each([
  ['/docs', '/docs/'],
  ['/metrics-data/docs', '/metrics-data/docs/'],
  ['/docs/how-to/deploy', '/docs/how-to/deploy/'],
  ['/metrics-data/docs/how-to/deploy', '/metrics-data/docs/how-to/deploy/'],
])('%s leads to %s, because addresses in pages are relative', async (from, to) => {
  const { status, headers } = await server.send(from, ANYBODY);
  expect(status).toBe(308);
  expect(new URL(headers.get('location') ?? '', `${server.url}${from}`).pathname).toBe(to);
});

test('a browser gets a page for an unknown address, whose files are found at any depth', async () => {
  const { status, headers, text } = await server.send('/docs/a/b/c', BROWSER);
  expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(text).toContain('href="/metrics-data/docs/_astro/site.1a2b.css"');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
});

test.each([
  '/docs/nothing',
  '/docs/how-to',
  '/docs/built-from',
  '/docs/how-to/deploy/index.html.gz',
  '/docs/..%2fcontrol.sqlite',
  '/docs/how-to/..%2f..%2f..%2fcontrol.sqlite',
])('another caller gets a problem for %s', async (path) => {
  const { status, text } = await server.send(path, ANYBODY);
  expect([status, JSON.parse(text).reason]).toEqual([404, 'ROUTE_NOT_FOUND']);
});

test('without an explorer, the root leads to the documentation', async () => {
  const { status, headers } = await server.send('/metrics-data/', ANYBODY);
  expect([status, headers.get('location')]).toEqual([302, 'docs/']);
});

test('the documentation is not in the description of the API, nor sent by POST', async () => {
  const { text } = await server.send('/openapi.json', ANYBODY);
  expect(Object.keys(JSON.parse(text).paths).filter((path) => path.startsWith('/docs'))).toEqual(
    [],
  );
  expect((await server.send('/docs/', { method: 'POST' })).status).toBe(405);
});

test('without the documentation there is none of its pages', async () => {
  expect((await sendWithout('/docs/how-to/deploy/', ANYBODY)).status).toBe(401);
});
