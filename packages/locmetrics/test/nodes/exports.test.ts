import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  keepSelfSigned,
  type SelfSignedFiles,
} from '@locmetrics/server/edge/listening/tls/keep-self-signed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../commands/start-service.ts';
import { SHOPS } from '../edge/shops.ts';
import { freePort } from '../support/listen-locally.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type NodesUnderTest, openNodes } from './nodes-under-test.ts';

let nodes: NodesUnderTest;
let tls: SelfSignedFiles;
const addresses = new Map<string, { readonly http: string; readonly https: string }>();
let first: Service;
let second: Service;
let token = '';
let deleted = '';

beforeAll(async () => {
  const folder = temporaryFolder();
  tls = await keepSelfSigned({ folder: join(folder, 'tls'), temporary: join(folder, 'temporary') });
  nodes = await openNodes({
    LOCMETRICS_CLICKHOUSE_ROW_FILES: '0',
    NODE_EXTRA_CA_CERTS: tls.authorityFile,
  });
  await nodes.publish('first', SHOPS);
  await nodes.run('second', 'org', 'create', 'Shops', '--id', 'shops');
  await nodes.run('first', 'grant', 'add', 'shops', '*');
  const created = ['token', 'create', '--org', 'shops', '--name', 'reader'];
  token = (await nodes.run('second', ...created)).trim();
  [first, second] = [await serve('first'), await serve('second')];
}, 600_000);
afterAll(() => nodes.end(), 60_000);

/** Callers use HTTP; the other nodes use HTTPS, with a certificate of an authority that only they know. */
async function serve(node: string): Promise<Service> {
  const [http, https] = [await freePort(), await freePort()];
  return serveAt(node, { http: `127.0.0.1:${http}`, https: `127.0.0.1:${https}` });
}

function serveAt(
  node: string,
  address: { readonly http: string; readonly https: string },
): Promise<Service> {
  const { http, https } = address;
  addresses.set(node, address);
  const { certificateFile, keyFile } = tls;
  return nodes.serve(
    node,
    ...['--http', http, '--https', https, '--node-url', `https://${https}`],
    ...['--tls-certificate', certificateFile, '--tls-key', keyFile],
  );
}

type Exported = {
  readonly id: string;
  readonly status: string;
  readonly errorReason?: string;
  readonly fileExportInfo?: {
    readonly files: readonly { readonly url: string; readonly sizeBytes: number }[];
  };
};

async function call<Answer = Exported>(
  { url }: Service,
  operation: string,
  body: object,
): Promise<Answer> {
  const response = await fetch(`${url}/v3/catalog/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // The tests read what their answers have.
  return (await response.json()) as Answer;
}

/** The records of a large export. */
const RECORDS = 200_000;

/** Creates an export at the first node; returns it once it is complete, as the second node sees it. */
async function exported(): Promise<Exported> {
  const { id } = await call(first, 'createRecordsExport', { dataReferenceName: 'shop.codes' });
  return until(async () => {
    const now = await call(second, 'getRecordsExport', { id });
    return now.status !== 'RUNNING' && now;
  });
}

/** The link to the first file of an export, at a node. */
function linkAt({ url }: Service, { fileExportInfo }: Exported): string {
  const { pathname, search } = new URL(fileExportInfo?.files[0]?.url ?? '');
  return `${url}${pathname}${search}`;
}

test('any node tells of an export, serves its files and deletes it', async () => {
  const done = await exported();
  expect(done).toMatchObject({ status: 'COMPLETED' });
  const fileAt = async (node: Service) => {
    const response = await fetch(linkAt(node, done));
    const { status } = response;
    return { status, text: await response.text(), headers: Object.fromEntries(response.headers) };
  };
  const { status, text, headers } = await fileAt(first);
  const forwarded = await fileAt(second);
  expect(status).toBe(200);
  expect(text.length).toBe(done.fileExportInfo?.files[0]?.sizeBytes);
  expect([forwarded.status, forwarded.text]).toEqual([status, text]);
  const names = ['content-type', 'content-length', 'content-disposition', 'etag', 'cache-control'];
  for (const name of [...names, 'last-modified', 'accept-ranges']) {
    expect([name, forwarded.headers[name]]).toEqual([name, headers[name]]);
  }
  const ask = async (given: Readonly<Record<string, string>>, method = 'GET') => {
    const response = await fetch(linkAt(second, done), { method, headers: given });
    return [response.status, response.headers.get('content-range'), await response.text()];
  };
  const etag = headers['etag'] ?? '';
  const size = text.length;
  expect(await ask({ range: 'bytes=1-3', 'if-range': etag })).toEqual([
    ...[206, `bytes 1-3/${size}`, text.slice(1, 4)],
  ]);
  expect(await ask({ range: 'bytes=999999-' })).toEqual([416, `bytes */${size}`, '']);
  expect(await ask({ 'if-none-match': etag })).toEqual([304, null, '']);
  expect(await ask({ 'if-match': '"other"' })).toEqual([412, null, '']);
  expect(await ask({}, 'HEAD')).toEqual([200, null, '']);
  const changed = linkAt(second, done).replace(/signature=./, 'signature=_');
  expect((await fetch(changed)).status).toBe(404);
  // A request that was forwarded is not forwarded again.
  expect((await ask({ 'x-locmetrics-forwarded': '1' }))[0]).toBe(503);

  type List = { readonly recordsExports: readonly Exported[] };
  const { recordsExports } = await call<List>(second, 'listRecordsExports', {});
  expect(recordsExports.map(({ id }) => id)).toEqual([done.id]);
  expect(await nodes.run('second', 'exports', 'list')).toContain(done.id);
  deleted = done.id;
  await call(second, 'deleteRecordsExport', { id: deleted });
  expect(await call(first, 'getRecordsExport', { id: done.id })).toMatchObject({
    reason: 'EXPORT_NOT_FOUND',
  });
  for (const node of [first, second]) expect((await fetch(linkAt(node, done))).status).toBe(404);
});

test('another key ends the links at all nodes', async () => {
  const done = await exported();
  await nodes.run('first', 'exports', 'rotate-key');
  await expect.poll(async () => (await fetch(linkAt(second, done))).status).toBe(404);
  await expect.poll(async () => (await fetch(linkAt(first, done))).status).toBe(404);
  // The second node may have refused the link only because the first one did: it learns of the key a moment later.
  await expect
    .poll(async () => {
      const again = await call(second, 'getRecordsExport', { id: done.id });
      return (await fetch(linkAt(second, again))).status;
    })
    .toBe(200);
});

test('an export outlives outages of PostgreSQL, and has each record once', async () => {
  const rows = Array.from({ length: RECORDS }, (_, index) => `C${index},Label ${index}`);
  await nodes.publish('first', {
    'locmetrics.yaml': `format: 1
products: { many: { display_name: Many } }
datasets:
  many.codes: { files: codes.csv, key: [code], fields: { code: { type: string }, label: { type: string } } }
`,
    'codes.csv': ['code,label', ...rows, ''].join('\n'),
  });
  const body = { dataReferenceName: 'many.codes' };
  // The node learns of the dataset.
  const { id } = await until(async () => {
    const created = await call<Partial<Exported>>(first, 'createRecordsExport', body);
    return created.id !== undefined && { id: created.id };
  });
  for (const mode of ['immediate', 'fast', 'immediate'] as const) {
    await nodes.postgres.stop(mode);
    const { status } = await fetch(`${first.url}/v3/catalog/getRecordsExport`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id }),
    });
    expect(status).toBe(503);
    await nodes.postgres.start();
  }
  const done = await until(async () => {
    const now = await call(second, 'getRecordsExport', { id });
    return (now.status === 'COMPLETED' || now.status === 'FAILED') && now;
  });
  expect(done).toMatchObject({ status: 'COMPLETED' });
  const text = await (await fetch(linkAt(second, done))).text();
  expect(text.trimEnd().split(/\r?\n/).slice(1).sort()).toEqual(rows.sort());
});

test('while the node with the files is stopped, others refuse its links for now; it has them again when it starts', async () => {
  const done = await exported();
  first.kill('SIGKILL');
  await first.ended;
  const refused = await fetch(linkAt(second, done));
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
  expect(await call(second, 'getRecordsExport', { id: done.id })).toMatchObject({
    status: 'COMPLETED',
  });
  const address = addresses.get('first');
  if (address === undefined) throw new Error('The first node was not served.');
  first = await serveAt('first', address);
  expect((await fetch(linkAt(second, done))).status).toBe(200);
  const isKept = (id: string) => existsSync(join(nodes.directoryOf('first'), 'exports', id));
  expect(isKept(done.id)).toBe(true);
  await expect.poll(() => isKept(deleted)).toBe(false);
});

test('a node without a URL has no exports', async () => {
  const third = await nodes.serve('third');
  expect(await call(third, 'listRecordsExports', {})).toMatchObject({ reason: 'EXPORTS_OFF' });
  third.kill('SIGTERM');
  await third.ended;
});
