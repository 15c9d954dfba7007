import { defineConfig } from 'vitest/config';

const TESTS = 'packages/*/{test,sample}/**';
/** Tests that start processes, or that change what belongs to the process they run in. */
const PROCESSES = ['bench/test/**', 'packages/server/test/commands/**'];
const limits = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Two workers on the two cores we promise.
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'rooms',
          include: [`${TESTS}/*.test.ts`],
          exclude: [...PROCESSES, '**/*.slow.test.ts'],
          // Files share a process, so that the engine, Fastify and grpc-js are loaded once.
          isolate: false,
          ...limits,
        },
      },
      {
        test: {
          name: 'processes',
          include: PROCESSES.map((folder) => `${folder}/*.test.ts`),
          exclude: ['**/*.slow.test.ts'],
          ...limits,
        },
      },
      {
        test: {
          name: 'all',
          include: [`${TESTS}/*.{sized,slow}.test.ts`, 'bench/test/**/*.slow.test.ts'],
          env: { LOCMETRICS_TEST_ALL: '1' },
          ...limits,
        },
      },
    ],
  },
});
