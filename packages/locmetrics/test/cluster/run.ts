/**
 * Runs the conformance suite, and the tests beside this file, on a cluster of ClickHouse: `npm run test:cluster`. It has
 * two shards, of Debian's old `clickhouse-server`, and a ZooKeeper. The packages are taken from the folder
 * LOCMETRICS_TEST_CLICKHOUSE, where they are unpacked, or are downloaded into a temporary folder. If they cannot be had,
 * this is said and nothing is tested. Arguments are those of vitest. The last line of the output is `N passed, N failed`.
 */

import { join } from 'node:path';
import { prepareRun } from '../support/prepare-run.ts';
import { startCluster } from './start-cluster.ts';
import { unpackPackages } from './unpack-packages.ts';

const TESTS = ['packages/locmetrics/test/conformance', 'packages/locmetrics/test/cluster'];
const { workspace, say, runVitest, end } = prepareRun();

const unpacked = unpackPackages(join(workspace, 'packages'));
const cluster = await startCluster({
  unpacked,
  folder: join(workspace, 'cluster'),
  shardCount: 2,
  replicaCount: 1,
  // No server fails here, and the machine may be busy.
  waits: { statementMaxS: 120, silentMaxS: 60, tickMs: 3_000 },
});
if (cluster === undefined) {
  say(
    'Not tested: a cluster of ClickHouse, because the packages of Debian or Java cannot be used here.',
  );
} else {
  say(`A cluster of ClickHouse ${cluster.version} with ${cluster.shards.length} shards`);
  const urls = cluster.shards.flatMap((servers) => servers.map(({ url }) => url));
  const { LOCMETRICS_TEST_CHDB: _, ...environment } = process.env;
  runVitest(['--tags-filter=!slow'], TESTS, {
    ...environment,
    LOCMETRICS_TEST_CLUSTER_URLS: urls.join(' '),
    LOCMETRICS_TEST_CLICKHOUSE: unpacked,
  });
  await cluster.stop();
  say(
    'Not tested: a cluster of current servers, and bound values, which these servers do not have.',
  );
}
end();
