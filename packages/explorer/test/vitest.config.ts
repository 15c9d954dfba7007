import { defineConfig } from 'vitest/config';

/** The tests in a browser: `npm run test:browser`. Files share the machine with a browser and a service each. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['browser/**/*.test.ts'],
    pool: 'forks',
    setupFiles: ['../../locmetrics/test/support/setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // Long, because a busy machine delays a browser by seconds; a poll that is met ends at once.
    // A finding of axe is a list of lines: told in full, where a test ends with one.
    chaiConfig: { truncateThreshold: 0 },
    expect: { poll: { timeout: 120_000 } },
  },
});
