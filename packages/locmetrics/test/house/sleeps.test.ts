import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const SUPPORT = 'packages/locmetrics/test/support/';

/** Tests in which time itself passes, with what takes it. */
const DELAYED: Readonly<Record<string, string>> = {
  'packages/locmetrics/test/auth/shared/many-nodes.test.ts': 'kills at random instants',
  'packages/locmetrics/test/clickhouse/cancellation.test.ts': 'callers that leave at each stage',
  'packages/locmetrics/test/commands/killed-publishes.test.ts': 'kills at random instants',
  'packages/locmetrics/test/conformance/cancellation.test.ts': 'callers that leave at each stage',
  'packages/locmetrics/test/edge/grpc/grpc-cancellation.test.ts':
    'a caller that leaves near its deadline',
  'packages/locmetrics/test/edge/grpc/grpc-stop.test.ts': 'a slow line',
  'packages/locmetrics/test/edge/grpc/grpc-tls.test.ts': 'files that are read again and again',
  'packages/locmetrics/test/metering/limit-node.ts': 'a load of so many requests a second',
  'packages/locmetrics/test/metering/merging-suite.ts': 'kills at each stage',
  'packages/locmetrics/test/metering/postgres-usage-crashes.test.ts': 'kills at random instants',
  'packages/locmetrics/test/metering/recording-process.ts': 'a load of so many requests a second',
  'packages/locmetrics/test/metering/shared-limits.test.ts': 'outages and loads of seconds',
  'packages/locmetrics/test/metering/usage-process.ts': 'a merge every few milliseconds',
  'packages/locmetrics/test/observe/log.test.ts': 'a reader that reads nothing for a second',
  'packages/locmetrics/test/serving/killed-workers.test.ts': 'a load of so many requests a second',
  'packages/locmetrics/test/serving/many-connections.test.ts': 'a service without descriptors',
  'packages/locmetrics/test/serving/workers.test.ts': 'a worker that is silent for seconds',
  'packages/locmetrics/test/soak/run.ts': 'minutes of load',
};

/** They stop queries again and again, or limit how long a test waits for an answer. */
const TIMERS = [
  'packages/locmetrics/test/clickhouse/cancellation.test.ts',
  'packages/locmetrics/test/clickhouse/chdb-server.ts',
  'packages/locmetrics/test/clickhouse/open-chdb.ts',
];

const files = globSync(['packages/*/test/**/*.ts', 'bench/test/**/*.ts'], { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.startsWith(SUPPORT) && !path.includes('/node_modules/'));
const filesWith = (pattern: RegExp) =>
  files.filter((path) => pattern.test(readFileSync(join(ROOT, path), 'utf8'))).sort();

test('no test sleeps: it waits for a condition, or the list says what takes time', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(filesWith(/(?<![.\w])setTimeout\(|import \{[^}]*\bsetTimeout\b/)).toEqual(TIMERS);
  expect(filesWith(/support\/delay\.ts'/)).toEqual(Object.keys(DELAYED));
});

test('no test has a poll of its own', () => {
  expect(filesWith(/\bvi\.(waitFor|waitUntil)\(/)).toEqual([]);
});

test('no test makes a temporary folder of its own', () => {
  expect(filesWith(/mkdtemp(Sync)?\([^)]*tmpdir\(\)/)).toEqual([]);
});
