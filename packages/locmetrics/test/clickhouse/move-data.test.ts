import { cp, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAnswers } from '../answers/open-answers.ts';
import { randomGrants } from '../answers/random-grants.ts';
import { type Asked, randomRequest } from '../answers/random-requests.ts';
import {
  type RunningService,
  runnerOf,
  serveData,
  startService,
} from '../answers/start-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { announceSeed } from '../support/test-seed.ts';
import { addressOf, createDatabase } from './create-database.ts';
import { startChdbServer } from './start-chdb-server.ts';

const REQUESTS = 300;
const DATA_FILES = ['records.duckdb', 'rows.sqlite'];

const server = await startChdbServer();
const database = await createDatabase(server.url);
let folder = '';
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(async () => {
  await database.driver.close();
  await server.stop();
});

test('data that move into ClickHouse, to another directory without files and back give the same answers', {
  timeout: 900_000,
}, async () => {
  const seed = announceSeed('answers from ClickHouse');
  const organisations = [
    { id: 'everything', grants: [{ pattern: '*' }] },
    ...fc.sample(randomGrants, { seed, numRuns: 5 }).map((grants, index) => ({
      id: `granted-${index}`,
      grants,
    })),
  ];
  const ids = organisations.map(({ id }) => id);
  const asked = fc.sample(randomRequest, { seed, numRuns: REQUESTS });
  const embedded = await startService(folder, organisations);
  const { tokens } = embedded;
  const answersFrom = (service: Omit<RunningService, 'tokens'>) =>
    listAnswers({ ...service, tokens }, asked, ids);
  const published = await answersFrom(embedded);
  const succeeded = published.filter((line) => /"status":"(200|OK)"/.test(line));
  expect(succeeded.length).toBeGreaterThan(REQUESTS / 10);

  // Into ClickHouse, beside the files.
  const data = join(folder, 'data');
  const flags = ['--clickhouse', addressOf(server.url, database)];
  const loaded = JSON.parse(await runnerOf(data)('clickhouse', 'load', '--json', ...flags));
  expect(loaded.versions).toHaveLength(7);
  expect(await runnerOf(data)('verify', ...flags)).toContain('table with the same content');
  expect(await answersFrom(await serveData(data, ...flags))).toEqual(published);

  // A directory without data files.
  const bare = join(folder, 'bare');
  await cp(data, bare, {
    recursive: true,
    filter: (path) => !DATA_FILES.includes(basename(path)) && !path.includes('/leases'),
  });
  expect(await listDataFiles(bare)).toEqual([]);
  expect(await answersFrom(await serveData(bare, ...flags))).toEqual(published);

  // Back into files.
  await runnerOf(bare)('clickhouse', 'fetch', ...flags);
  expect(await listDataFiles(bare)).toEqual(await listDataFiles(data));
  expect(await runnerOf(bare)('verify')).not.toMatch(/damaged|slower/);
  expect(await answersFrom(await serveData(bare))).toEqual(published);
});

/** The answers to all requests, a line for each. The service is stopped afterwards. */
async function listAnswers(
  service: RunningService,
  asked: readonly Asked[],
  organisations: readonly string[],
): Promise<readonly string[]> {
  const { answersOf, close } = openAnswers(service);
  try {
    const lines: string[] = [];
    for (const [index, one] of asked.entries()) {
      // Of three requests, two see everything.
      const organisation = organisations[index % 3 === 0 ? index % organisations.length : 0] ?? '';
      lines.push(`${JSON.stringify(one)} ${await answersOf(organisation, one)}`);
    }
    return lines;
  } finally {
    close();
    await service.stop();
  }
}

async function listDataFiles(data: string): Promise<readonly string[]> {
  const files = await readdir(join(data, 'versions'), { recursive: true });
  return files.filter((file) => DATA_FILES.includes(basename(file))).toSorted();
}
