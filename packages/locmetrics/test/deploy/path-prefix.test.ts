// @module-tag slow

import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startService } from '../commands/start-service.ts';
import { TILED_SHOPS } from '../edge/map/tiled-shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { freePort } from '../support/listen-locally.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ask } from './open-callers.ts';
import {
  makeCertificates,
  NO_NGINX,
  nodeFlags,
  startDocumentedNginx,
  startNginx,
} from './start-nginx.ts';

const PREFIX = '/metrics-data';
/** On a busy machine, a service takes long to start. */
const TIMEOUT_MS = 600_000;

let folder = '';
let data: TestData;
const running: { readonly stop: () => Promise<void> }[] = [];
beforeAll(async () => {
  folder = temporaryFolder();
  data = await createTestData();
  await data.publishFiles(TILED_SHOPS);
});
afterEach(async () => {
  for (const nginx of running.splice(0)) await nginx.stop();
});
afterAll(async () => {
  await data.remove();
});

test('below a path, deploy/nginx/nginx.conf needs only the base path of the nodes', {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  if (NO_NGINX !== undefined) return skip(NO_NGINX);
  makeCertificates(folder);
  const ports = { https: await freePort(), grpc: await freePort() };
  const flags = nodeFlags(folder, ports);
  await startService(data.directory.root, [...flags, '--base-path', PREFIX]);
  const nginx = await startNginx(folder, [ports, ports]);
  running.push(nginx);
  const ca = readFileSync(join(folder, 'public.pem'));
  const authorization = `Bearer ${data.token}`;
  const get = (path: string) =>
    // A caller cannot claim a prefix.
    ask(`${nginx.url}${path}`, { ca, headers: { authorization, 'x-forwarded-prefix': '/a' } });
  await expectAddresses(nginx.url, get);
});

test.skipIf(NO_NGINX !== undefined).each([
  ['a base path', 0, ['--base-path', PREFIX]],
  ['nginx that removes it', 1, []],
] as const)(
  'below a path, the page about proxies is right for %s',
  {
    timeout: TIMEOUT_MS,
  },
  async (_, block, flags) => {
    const page = readFileSync('docs/how-to/run-as-a-service.md', 'utf8');
    const blocks = [...page.matchAll(/^```nginx\n(.*?)^```$/gms)].map(([, text = '']) => text);
    expect(blocks).toHaveLength(2);
    const port = await freePort();
    await startService(data.directory.root, [
      ...['--http', `127.0.0.1:${port}`, '--trusted-proxies', '127.0.0.1', ...flags],
    ]);
    const text = (blocks[block] ?? '')
      .replace('location / {', `location ${PREFIX}/ {`)
      .replace('127.0.0.1:8080', `127.0.0.1:${port}`);
    const nginx = await startDocumentedNginx(folder, text);
    running.push(nginx);
    const authorization = `Bearer ${data.token}`;
    const headers = { authorization, 'x-forwarded-prefix': '/a' };
    await expectAddresses(nginx.url, (path) => getPlain(`${nginx.url}${path}`, headers));
  },
);

type Get = (path: string) => Promise<{ readonly status: number; readonly text: string }>;

/** The addresses in answers are those that a caller of nginx uses. */
async function expectAddresses(url: string, get: Get): Promise<void> {
  const json = async (path: string) => JSON.parse((await get(`${PREFIX}${path}`)).text);
  const { tiles } = await json('/v3/catalog/map.shops/tiles.json');
  expect(tiles).toEqual([`${url}${PREFIX}/v3/catalog/map.shops/tiles/{z}/{x}/{y}.mvt`]);
  const tile = tiles[0].replace(/\{\w\}/g, '0').slice(url.length);
  expect((await get(tile)).status).toBe(200);
  expect((await json('/openapi.json')).servers[0].url).toBe(PREFIX);
  const { status, instance } = await json('/v1/catalogs/none/metrics?billingContext=acme');
  expect([status, instance]).toEqual([404, `${PREFIX}/v1/catalogs/none/metrics`]);
  const page = await get(`${PREFIX}/docs/api/`);
  const [file = ''] = /assets\/[^"]+\.js/.exec(page.text) ?? [];
  expect((await get(`${PREFIX}/${file}`)).status).toBe(200);
}

function getPlain(url: string, headers: Readonly<Record<string, string>>): ReturnType<Get> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Get>>>();
  request(url, { headers, agent: false }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
  })
    .on('error', reject)
    .end();
  return promise;
}
