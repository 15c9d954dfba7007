import type { ClickhouseSettings } from '@locmetrics/cluster/clickhouse/clickhouse-driver';

/**
 * A statement of `cluster/clickhouse/publish` as ClickHouse 18.16 knows it: without indexes and projections, and with
 * columns that are all `Nullable`.
 */
export function toOldStatement(text: string): string {
  const statement = text
    .replace(/ SYNC$/, '')
    .replace(/ SETTINGS (?:non_)?replicated_deduplication_window = \d+.*$/, '')
    .replace('clusterAllReplicas(', 'cluster(')
    .replaceAll(/, INDEX "(?:[^"]|"")*" "(?:[^"]|"")*" TYPE minmax GRANULARITY 1/g, '')
    .replace(/, PROJECTION "_box" \(SELECT \* ORDER BY [^)]*\)/, '')
    .replaceAll(/LowCardinality\(((?:Nullable\()?\w+\)?)\)/g, '$1')
    .replace(/cityHash64\((.*)\)\)$/, (_, names: string) => {
      const present = names.split(', ').map((name) => `assumeNotNull(${name})`);
      return `cityHash64(${present.join(', ')}))`;
    });
  const isTable = /^CREATE TABLE .* ENGINE = \w*MergeTree/.test(statement);
  if (!isTable) return statement;
  return statement.replaceAll(
    /(" )(?:Nullable\()?(String|Int64|Float64|Bool|Int32)\)?(?=[,)])/g,
    (_, before: string, type: string) => `${before}Nullable(${type === 'Bool' ? 'UInt8' : type})`,
  );
}

/** The table of queries over the one that a statement makes, and its columns, all quoted; undefined for other statements. */
export function toCreatedTable(text: string) {
  const [, table = '', suffix, columns = ''] =
    /^CREATE TABLE (\S+)(\.shard") ON CLUSTER "\w+" \((.*)\) ENGINE = \w*MergeTree/.exec(text) ??
    [];
  if (suffix === undefined) return undefined;
  const names =
    columns.split(', INDEX ')[0]?.matchAll(/(?:^|, )("(?:[^"]|"")*"|_\w+) [A-Z]/g) ?? [];
  return { table: `${table}"`, columns: [...names].map(([, name = '']) => name) };
}

/** The settings of `query-settings.ts` that it has, and one more: values are part of the text, and texts may have 256 KiB. */
export function toOldSettings(settings: ClickhouseSettings): ClickhouseSettings {
  const known = Object.entries(settings).filter(([name]) => !NEWER_SETTINGS.has(name));
  return { ...Object.fromEntries(known), max_query_size: 64 * 2 ** 20 };
}

const NEWER_SETTINGS = new Set([
  'prefer_global_in_and_join',
  'precise_float_parsing',
  'prefer_column_name_to_alias',
  'transform_null_in',
  'insert_deduplication_token',
  'max_insert_threads',
  'async_insert',
]);
