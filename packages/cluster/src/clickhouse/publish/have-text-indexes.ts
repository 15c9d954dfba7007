import { Stop } from '@locmetrics/core/runtime/stop';
import type { ClickhouseCluster } from '../clickhouse-cluster.ts';
import type { ClickhouseDriver } from '../clickhouse-driver.ts';
import { QUERY_SETTINGS } from '../query-settings.ts';
import { quoteText } from '../quote-text.ts';

/** Whether a server, or each server of a cluster, has text indexes: ClickHouse has them since 26.2. */
export async function haveTextIndexes(
  driver: Pick<ClickhouseDriver, 'query'>,
  cluster?: ClickhouseCluster,
): Promise<boolean> {
  const ofAll =
    cluster === undefined
      ? ''
      : ` FROM clusterAllReplicas(${quoteText(cluster.name)}, system, one)`;
  const rows = await driver.query(
    { text: `SELECT version()${ofAll}`, parameters: [] },
    { settings: QUERY_SETTINGS, signal: new Stop() },
  );
  return rows.every(([version]) => {
    const [year = 0, month = 0] = String(version).split('.').map(Number);
    return year > 26 || (year === 26 && month >= 2);
  });
}
