// @module-tag slow

import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { connect } from 'node:net';
import { credentials } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOf } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, ORGANISATION_ID, type TestData } from '../edge/test-data.ts';
import { openOtlpReceiver } from '../observe/otlp-receiver.ts';
import { isRunning } from '../soak/process-tree.ts';
import { delay } from '../support/delay.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder();

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(async () => {
  await data.remove();
});

function serve(...flags: readonly string[]): Promise<Service> {
  const workers = flags.includes('--workers') ? [] : ['--workers', '2'];
  return startService(data.directory.root, ['--grpc', '127.0.0.1:0', ...workers, ...flags]);
}

const headers = () => ({
  authorization: `Bearer ${data.token}`,
  'content-type': 'application/json',
});

function listCodes({ url }: Service, extra: Readonly<Record<string, string>> = {}) {
  return fetch(`${url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { ...headers(), ...extra },
    body: JSON.stringify({ dataReferenceName: 'shop.codes' }),
  });
}

/** The worker that answered, according to the log. */
const answeredBy = (serving: Service) =>
  linesOf(serving).flatMap(({ kind, worker }) => (kind === 'request_completed' ? [worker] : []));

test('connections are spread over the workers', { tags: 'slow' }, async () => {
  const serving = await serve();
  for (let asked = 0; asked < 6; asked += 1) {
    expect((await listCodes(serving, { connection: 'close' })).status).toBe(200);
  }
  await expect.poll(() => answeredBy(serving).length).toBe(6);
  // They do not always alternate: the end of a connection is reported a moment later.
  expect(new Set(answeredBy(serving))).toEqual(new Set([1, 2]));
});

test('a killed worker is replaced, and connections of that time are answered', {
  tags: 'slow',
}, async () => {
  const serving = await serve();
  const before = serving.workers();
  for (const pid of before.values()) process.kill(pid, 'SIGKILL');
  // Both workers are dead now. The connection waits for the first new one.
  expect((await listCodes(serving)).status).toBe(200);
  await expect.poll(() => serving.workers().size).toBe(2);
  expect([...serving.workers().values()]).not.toEqual(
    expect.arrayContaining([[...before.values()][0]]),
  );
  expect(linesOf(serving).filter(({ kind }) => kind === 'worker_exited')).toEqual([
    expect.objectContaining({ level: 40, cause: 'SIGKILL' }),
    expect.objectContaining({ level: 40, cause: 'SIGKILL' }),
  ]);
});

test('a worker that gets SIGTERM completes its requests, and is replaced without a gap', {
  tags: 'slow',
}, async () => {
  const serving = await serve();
  const body = '{"dataReferenceName": "shop.codes"}';
  const { hostname, port } = new URL(serving.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.write(
    `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${data.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await expect.poll(() => received).toContain('100 Continue');
  for (const pid of serving.workers().values()) process.kill(pid, 'SIGTERM');
  await expect
    .poll(() => linesOf(serving).filter(({ kind }) => kind === 'worker_started').length)
    .toBe(4);
  expect((await listCodes(serving)).status).toBe(200);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(body);
  await closed;
  expect(received).toContain('HTTP/1.1 200 OK\r\n');
  expect(received).toContain('connection: close\r\n');
  const exits = linesOf(serving).filter(({ kind }) => kind === 'worker_exited');
  expect(exits.map(({ cause }) => cause)).not.toContain('SIGTERM');
});

test('the workers end when the primary is killed, also with a connection open', {
  tags: 'slow',
}, async () => {
  const serving = await serve();
  const { hostname, port } = new URL(serving.url);
  const held = connect({ host: hostname, port: Number(port) });
  const closed = new Promise((resolve) => held.once('close', resolve));
  held.on('error', () => {}).write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => held.once('data', resolve));
  const pids = [...serving.workers().values()];
  serving.kill('SIGKILL');
  await serving.ended;
  await closed;
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
});

test('a publish and a revocation apply to the next request of every worker', async () => {
  const serving = await serve();
  const { tokenText, tokenId } = data.store.createToken({
    organisationId: ORGANISATION_ID,
    name: 'short',
  });
  const ask = () =>
    Promise.all(
      Array.from({ length: 4 }, () =>
        listCodes(serving, { authorization: `Bearer ${tokenText}`, connection: 'close' }),
      ),
    );
  const statuses = async () => (await ask()).map(({ status }) => status);
  const versions = async () =>
    new Set(
      await Promise.all(
        (await ask()).map(async (one) => /"version":"([^"]+)"/.exec(await one.text())?.[1]),
      ),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  const before = await versions();
  const more = { ...SHOPS, 'codes.csv': `${SHOPS['codes.csv']}03,three\n` };
  await data.publishFiles(more, '2024-02-01T00:00:00.000Z');
  const after = await versions();
  expect([before.size, after.size, new Set([...before, ...after]).size]).toEqual([1, 1, 2]);
  data.store.revokeToken(tokenId);
  expect(await statuses()).toEqual([401, 401, 401, 401]);
});

test('a new certificate is served by every worker, on both edges', {
  tags: 'slow',
}, async () => {
  const files = { certificate: inFolder('chain.pem'), key: inFolder('key.pem') };
  const first = await replaceCertificate(files);
  const serving = await serve(
    ...['--https', '127.0.0.1:0', '--tls-certificate', files.certificate, '--tls-key', files.key],
  );
  const addressOf = (scheme: string) =>
    new RegExp(`"${scheme}://([^"]+)"`).exec(serving.written().messages)?.[1] ?? '';
  const ask = (authority: string) =>
    Promise.all([...Array(4)].map(() => readyOverTls(addressOf('https'), authority)));
  const askGrpc = async (authority: string) => {
    const client = openGrpcClient(addressOf('grpcs'), {
      token: data.token,
      channel: credentials.createSsl(Buffer.from(authority)),
      options: {
        'grpc.ssl_target_name_override': 'localhost',
        'grpc.use_local_subchannel_pool': 1,
      },
    });
    try {
      const answer = await client.ask(catalogV3.CatalogQuery.method.listRecords, {
        dataReferenceName: 'shop.codes',
      });
      return answer.message.totalSize > 0n;
    } finally {
      client.close();
    }
  };
  expect(await ask(first)).toEqual([200, 200, 200, 200]);
  expect(await askGrpc(first)).toBe(true);
  const second = await replaceCertificate(files);
  await serving.untilItWrites('certificate_reloaded');
  // Each worker reads the files by itself.
  await expect.poll(() => ask(second).catch(() => [])).toEqual([200, 200, 200, 200]);
  expect(await askGrpc(second)).toBe(true);
  await expect(ask(first)).rejects.toThrow('unable to verify');
  expect(linesOf(serving).filter(({ kind }) => kind === 'certificate_reloaded')).toHaveLength(1);
});

test('metrics are sums over all workers, and no counter decreases when workers end', {
  tags: 'slow',
}, async () => {
  const serving = await serve('--metrics', '127.0.0.1:0', '--memory', '400MiB');
  const metricsUrl = linesOf(serving)
    .flatMap(({ kind, url }) => (kind === 'server_listening' ? [String(url)] : []))
    .at(-1);
  const scrape = async () => (await fetch(`${metricsUrl}/metrics`)).text();
  const sampleOf = (text: string, name: string) =>
    Number(new RegExp(`^${name.replaceAll(/[{}"]/g, '.')} (.*)$`, 'm').exec(text)?.[1]);
  for (let asked = 0; asked < 6; asked += 1) await listCodes(serving, { connection: 'close' });
  const before = await scrape();
  const rows = 'locmetrics_rows_returned_total{route="/v3/catalog/listRecords"}';
  expect(sampleOf(before, rows)).toBeGreaterThanOrEqual(12);
  // The value is split over the workers, and summed again.
  expect(sampleOf(before, 'locmetrics_engine_memory_limit_bytes')).toBe(400 * 2 ** 20);
  expect(sampleOf(before, 'locmetrics_workers_running')).toBe(2);
  for (const pid of serving.workers().values()) process.kill(pid, 'SIGKILL');
  await expect
    .poll(async () => sampleOf(await scrape(), 'locmetrics_workers_started_total'))
    .toBe(4);
  const after = await scrape();
  expect(sampleOf(after, rows)).toBe(sampleOf(before, rows));
  expect(sampleOf(after, 'locmetrics_workers_exited_total{cause="SIGKILL"}')).toBe(2);
  expect((await fetch(`${metricsUrl}/readyz`)).status).toBe(200);
});

test('a stuck worker gets no more connections, is killed after a while, and is replaced', {
  tags: 'slow',
}, async () => {
  const serving = await serve('--metrics', '127.0.0.1:0');
  const [stuck = 0] = serving.workers().values();
  process.kill(stuck, 'SIGSTOP');
  // A worker is silent for so long before it gets no more connections.
  await delay(4500);
  for (let asked = 0; asked < 6; asked += 1) {
    expect((await listCodes(serving, { connection: 'close' })).status).toBe(200);
  }
  await serving.untilItWrites('worker_stuck');
  await expect
    .poll(() => [...serving.workers().values()].filter((pid) => pid !== stuck).length)
    .toBe(2);
});

test('if no worker is ready, the metrics and their listener say so', {
  tags: 'slow',
}, async () => {
  const serving = await serve('--workers', '1', '--metrics', '127.0.0.1:0');
  const metricsUrl = linesOf(serving)
    .flatMap(({ kind, url }) => (kind === 'server_listening' ? [String(url)] : []))
    .at(-1);
  for (const pid of serving.workers().values()) process.kill(pid, 'SIGKILL');
  await serving.untilItWrites('worker_exited');
  const scrape = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(scrape).toMatch(/^locmetrics_ready 0$/m);
  expect(scrape).toMatch(/^locmetrics_workers_running 0$/m);
  expect((await fetch(`${metricsUrl}/readyz`)).status).toBe(503);
});

test('spans are sent if a collector is set', { tags: 'slow' }, async () => {
  const receiver = await openOtlpReceiver();
  try {
    const serving = await serve(
      ...['--otlp-endpoint', receiver.endpoint, '--otlp-headers', 'x-key=a%20b'],
      ...['--access-log', 'off'],
    );
    expect((await listCodes(serving)).status).toBe(200);
    serving.kill('SIGTERM');
    await serving.ended;
    const names = receiver.spans().map(({ name }) => name);
    expect(receiver.headers()[0]).toMatchObject({ 'x-key': 'a b' });
    expect(names).toContain('POST /v3/catalog/listRecords');
    expect(names).toEqual(expect.arrayContaining(['auth', 'plan', 'engine', 'encoding']));
    expect(serving.written().messages).not.toContain('request_completed');
  } finally {
    await receiver.close();
  }
});

test('above the limit of a worker a connection waits until one with an accepted token ends', {
  tags: 'slow',
}, async () => {
  const serving = await serve('--workers', '1', '--connections', '1');
  const { hostname, port } = new URL(serving.url);
  const first = connect({ host: hostname, port: Number(port) });
  const request = `POST /v3/catalog/listDataReferences HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${data.token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  first.write(request);
  await once(first, 'data');
  let isAnswered = false;
  const second = fetch(`${serving.url}/livez`).then(({ status }) => {
    isAnswered = true;
    return status;
  });
  // The worker answers the other connection meanwhile.
  first.write(request);
  await once(first, 'data');
  expect(isAnswered).toBe(false);
  first.destroy();
  expect(await second).toBe(200);
});

test('while the service drains, it is not ready but still answers', {
  tags: 'slow',
}, async () => {
  const serving = await serve('--drain-delay', '5s');
  serving.kill('SIGTERM');
  await serving.untilItWrites('server_stopping');
  await expect.poll(async () => (await fetch(`${serving.url}/readyz`)).status).toBe(503);
  expect((await listCodes(serving, { connection: 'close' })).status).toBe(200);
  expect((await serving.ended).code).toBe(0);
});

test('a worker that starts while the service drains is not ready either', {
  tags: 'slow',
}, async () => {
  const serving = await serve('--workers', '1', '--drain-delay', '60s');
  serving.kill('SIGTERM');
  await serving.untilItWrites('server_stopping');
  const killed = [...serving.workers().values()];
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  // The log tells a moment later that they have ended.
  const started = () => [...serving.workers().values()].filter((pid) => !killed.includes(pid));
  await expect.poll(started).toHaveLength(1);
  expect((await fetch(`${serving.url}/readyz`)).status).toBe(503);
});

test('no request fails while workers are stopped one after another', {
  tags: 'slow',
}, async () => {
  const serving = await serve();
  let isOver = false;
  const statuses = new Map<number | string, number>();
  const note = (status: number | string) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const callers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      await listCodes(serving).then(
        async (answer) => {
          await answer.arrayBuffer();
          note(answer.status);
        },
        (error: Error) => note(`${error.message} ${(error.cause as Error | undefined)?.message}`),
      );
    }
  });
  for (let round = 0; round < 4; round += 1) {
    const [pid = 0] = [...serving.workers().values()].slice(round % 2);
    const started = linesOf(serving).filter(({ kind }) => kind === 'worker_started').length;
    process.kill(pid, 'SIGTERM');
    await expect
      .poll(() => linesOf(serving).filter(({ kind }) => kind === 'worker_started').length)
      .toBe(started + 1);
  }
  isOver = true;
  await Promise.all(callers);
  expect([...statuses.keys()]).toEqual([200]);
  expect(statuses.get(200)).toBeGreaterThan(100);
});

async function replaceCertificate(files: {
  readonly certificate: string;
  readonly key: string;
}): Promise<string> {
  const issued = await issueCertificates({
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  await writeFile(`${files.certificate}.new`, issued.certificate);
  await writeFile(`${files.key}.new`, issued.key);
  await rename(`${files.certificate}.new`, files.certificate);
  await rename(`${files.key}.new`, files.key);
  return issued.authority;
}

function readyOverTls(address: string, authority: string): Promise<number | undefined> {
  const agent = new Agent({ ca: authority, keepAlive: false, maxCachedSessions: 0 });
  return new Promise((resolve, reject) => {
    get(`https://${address}/readyz`, { agent, servername: 'localhost' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).once('error', reject);
  });
}
