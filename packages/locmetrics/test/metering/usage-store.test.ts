// @module-tag slow

import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { announceSeed } from '../support/test-seed.ts';
import { testMerging } from './merging-suite.ts';
import { testReading } from './reading-suite.ts';
import { useUsageFiles } from './usage-under-test.ts';

const SEED = announceSeed('usage segments');

describe('usage in a file of the data directory', () => {
  const files = useUsageFiles();
  testMerging(files, SEED);
  testReading(files);

  test('only the owner can read the store', async () => {
    await (await openUsageStore(files())).close();
    expect((await stat(files().store)).mode & 0o777).toBe(0o600);
  });
});

describe.skipIf(!hasPostgres())(
  'usage in PostgreSQL (PostgreSQL is not installed where it is skipped)',
  () => {
    const files = useUsageFiles();
    let server: RunningPostgres;
    let postgres: string;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      postgres = await server.createDatabase('usage');
    });
    const place = () => ({ ...files(), postgres });
    testMerging(place, SEED);
    testReading(place);
  },
);
