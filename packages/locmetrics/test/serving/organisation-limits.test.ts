import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { linesOf } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(async () => {
  await data.remove();
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const UNLIMITED = {
  requestsPerSecond: 0,
  burst: 0,
  rowsPerDay: 0,
  rowsPerMonth: 0,
  concurrentQueries: 0,
};

/** A new organisation for each test, because the usage of a day is kept. */
let organisationId = '';
let token = '';
let created = 0;
beforeEach(() => {
  created += 1;
  organisationId = `limited-${created}`;
  data.store.createOrganisation({ id: organisationId, name: organisationId });
  data.store.addGrant(organisationId, wholeGrant('', '*'));
  token = data.store.createToken({ organisationId, name: 'test' }).tokenText;
});

function setLimits(limits: OrganisationLimits): void {
  data.store.setLimits(organisationId, { ...UNLIMITED, ...limits });
}

/** A service with two workers, and the organisation with these limits. */
function serve(limits: OrganisationLimits): Promise<Service> {
  setLimits(limits);
  return startService(data.directory.root, ['--workers', '2']);
}

/** Lists two records on a new connection, which may go to another worker. */
async function listCodes(serving: Service, pageSize = 100): Promise<Response> {
  const answer = await fetch(`${serving.url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { ...headers(), connection: 'close' },
    body: JSON.stringify({ dataReferenceName: 'shop.codes', pageSize }),
  });
  await answer.arrayBuffer();
  // On a busy machine, the primary may not tell a worker in time whether the limits allow a request.
  return answer.status === 503 ? listCodes(serving, pageSize) : answer;
}

const headers = () => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

const workersThatAnswered = (serving: Service) =>
  new Set(
    linesOf(serving).flatMap(({ kind, worker, status }) =>
      kind === 'request_completed' && status === 200 ? [worker] : [],
    ),
  );

test('all workers together allow the requests of a second, and no more', {
  tags: 'slow',
}, async () => {
  // So few that even a busy machine sends more.
  const limits = { requestsPerSecond: 5, burst: 10 };
  const serving = await serve(limits);
  const began = performance.now();
  let admitted = 0;
  let refused = 0;
  const callers = Array.from({ length: 6 }, async () => {
    while (admitted < 25 || refused === 0 || workersThatAnswered(serving).size < 2) {
      const { status } = await listCodes(serving);
      if (status === 200) admitted += 1;
      else {
        expect(status).toBe(429);
        refused += 1;
      }
    }
  });
  await Promise.all(callers);
  const seconds = (performance.now() - began) / 1000;
  expect(admitted).toBeLessThanOrEqual(limits.burst + seconds * limits.requestsPerSecond);
});

test('all workers together send exactly the rows of a day', { tags: 'slow' }, async () => {
  const serving = await serve({ rowsPerDay: 101 });
  const answers = await Promise.all(Array.from({ length: 70 }, () => listCodes(serving)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  await expect.poll(() => workersThatAnswered(serving)).toEqual(new Set([1, 2]));
  const last = await listCodes(serving, 1);
  expect([last.status, last.headers.get('locmetrics-rows')?.split(';')[1]]).toEqual([200, 'r=0']);
  expect((await listCodes(serving, 1)).status).toBe(429);
});

test('the used rows of a day still count after a restart, even after a kill', {
  tags: 'slow',
}, async () => {
  const killed = await serve({ rowsPerDay: 3 });
  expect((await listCodes(killed)).status).toBe(200);
  killed.kill('SIGKILL');
  await killed.ended;
  const stopped = await serve({ rowsPerDay: 3 });
  expect((await listCodes(stopped)).status).toBe(429);
  expect((await listCodes(stopped, 1)).status).toBe(200);
  stopped.kill('SIGTERM');
  await stopped.ended;
  expect((await listCodes(await serve({ rowsPerDay: 3 }), 1)).status).toBe(429);
});

test('the concurrent queries of a killed worker are released', { tags: 'slow' }, async () => {
  const serving = await serve({ concurrentQueries: 2 });
  const { hostname, port } = new URL(serving.url);
  const head = Object.entries({ host: 'localhost', ...headers(), 'content-length': '100' });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`);
  // Two requests wait for a body that never arrives. A third one is refused while both run.
  const holdPlace = (): void => {
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(`POST /v3/catalog/listRecords HTTP/1.1\r\n${lines.join('')}\r\n`);
  };
  const isRefused = async (): Promise<boolean> => {
    holdPlace();
    return (await listCodes(serving)).status === 429;
  };
  await expect.poll(isRefused).toBe(true);
  for (const pid of serving.workers().values()) process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await listCodes(serving)).status).toBe(200);
});

test('new limits apply to the next request', { tags: 'slow' }, async () => {
  const serving = await serve({ requestsPerSecond: 0.01 });
  const statuses = async () =>
    (await Promise.all([...Array(4)].map(() => listCodes(serving)))).map(({ status }) => status);
  expect((await statuses()).sort()).toEqual([200, 429, 429, 429]);
  setLimits({});
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  // Ten rows were sent by then.
  setLimits({ rowsPerDay: 12 });
  expect((await statuses()).sort()).toEqual([200, 429, 429, 429]);
});

test('while the primary is stopped, limited requests get a refusal that says so, and others are answered', {
  tags: 'slow',
}, async () => {
  const serving = await serve({ concurrentQueries: 10 });
  // Requests work only on connections that a worker already has.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname: host, port } = new URL(serving.url);
      const path = '/v3/catalog/listDataReferences';
      const sent = request({ agent, host, port, path, method: 'POST', headers: headers() });
      sent.once('error', reject).once('response', (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      });
      sent.end('{}');
    });
  try {
    expect(await ask()).toBe(200);
    process.kill(serving.pid, 'SIGSTOP');
    expect(await ask()).toBe(503);
    setLimits({});
    expect(await ask()).toBe(200);
    process.kill(serving.pid, 'SIGCONT');
    setLimits({ concurrentQueries: 10 });
    expect(await ask()).toBe(200);
  } finally {
    process.kill(serving.pid, 'SIGCONT');
    agent.destroy();
  }
});
