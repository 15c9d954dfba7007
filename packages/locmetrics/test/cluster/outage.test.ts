import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type ServiceUnderTest } from '../conformance/engines/service-under-test.ts';
import { where } from '../conformance/filter-clause.ts';
import { refusalOf } from '../conformance/refusal.ts';
import { defineTable, type Table } from '../conformance/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { clusterEngine } from './cluster-engine.ts';
import { openOldDriver } from './open-old-driver.ts';
import { type ClusterServer, type RunningCluster, startCluster } from './start-cluster.ts';

/** A cluster of its own, because its servers are stopped: two shards, each with two servers. */
const PLACES = 400;
const ROWS = PLACES * 12;
const TABLE = defineTable({
  name: 'conformance.outage',
  fields: { place: 'string', month: 'integer', visits: 'integer' },
  key: ['place', 'month'],
  rows: Array.from({ length: ROWS }, (_, row) => ({
    place: `place ${Math.floor(row / 12)}`,
    month: BigInt(row % 12),
    visits: BigInt(row),
  })),
});
/**
 * A shard that is gone is noticed at once; one that is silent, after the limit in `query-settings.ts`. Both take longer on a
 * busy machine; without these settings they would take the 300 s of the database or of the service.
 */
const GONE_MS = 20_000;
const SILENT_MS = 60_000;
/** Five processes start. */
const START_MS = 180_000;

let folder = '';
let cluster: RunningCluster | undefined;
let service: ServiceUnderTest | undefined;
beforeAll(async () => {
  folder = temporaryFolder();
  const unpacked = process.env['LOCMETRICS_TEST_CLICKHOUSE'] ?? '';
  cluster = await startCluster({
    unpacked,
    folder,
    shardCount: 2,
    replicaCount: 2,
    waits: { statementMaxS: 5, silentMaxS: 3, tickMs: 500 },
  });
  service = await openService(clusterEngine(urls()), [TABLE]);
}, START_MS);
afterAll(async () => {
  try {
    await service?.close();
  } finally {
    await cluster?.stop();
  }
});

test('the records are on both shards, those of a place on one, and all servers of a shard have the same', async () => {
  const counts = await Promise.all(
    shards().map((servers) => Promise.all(servers.map(({ url }) => countOn(url)))),
  );
  const perShard = counts.map(([first]) => first ?? { rows: 0, places: 0 });
  expect(counts).toEqual(perShard.map((count) => [count, count]));
  expect(perShard.reduce((sum, { rows }) => sum + rows, 0)).toBe(ROWS);
  expect(perShard.reduce((sum, { places }) => sum + places, 0)).toBe(PLACES);
  for (const { rows } of perShard) expect(rows).toBeGreaterThan(ROWS / 3);
});

test('with one server of each shard stopped all records are answered', async () => {
  await server(0, 1).stop();
  await server(1, 0).stop();
  expect(await totalSize()).toBe(ROWS);
  await server(0, 1).start();
  await server(1, 0).start();
});

test('without a shard requests are refused, never answered in part; with it again they are answered', async () => {
  await server(1, 0).stop();
  await server(1, 1).stop();
  for (const _ of [1, 2, 3]) {
    expect(await within(GONE_MS, refusalOf(totalSize()))).toMatchInlineSnapshot(`
      "NOT_READY
      A server of the database does not answer, so some of the records cannot be read.
      Try again in a few seconds. If the error persists, the operator of the database must restart the server."
    `);
  }
  const onePlace = { filters: [where('place', '==', 'place 1')] };
  expect(await refusalOf(asked().listRecords(onePlace))).toContain('NOT_READY');
  await expect(probe()).rejects.toThrow();

  await server(1, 1).start();
  await expect.poll(totalSize).toBe(ROWS);
  await probe();
  await server(1, 0).start();
});

test('a shard that is silent is refused after seconds', async () => {
  server(1, 0).pause();
  server(1, 1).pause();
  try {
    expect(await within(SILENT_MS, refusalOf(totalSize()))).toContain('NOT_READY');
  } finally {
    server(1, 0).resume();
    server(1, 1).resume();
  }
  await expect.poll(totalSize).toBe(ROWS);
  // On a busy machine the pause outlasts the session with ZooKeeper. Then this old server answers queries, but takes no
  // statements for the whole cluster until it starts again. The next test starts the other one again.
  await server(1, 0).stop();
  await server(1, 0).start();
});

test('a version is not published while a server is stopped, and is when it has returned', async () => {
  const later = nextVersion();
  await server(1, 1).stop();
  await expect(asked().publish(later)).rejects.toThrow('unfinished hosts');
  // The other server of the shard has just started, and the first queries may meet its former connections.
  await expect.poll(totalSize).toBe(ROWS);

  await server(1, 1).start();
  // It takes statements for the whole cluster some seconds after it answers queries.
  const publish = () =>
    asked()
      .publish(later)
      .then(() => 'published', String);
  await expect.poll(publish).toBe('published');
  expect(await totalSize()).toBe(later.rows.length);
  const counts = await Promise.all(urls().map((url) => countOn(url, later.version.version)));
  expect(counts.reduce((sum, { rows }) => sum + rows, 0)).toBe(2 * later.rows.length);
});

/** The records of a version on one server, and their places. */
async function countOn(url: string, version = TABLE.version.version) {
  const driver = openOldDriver([url]);
  try {
    const signal = new AbortController().signal;
    const query = (text: string) =>
      driver.query({ text, parameters: [] }, { settings: {}, signal });
    const [[database, name] = []] = await query(
      `SELECT database, name FROM system.tables WHERE name = '${TABLE.version.dataset.name}/${version}.shard'`,
    );
    const [[rows, places] = []] = await query(
      `SELECT toUInt32(count()), toUInt32(uniqExact(place)) FROM "${database}"."${name}"`,
    );
    return { rows: Number(rows), places: Number(places) };
  } finally {
    await driver.close();
  }
}

function nextVersion(): Table {
  const { version, rows } = TABLE;
  const some = rows.slice(0, ROWS / 2);
  const name = '20240201T000000000Z-0123456789ab';
  return { version: { ...version, version: name, rowCount: some.length }, rows: some };
}

async function within<Answer>(timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  const began = performance.now();
  const answered = await answer;
  expect(performance.now() - began).toBeLessThan(timeoutMs);
  return answered;
}

function asked(): ServiceUnderTest {
  if (service === undefined) throw new Error('The cluster is not started.');
  return service;
}

function shards(): RunningCluster['shards'] {
  if (cluster === undefined) throw new Error('The cluster is not started.');
  return cluster.shards;
}

function server(shard: number, replica: number): ClusterServer {
  const found = shards()[shard]?.[replica];
  if (found === undefined) throw new Error(`There is no server ${shard}, ${replica}.`);
  return found;
}

function urls(): readonly string[] {
  return shards().flatMap((servers) => servers.map(({ url }) => url));
}

/** The number of all records. Without a filter the service knows it, and asks no server. */
async function totalSize(): Promise<number> {
  const question = { filters: [where('visits', '>=', '0')], countOnly: true };
  return Number((await asked().listRecords(question)).totalSize);
}

async function probe(): Promise<void> {
  await asked().context().engine.status?.probe();
}
