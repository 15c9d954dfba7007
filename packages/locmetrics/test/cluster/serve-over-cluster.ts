/**
 * Serves a data directory over HTTP from a cluster of two shards, which it starts and loads with the current versions: for
 * the benchmark. `node packages/locmetrics/test/cluster/serve-over-cluster.ts PACKAGES DATA FOLDER`: the folder of Debian's
 * unpacked packages, the data directory, which nothing else serves, and one for the files of the cluster. When it can
 * answer, it prints its address and the version of the servers. SIGTERM ends it with the servers.
 *
 * It stands in for `locmetrics serve` with `--clickhouse-cluster`, which needs bound values, and so a newer server: the
 * driver of the tests is composed with the parts of a worker. So it is one process without a primary, over HTTP alone, and
 * the usage is recorded and not merged.
 */

import { openClickhouseEngine } from '@locmetrics/cluster/clickhouse/engine/open-clickhouse-engine';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { openHttpServer } from '@locmetrics/server/edge/http/server/open-http-server';
import { listen } from '@locmetrics/server/edge/listening/listen';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { openLimitAuthority } from '@locmetrics/server/metering/open-limit-authority';
import { openLimitKeeper } from '@locmetrics/server/metering/open-limit-keeper';
import { openLog } from '@locmetrics/server/observe/open-log';
import { pollOncePerTick } from '@locmetrics/server/service/queries/poll-once-per-tick';
import { composeService } from '../../src/compose/compose-service.ts';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { versionOperations } from '../../src/serving/run-version-operations.ts';
import { loadTable } from './load-table.ts';
import { oldCluster } from './old-cluster.ts';
import { startCluster, TEST_CLUSTER } from './start-cluster.ts';

const [, , unpacked = '', data = '', folder = ''] = process.argv;
const DATABASE = 'served';
/** As many as the worker of a service, by default. */
const QUERIES_MAX = 4;
const WAITING_MAX = 1000;
const QUERY_TIMEOUT_MS = 30_000;

// The servers end with this process.
const endAtOnce = () => process.exit(1);
process.once('SIGTERM', endAtOnce);

const cluster = await startCluster({
  unpacked,
  folder,
  shardCount: 2,
  replicaCount: 1,
  waits: { statementMaxS: 120, silentMaxS: 60, tickMs: 3_000 },
});
if (cluster === undefined) {
  throw new Error(`The cluster does not start, with the packages in ${unpacked} and this Java.`);
}
const urls = cluster.shards.flatMap((servers) => servers.map(({ url }) => url));
const { openDriver, dialectOf } = oldCluster(urls);
const driver = openDriver();
const place = { driver, database: DATABASE };
await driver.command(
  `CREATE DATABASE ${DATABASE} ON CLUSTER ${quoteIdentifier(TEST_CLUSTER.name)}`,
);
const directory = dataDirectory(data);
for (const version of readCurrentVersions(directory)) await loadTable(place, directory, version);

await (await openUsageStore(directory.usage)).close();
const { observe } = openLog();
const store = openControlStore(directory.control, { waitsForLock: false });
const { pollFirst, findCaller, catalog } = pollOncePerTick({
  store,
  catalog: openCatalog(directory),
});
const authority = openLimitAuthority({
  readUsedRows: async () => ({ day: 0, month: 0 }),
  observe,
});
const ledger = openLedger({ files: directory.usage, sync: 'normal', observe });
const engine = openClickhouseEngine({
  ...place,
  cluster: TEST_CLUSTER,
  dialectOf,
  connectionsMax: QUERIES_MAX,
  waitingMax: WAITING_MAX,
});
const { service } = await composeService({
  directory,
  catalog,
  onLeftOut: () => {},
  openColumns: async () => engine,
  openEngine: ({ columns }) => columns,
  watch: { observe, slowQueryMs: 0 },
  ledger,
  limitKeeper: openLimitKeeper({ line: authority.openLine() }),
  pageTokenKey: () => store.secret('page-token'),
  queryTimeoutMs: QUERY_TIMEOUT_MS,
});
const server = await openHttpServer({
  service,
  store: { ...store, findCaller },
  pollFirst,
  observe,
  checkReady: async () => {},
  versions: versionOperations(directory, store, { threads: 1 }),
  version: '0.0.0',
});
const port = await listen({ host: '127.0.0.1', port: 0 }, server.accept);
process.stdout.write(`listening ${port.address} ClickHouse ${cluster.version}\n`);

process.off('SIGTERM', endAtOnce);
process.once('SIGTERM', () => {
  port.close();
  void server
    .close(0)
    .then(ledger.close)
    .then(engine.close)
    .then(cluster.stop)
    .finally(() => process.exit());
});
