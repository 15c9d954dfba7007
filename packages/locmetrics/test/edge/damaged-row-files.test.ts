import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import { sealFiles } from '@locmetrics/ingest/publish/seal-files';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { SHOPS } from './shops.ts';
import { createTestData, type TestData } from './test-data.ts';
import { openTestServer, type TestServer } from './test-server.ts';

const NAME = 'shop.stores';
const FILES = {
  ...SHOPS,
  'locmetrics.yaml': SHOPS['locmetrics.yaml']
    .replace('    existence: { start: opened, end: closed }\n', '')
    .replace('city: { type: string }', 'city: { type: string, searchable: true }')
    .replace('count: { type: integer }', 'count: { type: integer, sorted: true }'),
};

/** Each is answered by the row store, if there is one, but for the last one. */
const REQUESTS: readonly (readonly [string, object])[] = [
  ['/v3/catalog/listRecords', { pageSize: 2 }],
  [
    '/v3/catalog/listRecords',
    { filters: [{ fieldName: 'store_id', operator: '==', value: 'S2' }] },
  ],
  ['/v3/catalog/listRecords', { options: { orderBy: { fieldName: 'count', direction: 'DESC' } } }],
  [
    '/v3/catalog/listRecords',
    { options: { boundingBox: { minLat: 47, maxLat: 48, minLng: 8, maxLng: 9 } } },
  ],
  ['/v3/catalog/searchFieldValues', { field: { name: 'city' }, term: 'ric' }],
  [
    '/v1/catalogs/shop/metrics/customers/values:search',
    { catalogId: 'shop', metricId: 'customers', featureFilter: ['S1'], billingContext: 'acme' },
  ],
  [
    '/v3/catalog/listRecords',
    { filters: [{ fieldName: 'city', operator: 'contains', value: 'u' }] },
  ],
];

let data: TestData;
let server: TestServer;
let version: string;
let folder: string;
let rowFile: string;

beforeEach(async () => {
  // A worker asks again after a minute.
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  data = await createTestData();
  await data.publishFiles(FILES);
  version = openCatalog(data.directory).snapshot().datasets.get(NAME)?.version ?? '';
  folder = data.directory.version(NAME, version);
  rowFile = join(folder, 'rows.sqlite');
});

afterEach(async () => {
  await server.close();
  await data.remove();
  vi.useRealTimers();
});

async function openServer(): Promise<void> {
  server = await openTestServer(data, { checksRowFiles: true });
}

/** The store that would answer a page in the order of the key. */
async function store(): Promise<string> {
  const { text } = await server.send('/v1/admin/explain/listRecords', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${data.adminToken}` },
    body: JSON.stringify({ dataReferenceName: NAME, pageSize: 2 }),
  });
  return JSON.parse(text).queries[0].store;
}

const problems = (): readonly unknown[] =>
  server
    .log()
    .filter(({ kind }) => kind === 'row_file_unusable')
    .map(({ level, dataset, version: named, problem }) => [level, dataset, named, problem]);

async function answers(): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const [path, body] of REQUESTS) {
    const { status, text } = await server.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(path.startsWith('/v3') ? { dataReferenceName: NAME, ...body } : body),
    });
    expect([status, text]).toEqual([200, expect.any(String)]);
    bodies.push(text);
  }
  return bodies;
}

/** Changes one bit of a file. */
async function flip(path: string, position: number): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
  await writeFile(path, bytes);
}

/** Changes one bit in the middle of a value of the row file. */
async function flipIn(sql: string): Promise<void> {
  const database = new DatabaseSync(rowFile, { readOnly: true });
  const [value] = Object.values(database.prepare(sql).get() ?? {});
  database.close();
  const sought = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
  const at = (await readFile(rowFile)).indexOf(sought);
  expect(at).toBeGreaterThan(0);
  await flip(rowFile, at + (sought.length >> 1));
}

/** Rewrites the description of the version. */
async function describeAgain(change: object): Promise<void> {
  const text = sealedText({ ...readVersionFile(folder), ...change });
  await writeFile(join(folder, 'version.json'), text);
}

/** As a release with another layout would leave it. */
async function changeLayout(layout: number): Promise<void> {
  const database = new DatabaseSync(rowFile);
  database.exec(`PRAGMA user_version = ${layout}`);
  database.close();
  await describeAgain({ derived: await sealFiles(folder, ['rows.sqlite'], {}) });
}

async function takeThatOfAnotherVersion(): Promise<void> {
  const stores = SHOPS['stores.csv'].replace('zug', 'Zug');
  const before = await readFile(rowFile);
  await data.publishFiles({ ...FILES, 'stores.csv': stores }, '2024-02-01T00:00:00.000Z');
  version = openCatalog(data.directory).snapshot().datasets.get(NAME)?.version ?? '';
  folder = data.directory.version(NAME, version);
  rowFile = join(folder, 'rows.sqlite');
  await writeFile(rowFile, before);
}

const CHANGED = 'rows.sqlite does not have the content with which it was published.';

type Damage = readonly [string, () => Promise<unknown>, unknown];

const LEFT_OUT = 'a row file that %s is left out and told once; a repair is used without a restart';

test.each<Damage>([
  ['is missing', () => rm(rowFile), 'rows.sqlite is missing.'],
  ['is cut', () => truncate(rowFile, 8192), expect.stringContaining('has 8192 bytes instead of ')],
  ['has a flipped bit in a block', () => flipIn('SELECT data FROM blocks'), CHANGED],
  ['has an older layout', () => changeLayout(0), expect.stringContaining('has the layout 0, ')],
])(LEFT_OUT, isLeftOut);

// One comparison of the whole content finds all of these.
test.each<Damage>([
  ['has a flipped bit in its header', () => flip(rowFile, 20), CHANGED],
  ['has a flipped bit in its first page', () => flip(rowFile, 101), CHANGED],
  ['has a flipped bit in the series', () => flipIn('SELECT value FROM series'), CHANGED],
  ['has a flipped bit in an order', () => flipIn('SELECT data FROM order_0'), CHANGED],
  ['has a flipped bit in the points', () => flipIn('SELECT data FROM points'), CHANGED],
  ['has a flipped bit in the boxes', () => flipIn('SELECT data FROM boxes'), CHANGED],
  ['has a flipped bit in the values', () => flipIn('SELECT data FROM values_0'), CHANGED],
  ['has a flipped bit in the facts', () => flipIn('SELECT facts FROM facts'), CHANGED],
  ['belongs to another version', takeThatOfAnotherVersion, CHANGED],
])(LEFT_OUT, { tags: 'slow' }, isLeftOut);

async function isLeftOut(
  _: string,
  spoil: () => Promise<unknown>,
  problem: unknown,
): Promise<void> {
  await spoil();
  await openServer();
  const fromColumns = await answers();
  await expect.poll(problems).toEqual([[40, NAME, version, problem]]);
  expect(await store()).toBe('columns');
  expect(await answers()).toEqual(fromColumns);
  expect(await server.scrape()).toContain('locmetrics_row_files_unusable_total 1\n');

  const repair = ['verify', '--repair', '--data', data.directory.root];
  expect((await runCommand(repair)).data).toContain('intact, row file written again');
  vi.advanceTimersByTime(61_000);
  await expect.poll(store).toBe('rows');
  expect(await answers()).toEqual(fromColumns);
  expect(problems()).toHaveLength(1);
}

test('a version of a release without row files is served by the column store, and nothing is told', async () => {
  await openServer();
  await expect.poll(store).toBe('rows');
  const fromRows = await answers();
  await server.close();
  await rm(rowFile);
  await describeAgain({ derived: undefined });
  await openServer();
  expect(await store()).toBe('columns');
  expect(await answers()).toEqual(fromRows);
  expect(problems()).toEqual([]);
});

test('a row file that fails while it is read is left out, and the answer comes from the column store', async () => {
  await openServer();
  await expect.poll(store).toBe('rows');
  const fromRows = await answers();
  await server.close();
  const database = new DatabaseSync(rowFile);
  database.exec('DELETE FROM order_0');
  database.close();
  // Its own release would have sealed it so.
  await describeAgain({ derived: await sealFiles(folder, ['rows.sqlite'], {}) });
  await openServer();
  await expect.poll(store).toBe('rows');
  expect(await answers()).toEqual(fromRows);
  expect(problems()).toEqual([[40, NAME, version, expect.stringContaining('order_0 has 0 of 1')]]);
  expect(await store()).toBe('columns');
});
