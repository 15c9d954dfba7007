import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { openTestServer, type TestServer, useTestServer } from './test-server.ts';

const PAGE = '<!doctype html><title>Explorer</title>';
const SCRIPT = `export const shops = ${JSON.stringify(Array.from({ length: 500 }, (_, i) => i))};`;
const ANYBODY = { headers: { authorization: '' } };

const { data, send: sendWithout } = useTestServer((to) => to.publishFiles(SHOPS));
let server: TestServer;
beforeAll(async () => {
  const folder = join(data().directory.root, 'explorer');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'built-from'), 'a hash');
  writeFileSync(join(folder, 'assets', 'page-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'page-1a2b.js.gz'), gzipSync(SCRIPT));
  server = await openTestServer(data(), { explorer: folder });
});
afterAll(() => server.close());

test('anybody gets the page, which may load and send nothing elsewhere', async () => {
  const { status, headers, text } = await server.send('/', ANYBODY);
  expect([status, text]).toEqual([200, PAGE]);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-cache');
  const policy = headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
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

test('without an explorer there is nothing at the root', async () => {
  expect((await sendWithout('/', ANYBODY)).status).toBe(401);
  expect((await sendWithout('/')).status).toBe(404);
});
