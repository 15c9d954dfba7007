// @module-tag slow

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { openTestServer, type TestServer, useTestServer } from '../test-server.ts';
import { writeBuiltPages } from './built-pages.ts';
import { sendRaw } from './raw-request.ts';

/** Files are served at `/`, `/docs/api/` and below `/assets/`, without a token. */
const { data } = useTestServer((to) => to.publishFiles(SHOPS));
let server: TestServer;
beforeAll(async () => {
  const folder = writeBuiltPages(data().directory.root);
  server = await openTestServer(data(), { pages: { folder, explorer: true } });
});
afterAll(() => server.close());

test.each([
  ['an encoded backslash', '/assets/..%5c..%5cpackage.json'],
  ['two dots', '/assets/../../package.json'],
  ['encoded dots', '/assets/%2e%2e/%2e%2e/package.json'],
  ['two slashes', '/assets//etc/passwd'],
  ['dots at its end', '/assets/..'],
  ['a drive', '/assets/C:%5cx'],
  ['a share', '/assets/%5c%5cserver%5cshare'],
  ['a null byte', '/assets/page-1a2b.js%00'],
  ['a null byte below a file', '/assets/page-1a2b.js/assets../&%00'],
  ['a long name', `/assets/${'a'.repeat(3000)}`],
])('there is no file at a path with %s', async (_, path) => {
  const answer = await get(path, `Authorization: Bearer ${data().token}`);
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    reason: 'ROUTE_NOT_FOUND',
    hint: expect.stringMatching(/./),
  });
  expect(failures()).toEqual([]);
});

test('no address at random is a fault of the service', async () => {
  const piece = fc.constantFrom(
    ...['..', '.', '/', '\\', '%2e', '%2f', '%5c', '%00', '%ff', '%', '%c0%ae', '%252e', '*', ':'],
    ...['index.html', 'assets', 'page-1a2b.js', 'theme', 'x', ';', '?', '&', '#', '~'],
  );
  const prefix = fc.constantFrom('/', '/docs/', '/docs/api/', '/assets/', '/docs/api');
  const address = fc
    .tuple(prefix, fc.array(piece, { maxLength: 8 }))
    .map(([begin, pieces]) => begin + pieces.join(''));
  await fc.assert(
    fc.asyncProperty(address, async (path) => {
      expect(await get(path)).toMatch(/^HTTP\/1\.1 (200|302|308|400|401|404) /);
      expect(failures()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test.each([
  'Range: bytes=99999999-',
  'Range: bytes=0-1',
  'If-Match: "x"',
  'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
])('a file is sent as a whole with the header %s', async (header) => {
  for (const path of ['/docs/api/', '/', '/assets/page-1a2b.js']) {
    expect(await get(path, header)).toMatch(/^HTTP\/1\.1 200 /);
  }
  expect(failures()).toEqual([]);
});

function get(path: string, ...headers: readonly string[]): Promise<string> {
  const head = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  return sendRaw(server.url, `${head.join('\r\n')}\r\n\r\n`);
}

function failures() {
  return server.log().filter(({ kind }) => kind === 'request_failed');
}
