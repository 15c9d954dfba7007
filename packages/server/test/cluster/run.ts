/**
 * Runs the conformance suite, and the tests beside this file, on a cluster of ClickHouse: `npm run test:cluster`. It has
 * two shards, of Debian's old `clickhouse-server`, and a ZooKeeper. The packages are taken from the folder
 * LOCMETRICS_TEST_CLICKHOUSE, where they are unpacked, or are downloaded into a temporary folder. If they cannot be had,
 * this is said and nothing is tested. Arguments are those of vitest. The last line of the output is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countReport } from '../count-report.ts';
import { startCluster } from './start-cluster.ts';
import { unpackPackages } from './unpack-packages.ts';

const TESTS = ['packages/server/test/conformance', 'packages/server/test/cluster'];
const root = join(import.meta.dirname, '..', '..', '..', '..');
const workspace = mkdtempSync(join(tmpdir(), 'locmetrics-cluster-'));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
process.once('exit', () => rmSync(workspace, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

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
  say('0 passed, 0 failed');
} else {
  say(`A cluster of ClickHouse ${cluster.version} with ${cluster.shards.length} shards`);
  const urls = cluster.shards.flatMap((servers) => servers.map(({ url }) => url));
  const status = runTests(urls);
  await cluster.stop();
  const { passed, failed } = countReport(reportFile());
  process.exitCode = status === 0 && failed === 0 ? 0 : 1;
  say(
    'Not tested: a cluster of current servers, and bound values, which these servers do not have.',
  );
  say(`${passed} passed, ${status === 0 ? failed : Math.max(failed, 1)} failed`);
}

function runTests(urls: readonly string[]): number {
  const { LOCMETRICS_TEST_CHDB: _, ...environment } = process.env;
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--tags-filter=!slow', '--testTimeout=120000', '--hookTimeout=180000'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile()}`],
      ...(process.argv.length > 2 ? process.argv.slice(2) : TESTS),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...environment,
        LOCMETRICS_TEST_CLUSTER_URLS: urls.join(' '),
        LOCMETRICS_TEST_CLICKHOUSE: unpacked,
      },
    },
  );
  return status ?? 1;
}

function reportFile(): string {
  return join(workspace, 'report.json');
}
