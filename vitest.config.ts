import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const CANCELLATION = 'packages/locmetrics/test/conformance/cancellation.test.ts';

const LONGEST =
  /\/(publish-steps|switches-under-load|shared-limits|killed-workers|killed-publishes|grpc-half-open|version-stores|group-limit|tiny|random-(comparisons|plans|tiles|rights|steps)|metric-order|postgres-usage-crashes|many-nodes|workers|demo|tutorial-pages)\.test\.ts$/;

/** Begins with the files that take minutes, so that a run does not end with one of them alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** `--mode all` runs what `npm test` leaves out, and repeats in full what it repeats a few times. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['packages/*/{test,sample}/**/*.test.ts', 'bench/test/**/*.test.ts'],
    // Those of the generated clients run where these are made: npm run test:api-description.
    // Those of the explorer run in a browser: npm run test:browser.
    // Those of ClickHouse run where it is installed, with a cancellation of their own: npm run test:clickhouse.
    exclude: [
      'packages/locmetrics/test/api-description/**',
      'packages/explorer/test/browser/**',
      process.env['LOCMETRICS_TEST_CHDB'] === undefined
        ? 'packages/locmetrics/test/clickhouse/**'
        : CANCELLATION,
      // So do those of several nodes over it.
      process.env['LOCMETRICS_TEST_CHDB'] === undefined
        ? 'packages/locmetrics/test/nodes/**'
        : CANCELLATION,
      // Those of a cluster run where it is started: npm run test:cluster.
      process.env['LOCMETRICS_TEST_CLUSTER_URLS'] === undefined
        ? 'packages/locmetrics/test/cluster/**'
        : CANCELLATION,
    ],
    pool: 'forks',
    // Much memory and one thread to collect it: a process runs a hundred files, and both cores are busy anyway.
    execArgv: [
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      '--initial-heap-size=2048',
      '--single-threaded-gc',
      // Buffers outside the heap begin no collection before that size either.
      '--external-memory-accounted-in-global-limit',
    ],
    sequence: { sequencer: LongestFirst },
    // Files share a process, so that the engine, Fastify and grpc-js are loaded once.
    isolate: false,
    globalSetup: ['packages/locmetrics/test/support/run-folder.ts'],
    setupFiles: ['packages/locmetrics/test/support/setup.ts'],
    // Three files at once on two cores, because many tests wait; those of test:all rarely do. Four take longer.
    maxWorkers: mode === 'all' ? 2 : 3,
    // Far above the need, because a busy machine is tens of times slower; what is met ends at once.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    env: { LOCMETRICS_TEST_COUNTS: mode === 'all' ? 'all' : 'few' },
    tags: [
      {
        name: 'slow',
        description: 'takes seconds: npm run test:all runs it, npm test does not',
        timeout: 600_000,
      },
      { name: 'sized', description: 'repeats: a few times in npm test, in full in test:all' },
    ],
  },
}));
