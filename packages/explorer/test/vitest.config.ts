import { defineConfig } from 'vitest/config';

/** The tests in a browser: `npm run test:browser`. Files share the machine with a browser and a service each. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['browser/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
