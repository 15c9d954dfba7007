import type { ClickhouseCluster } from '@locmetrics/cluster/clickhouse/clickhouse-cluster';
import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import type { VersionTables } from '@locmetrics/cluster/clickhouse/publish/version-tables';
import { expect, test } from 'vitest';
import { defineTable } from '../conformance/table.ts';

const { version } = defineTable({
  name: 'acme.visits',
  fields: { month: 'date', place: 'string', visits: 'integer', visitors: 'integer' },
  key: ['month', 'place'],
  rows: [],
});

test('on one server a version is filled under another name and renamed', async () => {
  expect(await statementsOf(undefined, load)).toMatchInlineSnapshot(`
    "DROP TABLE IF EXISTS "locmetrics"."acme.visits/0123456789ab.loading" SYNC
    SELECT version()
    CREATE TABLE "locmetrics"."acme.visits/0123456789ab.loading" (_row Int64, "month" Int32, "place" LowCardinality(String), "_fold_place" LowCardinality(String), "_search_place" LowCardinality(String), "visits" Nullable(Int64), "visitors" Int64, INDEX "_range_month" "month" TYPE minmax GRANULARITY 1, INDEX "_range_place" "place" TYPE minmax GRANULARITY 1, INDEX "_range_visits" "visits" TYPE minmax GRANULARITY 1, INDEX "_range_visitors" "visitors" TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY _row SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 16384, allow_nullable_key = 1
    RENAME TABLE "locmetrics"."acme.visits/0123456789ab.loading" TO "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab""
  `);
});

test('on a cluster each shard has a table, and a table over all shards is made when they are filled', async () => {
  expect(await statementsOf({ name: 'metrics', replicated: false }, load)).toMatchInlineSnapshot(`
    "DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.loading" ON CLUSTER "metrics" SYNC
    DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ON CLUSTER "metrics" SYNC
    SELECT version() FROM clusterAllReplicas('metrics', system, one)
    CREATE TABLE "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ON CLUSTER "metrics" (_row Int64, "month" Int32, "place" LowCardinality(String), "_fold_place" LowCardinality(String), "_search_place" LowCardinality(String), "visits" Nullable(Int64), "visitors" Int64, INDEX "_range_month" "month" TYPE minmax GRANULARITY 1, INDEX "_range_place" "place" TYPE minmax GRANULARITY 1, INDEX "_range_visits" "visits" TYPE minmax GRANULARITY 1, INDEX "_range_visitors" "visitors" TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY _row SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 16384, allow_nullable_key = 1
    CREATE TABLE IF NOT EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.loading" ON CLUSTER "metrics" AS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ENGINE = Distributed('metrics', 'locmetrics', 'acme.visits/20240101T000000000Z-0123456789ab.shard', cityHash64("place"))
    CREATE TABLE IF NOT EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab" ON CLUSTER "metrics" AS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ENGINE = Distributed('metrics', 'locmetrics', 'acme.visits/20240101T000000000Z-0123456789ab.shard')
    DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.loading" ON CLUSTER "metrics" SYNC"
  `);
});

test('on a replicated cluster the servers of a shard have copied all records before the version is named', async () => {
  expect(await statementsOf({ name: 'metrics', replicated: true }, load)).toMatchInlineSnapshot(`
    "DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.loading" ON CLUSTER "metrics" SYNC
    DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ON CLUSTER "metrics" SYNC
    SELECT version() FROM clusterAllReplicas('metrics', system, one)
    CREATE TABLE "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ON CLUSTER "metrics" (_row Int64, "month" Int32, "place" LowCardinality(String), "_fold_place" LowCardinality(String), "_search_place" LowCardinality(String), "visits" Nullable(Int64), "visitors" Int64, INDEX "_range_month" "month" TYPE minmax GRANULARITY 1, INDEX "_range_place" "place" TYPE minmax GRANULARITY 1, INDEX "_range_visits" "visits" TYPE minmax GRANULARITY 1, INDEX "_range_visitors" "visitors" TYPE minmax GRANULARITY 1) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/locmetrics/acme.visits/20240101T000000000Z-0123456789ab', '{replica}') ORDER BY _row SETTINGS replicated_deduplication_window = 10000, index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 16384, allow_nullable_key = 1
    CREATE TABLE IF NOT EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.loading" ON CLUSTER "metrics" AS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ENGINE = Distributed('metrics', 'locmetrics', 'acme.visits/20240101T000000000Z-0123456789ab.shard', cityHash64("place"))
    SYSTEM SYNC REPLICA ON CLUSTER "metrics" "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard"
    CREATE TABLE IF NOT EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab" ON CLUSTER "metrics" AS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ENGINE = Distributed('metrics', 'locmetrics', 'acme.visits/20240101T000000000Z-0123456789ab.shard')
    DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.loading" ON CLUSTER "metrics" SYNC"
  `);
});

test('outlines have no folded column and no index', async () => {
  const areas = defineTable({
    name: 'acme.areas',
    fields: { id: 'string', outline: { type: 'string', outline: true } },
    key: ['id'],
    rows: [],
  }).version;
  const statements = await statementsOf(undefined, async (tables) => {
    await tables.create(areas, { hasFewTexts: () => false, isPresent: () => false });
  });
  expect(/\(_row [^)]*\)[^)]*\)/.exec(statements)?.[0]).toMatchInlineSnapshot(
    `"(_row Int64, "id" String, "_fold_id" String, "_search_id" String, "outline" Nullable(String), INDEX "_range_id" "id" TYPE minmax GRANULARITY 1)"`,
  );
});

test.each([
  [['26.2.1.1'], true],
  [['27.1.3.2', '26.11.1.1'], true],
  [['25.8.12.5'], false],
  [['26.1.9.9'], false],
  [['26.7.1.1', '25.8.12.5'], false],
])(
  'searchable fields have a text index if all servers know it: %j',
  async (versions, isExpected) => {
    const named = defineTable({
      name: 'acme.names',
      fields: { name: { type: 'string', searchable: true } },
      rows: [],
    }).version;
    const create = async (tables: VersionTables): Promise<void> => {
      await tables.create(named, { hasFewTexts: () => false, isPresent: () => true });
    };
    const cluster = versions.length > 1 ? { name: 'metrics', replicated: false } : undefined;
    expect((await statementsOf(cluster, create, versions)).includes('TYPE text(')).toBe(isExpected);
  },
);

test('the table that queries use is removed before the records', async () => {
  const remove = (tables: VersionTables) => tables.remove(version);
  expect(await statementsOf(undefined, remove)).toMatchInlineSnapshot(
    `"DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab" SYNC"`,
  );
  expect(await statementsOf({ name: 'metrics', replicated: true }, remove)).toMatchInlineSnapshot(`
    "DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab" ON CLUSTER "metrics" SYNC
    DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.loading" ON CLUSTER "metrics" SYNC
    DROP TABLE IF EXISTS "locmetrics"."acme.visits/20240101T000000000Z-0123456789ab.shard" ON CLUSTER "metrics" SYNC"
  `);
});

test.each([
  [['place', 'month'], 'cityHash64("place")'],
  [['month', 'visits'], 'cityHash64("visits")'],
  [['month'], 'cityHash64("month")'],
])('records with the key %j are spread by %s', async (key, expression) => {
  const dataset = { ...version.dataset, key };
  const statements = await statementsOf({ name: 'metrics', replicated: false }, (tables) =>
    tables
      .create({ ...version, dataset }, { hasFewTexts: () => false, isPresent: () => false })
      .then(() => {}),
  );
  expect(statements).toContain(expression);
});

async function load(tables: VersionTables): Promise<void> {
  await tables.create(version, {
    hasFewTexts: ({ name }) => name === 'place',
    isPresent: ({ name }) => name === 'visitors',
  });
  await tables.settle(version);
  await tables.complete(version);
}

/** The statements that a server would get, each on a line. */
async function statementsOf(
  cluster: ClickhouseCluster | undefined,
  act: (tables: VersionTables) => Promise<void>,
  versions: readonly string[] = ['26.7.1.1'],
): Promise<string> {
  const statements: string[] = [];
  const driver: ClickhouseDriver = {
    query: async ({ text }) => {
      statements.push(text);
      return text.includes('version()') ? versions.map((release) => [release]) : [[0n]];
    },
    insertFile: async () => {},
    writeFile: async () => {},
    command: async (text) => {
      statements.push(text);
    },
    close: async () => {},
  };
  await act(openVersionTables({ driver, database: 'locmetrics', cluster }));
  return statements.join('\n');
}
