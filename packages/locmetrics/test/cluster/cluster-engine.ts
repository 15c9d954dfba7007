import { clickhouseEngineWith } from '../clickhouse/clickhouse-engine.ts';
import type { EngineUnderTest } from '../conformance/engines/engine-under-test.ts';
import { oldCluster } from './old-cluster.ts';
import { TEST_CLUSTER } from './start-cluster.ts';

/** The addresses of the servers that `npm run test:cluster` has started; undefined in other runs. */
export const CLUSTER_URLS = process.env['LOCMETRICS_TEST_CLUSTER_URLS']?.split(' ');

/** The engine over the cluster of these servers. */
export function clusterEngine(urls: readonly string[]): EngineUnderTest {
  const { openDriver, dialectOf } = oldCluster(urls);
  return clickhouseEngineWith({ openDriver, cluster: TEST_CLUSTER, dialectOf });
}
