import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['bench/test/**/*.test.ts', 'packages/*/{test,sample}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two workers on the two cores we promise; each test file is a process of its own.
    pool: 'forks',
    maxWorkers: 2,
  },
});
