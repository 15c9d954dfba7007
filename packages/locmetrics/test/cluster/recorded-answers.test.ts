import { openClickhouseEngine } from '@locmetrics/cluster/clickhouse/engine/open-clickhouse-engine';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answers, openAnswers } from '../answers/open-answers.ts';
import { randomGrants } from '../answers/random-grants.ts';
import { type Asked, randomRequest } from '../answers/random-requests.ts';
import { PARKS } from '../edge/parks.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, ORGANISATION_ID, type TestData } from '../edge/test-data.ts';
import { openTestServer, type TestServer } from '../edge/test-server.ts';
import { announceSeed } from '../support/test-seed.ts';
import { CLUSTER_URLS } from './cluster-engine.ts';
import { loadTable } from './load-table.ts';
import { oldCluster } from './old-cluster.ts';
import { TEST_CLUSTER } from './start-cluster.ts';

const REQUESTS = 1000;
const DATABASE = 'recorded_answers';
const { openDriver, dialectOf } = oldCluster(CLUSTER_URLS ?? []);
const driver = openDriver();
const place = { driver, database: DATABASE, cluster: TEST_CLUSTER };

let data: TestData;
let embedded: TestServer;
let clustered: TestServer;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  await data.publishFiles(PARKS);
  await driver.command(
    `CREATE DATABASE ${DATABASE} ON CLUSTER ${quoteIdentifier(TEST_CLUSTER.name)}`,
  );
  for (const version of readCurrentVersions(data.directory)) {
    await loadTable(place, data.directory, version);
  }
  embedded = await openTestServer(data);
  clustered = await openTestServer(data, {
    openEngine: () =>
      openClickhouseEngine({ ...place, dialectOf, connectionsMax: 4, waitingMax: 100 }),
  });
}, 600_000);
afterAll(async () => {
  await embedded.close();
  await clustered.close();
  const cluster = `ON CLUSTER ${quoteIdentifier(TEST_CLUSTER.name)}`;
  await openDriver().command(`DROP DATABASE ${DATABASE} ${cluster}`);
  await data.remove();
}, 600_000);

test('recorded requests have the same answers from two shards and from the files of one machine', {
  timeout: 600_000,
}, async () => {
  const seed = announceSeed('answers from a cluster');
  const tokens = new Map([
    [ORGANISATION_ID, data.token],
    ['admin', data.adminToken],
  ]);
  for (const [index, grants] of fc.sample(randomGrants, { seed, numRuns: 10 }).entries()) {
    const organisationId = `granted-${index}`;
    await administer('organisations', { id: organisationId, name: organisationId });
    const scopes = ['catalog', 'metrics'];
    const token = await administer('tokens', { organisationId, name: 'test', scopes });
    tokens.set(organisationId, String(Reflect.get(Object(token), 'token')));
    for (const grant of grants) await administer('grants', { organisationId, ...grant });
  }
  const organisations = [...tokens.keys()].filter((name) => name !== 'admin');
  const asked = fc.sample(randomRequest.filter(readsData), { seed, numRuns: REQUESTS });
  const [fromFiles, fromCluster] = [embedded, clustered].map(({ url, grpcAddress }) =>
    openAnswers({ url, grpcAddress, tokens, stop: async () => {} }),
  );
  const answer = (answers: Answers | undefined, request: Asked, index: number) =>
    answers?.answersOf(
      index % 3 === 0 ? ORGANISATION_ID : (organisations[index % organisations.length] ?? ''),
      request,
    );
  let succeeded = 0;
  for (const [index, request] of asked.entries()) {
    const expected = await answer(fromFiles, request, index);
    expect({ request, answer: await answer(fromCluster, request, index) }).toEqual({
      request,
      answer: expected,
    });
    if (/"status":"(200|OK)"/.test(expected ?? '')) succeeded += 1;
  }
  fromFiles?.close();
  fromCluster?.close();
  expect(succeeded).toBeGreaterThan(REQUESTS / 5);
});

/** Usage grows with each request, and an explanation names the engine. */
function readsData(asked: Asked): boolean {
  return asked.kind === 'grpc' || !/^\/v1\/(admin|usage)|explain/.test(asked.path);
}

async function administer(path: string, body: object): Promise<unknown> {
  const { status, text } = await embedded.send(`/v1/admin/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (status < 300) return JSON.parse(text);
  throw new Error(`${path} ${JSON.stringify(body)}: ${text}`);
}
