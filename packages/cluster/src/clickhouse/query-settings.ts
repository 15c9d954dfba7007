import type { ClickhouseSettings } from './clickhouse-driver.ts';

/** The settings under which ClickHouse reads numbers as they are written, in parameters and in inserted rows. */
export const READ_SETTINGS: ClickhouseSettings = {
  // Otherwise the last digit of a double is sometimes lost.
  precise_float_parsing: 1,
};

/** The settings under which statements of `core/sql/clickhouse-dialect.ts` mean what the same plan means elsewhere. */
export const QUERY_SETTINGS: ClickhouseSettings = {
  ...READ_SETTINGS,
  // A column is meant where an alias has its name, as in standard SQL.
  prefer_column_name_to_alias: 1,
  // Absent values are never in a list.
  transform_null_in: 0,
  // JSON has whole numbers of up to 53 bits.
  output_format_json_quote_64bit_integers: 1,
};

/** In addition, on a cluster: an answer is that of all shards, or an error. */
export const CLUSTER_QUERY_SETTINGS: ClickhouseSettings = {
  // A subquery over the records of a version sees all shards: it runs once, and each shard gets its rows.
  distributed_product_mode: 'global',
  // The mode alone fails in current servers for a subquery over two versions: "Invalid local IN function name globalIn".
  prefer_global_in_and_join: 1,
  // A shard that does not answer is an error, not a part that is missing.
  skip_unavailable_shards: 0,
  // So is one whose servers have all fallen behind, by seconds.
  max_replica_delay_for_distributed_queries: 1,
  fallback_to_stale_replicas_for_distributed_queries: 0,
  // A server that works sends its progress several times a second, so one that is silent for so many seconds has failed.
  receive_timeout: 3,
  // The first attempt may meet a connection that a restart has closed. More would take longer than a caller waits.
  connections_with_failover_max_tries: 2,
};

/** An insert returns when all shards have stored their rows. */
export const CLUSTER_INSERT_SETTINGS: ClickhouseSettings = {
  ...READ_SETTINGS,
  insert_distributed_sync: 1,
};
