import type { Dataset } from '@locmetrics/core/domain/dataset';
import { Stop } from '@locmetrics/core/runtime/stop';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { ClickhouseCluster } from '../clickhouse-cluster.ts';
import type { ClickhouseDriver } from '../clickhouse-driver.ts';
import { CLUSTER_INSERT_SETTINGS, QUERY_SETTINGS } from '../query-settings.ts';
import { quoteText } from '../quote-text.ts';
import { createTableSql, recordTable, type TableName, tableName } from '../record-table.ts';
import { haveTextIndexes } from './have-text-indexes.ts';
import { readTableName } from './read-table-name.ts';
import type { TableVersion, VersionTables } from './version-tables.ts';

/**
 * The tables of versions on a cluster. Every server has a table of the records of its shard, and a `Distributed` table
 * over those of all shards:
 *
 * - `<version>.shard`: the records of the shard.
 * - `<version>.loading`: over all shards, for inserts; there only while the version is loaded.
 * - `<version>`: over all shards, for queries; it is made when all records are stored.
 *
 * `ON CLUSTER` waits for all servers and fails if one does not answer, so a version is either known to all servers or
 * not published. A server that was away runs the statements that it missed, in their order, when it returns.
 */
export function clusterTables({
  driver,
  database,
  cluster,
}: {
  readonly driver: ClickhouseDriver;
  readonly database: string;
  readonly cluster: ClickhouseCluster;
}): VersionTables {
  const onCluster = `ON CLUSTER ${quoteIdentifier(cluster.name)}`;
  const named = (version: TableName, suffix = '') =>
    recordTable(database, { ...version, version: `${version.version}${suffix}` });
  const drop = (table: string) => driver.command(`DROP TABLE IF EXISTS ${table} ${onCluster} SYNC`);
  const createOverShards = (version: TableName, suffix: string, key: readonly string[] = []) =>
    driver.command(
      `CREATE TABLE IF NOT EXISTS ${named(version, suffix)} ${onCluster} AS ${named(version, SHARD)} ENGINE = Distributed(${[
        quoteText(cluster.name),
        quoteText(database),
        quoteText(tableName({ ...version, version: `${version.version}${SHARD}` })),
        ...key,
      ].join(', ')})`,
    );
  const list = (text: string) =>
    driver.query({ text, parameters: [] }, { settings: QUERY_SETTINGS, signal: new Stop() });
  const removeLoading = async (version: TableName): Promise<void> => {
    for (const suffix of [LOADING, SHARD]) await drop(named(version, suffix));
  };
  return {
    // Each shard may have another part of a broken load, so that one begins again.
    findLoading: async () => undefined,
    create: async (version, content) => {
      await removeLoading(version);
      await driver.command(
        createTableSql(named(version, SHARD), version.dataset, {
          content,
          hasTextIndexes: await haveTextIndexes(driver, cluster),
          onCluster,
          engine: cluster.replicated ? replicatedEngine(database, version) : undefined,
        }),
      );
      await createOverShards(version, LOADING, [shardingKey(version.dataset)]);
      return { table: named(version, LOADING), settings: CLUSTER_INSERT_SETTINGS };
    },
    settle: async (version) => {
      if (!cluster.replicated) return;
      // A query may be sent to any server of a shard, also one that has not copied all records yet.
      await driver.command(`SYSTEM SYNC REPLICA ${onCluster} ${named(version, SHARD)}`);
    },
    complete: async (version) => {
      await createOverShards(version, '');
      await drop(named(version, LOADING));
    },
    remove: async (version) => {
      await drop(named(version));
      await removeLoading(version);
    },
    removeLoading,
    list: async () => {
      const names = await list(
        `SELECT name FROM system.tables WHERE database = ${quoteText(database)} AND engine = 'Distributed' ORDER BY name`,
      );
      const parts = await list(
        `SELECT table, sum(rows), sum(bytes_on_disk) FROM cluster(${quoteText(cluster.name)}, system, parts) WHERE active AND database = ${quoteText(database)} GROUP BY table`,
      );
      const sizes = new Map(
        parts.map(([table, rows, bytes]) => [table, { rows: Number(rows), bytes: Number(bytes) }]),
      );
      return names.flatMap(([name]) => {
        const read = readTableName(String(name), LOADING);
        if (read === undefined) return [];
        const records = `${read.datasetName}/${read.version}${SHARD}`;
        return [{ ...read, ...(sizes.get(records) ?? { rows: 0, bytes: 0 }) }];
      });
    },
  };
}

const SHARD = '.shard';
const LOADING = '.loading';

/**
 * Records are spread by the first field of the key that is no day and no boolean, as in `place_id, month`: the records of
 * a place are on one shard, and the places spread evenly. A key of days alone is spread by all of them.
 */
function shardingKey({ key, fields }: Dataset): string {
  const isSpread = (name: string) =>
    fields.some((field) => field.name === name && SPREAD_TYPES.includes(field.type));
  const first = key.find(isSpread);
  const names = first === undefined ? key : [first];
  return `cityHash64(${names.map(quoteIdentifier).join(', ')})`;
}

const SPREAD_TYPES: readonly string[] = ['string', 'integer'];

/** The servers with the same `{shard}` find each other by the path. */
function replicatedEngine(database: string, version: TableVersion): string {
  const path = `/clickhouse/tables/{shard}/${database}/${tableName(version)}`;
  return `ReplicatedMergeTree(${quoteText(path)}, '{replica}')`;
}
