import { randomUUID } from 'node:crypto';
import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { openClickhouseEngine } from '@locmetrics/cluster/clickhouse/engine/open-clickhouse-engine';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import { QUERY_SETTINGS } from '@locmetrics/cluster/clickhouse/query-settings';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { createServiceContext } from '@locmetrics/server/service/service-context';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlainCatalog } from '../conformance/engines/plain-catalog.ts';
import { askService } from '../conformance/engines/service-under-test.ts';
import { whereIn } from '../conformance/filter-clause.ts';
import { askMetrics } from '../conformance/metrics/ask-metrics.ts';
import { PARK_TABLES } from '../conformance/parks.ts';
import { refusalOf } from '../conformance/refusal.ts';
import { openChdbDriver, UNREACHABLE_CLUSTER } from './open-chdb.ts';

/**
 * A current ClickHouse makes the tables of a cluster, and plans queries over them, as far as the connection to the first
 * shard. There are no servers behind it.
 */
const cluster = { name: UNREACHABLE_CLUSTER, replicated: false };
const database = `planned_${randomUUID()}`;
const driver = openChdbDriver();
/** `ON CLUSTER` needs servers that answer, so the statements run here alone. */
const here: ClickhouseDriver = {
  ...driver,
  // The server answers for the shards which release they have.
  query: ({ text, ...statement }, options) => {
    const asked = text.replace(/ FROM clusterAllReplicas\(.*\)$/, '');
    return driver.query({ ...statement, text: asked }, options);
  },
  command: (text) => driver.command(text.replace(` ON CLUSTER "${cluster.name}"`, '')),
};
const catalog = openPlainCatalog();
const engine = openClickhouseEngine({
  driver,
  database,
  cluster,
  connectionsMax: 1,
  waitingMax: 100,
});
const context = createServiceContext({
  catalog,
  engine,
  pageTokenKey: () => new Uint8Array(32),
  queryTimeoutMs: 20_000,
});

beforeAll(async () => {
  await driver.command(`CREATE DATABASE ${quoteIdentifier(database)}`);
  const tables = openVersionTables({ driver: here, database, cluster });
  for (const { version } of PARK_TABLES) {
    await tables.create(version, {
      hasFewTexts: ({ name }) => name === 'kind',
      isPresent: () => false,
    });
    await tables.complete(version);
    catalog.publish(version);
  }
});
afterAll(() => driver.command(`DROP DATABASE ${quoteIdentifier(database)} SYNC`));

test('a version has the records of the shard, and a table over all shards by the name of the version', async () => {
  const text = `SELECT engine, count() FROM system.tables WHERE database = {p1:String} GROUP BY engine ORDER BY engine`;
  const statement = { text, parameters: [{ type: 'string', value: database } as const] };
  const { signal } = new AbortController();
  expect(await driver.query(statement, { settings: QUERY_SETTINGS, signal })).toEqual([
    ['Distributed', BigInt(PARK_TABLES.length)],
    ['MergeTree', BigInt(PARK_TABLES.length)],
  ]);
});

test.each(PARK_TABLES.flatMap(({ version }) => version.metrics))(
  'values of the metric $metricId are planned, and refused because the shards do not answer',
  async (metric) => {
    const { metricId, layerId } = metric;
    const { searchMetricValues } = askMetrics(context, { metricId, layerId });
    expect(await refusalOf(searchMetricValues())).toContain('NOT_READY');
    expect(await refusalOf(searchMetricValues({ countOnly: true }))).toContain('NOT_READY');
  },
);

test('other searches of a metric are planned too', async () => {
  const [metric] = PARK_TABLES.flatMap(({ version }) => version.metrics);
  const { metricId = '', layerId = '' } = metric ?? {};
  const service = askMetrics(context, { metricId, layerId });
  expect(await refusalOf(service.searchLayerFeatures({ query: 'a' }))).toContain('NOT_READY');
  expect(
    await refusalOf(service.searchAddressComponentValues({ component: 'state', valueIds: ['23'] })),
  ).toContain('NOT_READY');
  expect(await refusalOf(service.searchDimensionValues({ dimensionId: 'age' }))).toContain(
    'NOT_READY',
  );
});

test('records are planned too, with their order and long lists of values', async () => {
  const [table] = PARK_TABLES;
  const service = askService(context, table.version.dataset.name);
  const values = Array.from({ length: 1_000 }, (_, index) => `park ${index}`);
  const question = {
    filters: [whereIn('park', 'in', values)],
    orderBy: { fieldName: 'park', descending: true },
  };
  expect(await refusalOf(service.listRecords(question))).toContain('NOT_READY');
});
