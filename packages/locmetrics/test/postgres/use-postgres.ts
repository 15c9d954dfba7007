import { afterAll, beforeAll, beforeEach } from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from './start-postgres.ts';

/** PostgreSQL for the tests of a file, which are skipped if it is not installed. */
export function usePostgres(): () => RunningPostgres {
  let server: RunningPostgres | undefined;
  beforeAll(async () => {
    if (hasPostgres()) server = await startPostgres();
  });
  afterAll(() => server?.end());
  beforeEach((context) => context.skip(!hasPostgres(), 'PostgreSQL is not installed.'));
  return () => {
    if (server === undefined) throw new Error('PostgreSQL does not run.');
    return server;
  };
}
