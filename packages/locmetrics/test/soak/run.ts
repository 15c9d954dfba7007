/**
 * Runs the service under mixed load while data are published, tokens revoked, certificates rotated and workers
 * killed. It reports failures and the memory over time: `npm run test:soak -- --minutes 60`.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { create, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { catalogV1 } from '@locmetrics/contract/grpc';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import { delay } from '../support/delay.ts';
import { prepareRun } from '../support/prepare-run.ts';
import { until } from '../support/until.ts';
import { memoryOf, workersOf } from './process-tree.ts';
import { REUSED_CONNECTION_ENDED, sendRequest } from './send-request.ts';

const ENTRY_POINT = join(import.meta.dirname, '..', '..', 'bin', 'locmetrics.js');
const MANIFEST = join(import.meta.dirname, '..', '..', 'sample', 'locmetrics.yaml');
const ORGANISATION_ID = 'soak';
const SERIES_PATH = `/v1/catalogs/nps/metrics/foot_traffic_monthly/values?billingContext=${ORGANISATION_ID}`;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    callers: { type: 'string', default: '8' },
  },
});
const endMs = Date.now() + Number(options.minutes) * 60_000;
const isOver = (): boolean => Date.now() > endMs;

const { workspace, say, count, end } = prepareRun();
const data = join(workspace, 'data');
const logFile = join(workspace, 'log');
const files = { certificate: join(workspace, 'chain.pem'), key: join(workspace, 'key.pem') };

let server: ChildProcess | undefined;
process.once('exit', () => server?.kill('SIGKILL'));

/** The number of events by kind. The names of failures start with FAILED. */
const happened = new Map<string, number>();
const note = (what: string): void => {
  happened.set(what, (happened.get(what) ?? 0) + 1);
};

/** The running requests of a killed worker are lost. */
let lastKillMs = 0;
let lastRotationMs = 0;
const KILL_SHADOW_MS = 2000;
const wasKilledSince = (startedMs: number): boolean => lastKillMs > startedMs - KILL_SHADOW_MS;

await locmetrics('publish', MANIFEST);
await locmetrics('org', 'create', 'Soak', '--id', ORGANISATION_ID);
await locmetrics('grant', 'add', ORGANISATION_ID, '*');
const token = (
  await locmetrics('token', 'create', '--org', ORGANISATION_ID, '--name', 'soak')
).trim();
let authorities: readonly string[] = [];
await rotateCertificate();
const addresses = await startServer();
const expected = await firstAnswers();

const calling = Array.from({ length: Number(options.callers) }, (_, number) => call(number));
const disturbing = [publishAgain(), revokeTokens(), rotateCertificates(), endWorkers()];
const memory = await watchMemory();
await Promise.all([...calling, ...disturbing]);
await stopServer();
report();

async function locmetrics(...parameters: readonly string[]): Promise<string> {
  const run = promisify(execFile);
  return (await run(process.execPath, [ENTRY_POINT, ...parameters, '--data', data])).stdout;
}

async function startServer() {
  const log = openSync(logFile, 'w');
  const listeners = ['http', 'https', 'grpc', 'grpc-plaintext'];
  server = spawn(
    process.execPath,
    [
      ...[ENTRY_POINT, 'serve', '--data', data],
      ...listeners.flatMap((name) => [`--${name}`, '127.0.0.1:0']),
      ...['--tls-certificate', files.certificate, '--tls-key', files.key],
    ],
    { stdio: ['ignore', log, log] },
  );
  closeSync(log);
  return until(() => {
    const text = readFileSync(logFile, 'utf8');
    const found = (scheme: string) => new RegExp(`"${scheme}://([^"]+)"`).exec(text)?.[1];
    const grpcPlaintext = found('grpc');
    if (grpcPlaintext !== undefined) {
      return {
        http: `http://${found('http')}`,
        https: `https://${found('https')}`,
        grpc: found('grpcs') ?? '',
        grpcPlaintext,
      };
    }
    if (server?.exitCode !== null) throw new Error(`No server started:\n${text}`);
    return undefined;
  });
}

async function stopServer(): Promise<void> {
  const ended = new Promise((resolve) => server?.once('exit', resolve));
  server?.kill('SIGTERM');
  if ((await ended) !== 0) note('FAILED to stop');
}

type Operation = { readonly path: string; readonly body?: unknown };

function operations(): readonly Operation[] {
  const places = { dataReferenceName: 'ml_visitation.places' };
  return [
    { path: `${SERIES_PATH}&featureFilter=YOSE` },
    { path: `${SERIES_PATH}&addressComponentFilter=us_state_2020:06&pageSize=1000` },
    {
      path: '/v3/catalog/listRecords',
      body: { ...places, filters: [{ fieldName: 'region', operator: '==', value: 'CA' }] },
    },
    {
      path: '/v3/catalog/listRecords',
      body: {
        dataReferenceName: 'ml_visitation.neighborhoods',
        options: {
          boundingBox: { minLng: -122.5, minLat: 37.7, maxLng: -122.3, maxLat: 37.9 },
          orderBy: { fieldName: 'population', direction: 'DESC' },
        },
      },
    },
    {
      path: '/v3/catalog/searchFieldValues',
      body: { ...places, field: { name: 'city' }, term: 'sp' },
    },
    { path: '/v3/catalog/listDataReferences', body: {} },
  ];
}

/** The parts of an answer that do not change when the same data are published again. */
function contentOf(text: string): string {
  return text.replaceAll(/"(version|publishedTime|nextPageToken)":"[^"]*"/g, '');
}

async function firstAnswers(): Promise<ReadonlyMap<Operation, string>> {
  const answers = new Map<Operation, string>();
  for (const operation of operations()) {
    const answer = await sendRequest(`${addresses.http}${operation.path}`, { token, ...operation });
    if (answer.status !== 200) throw new Error(`${operation.path}: ${answer.text}`);
    answers.set(operation, contentOf(answer.text));
  }
  return answers;
}

async function call(number: number): Promise<void> {
  const wanted = [...expected];
  for (let turn = number; !isOver(); turn += 1) {
    const startedMs = Date.now();
    const [operation, content] = wanted[turn % wanted.length] ?? [];
    try {
      if (turn % 5 === 4) {
        await callOverGrpc(turn % 2 === 0);
        note('answered over gRPC');
        continue;
      }
      const isTls = turn % 3 === 0;
      const base = isTls ? addresses.https : addresses.http;
      const answer = await sendRequest(`${base}${operation?.path}`, {
        token,
        body: operation?.body,
        authorities,
      });
      const isRight = answer.status === 200 && contentOf(answer.text) === content;
      note(
        isRight
          ? `answered over ${isTls ? 'HTTPS' : 'HTTP'}`
          : `FAILED with ${answer.status}: ${answer.text.slice(0, 300)}`,
      );
    } catch (error) {
      noteError(error, startedMs);
    }
  }
}

function noteError(error: unknown, startedMs: number): void {
  const text = error instanceof Error ? error.message : String(error);
  if (wasKilledSince(startedMs)) note('lost with a killed worker');
  // The client chose the trusted certificate before the rotation, and connected after it.
  else if (text.includes('unable to verify') && lastRotationMs > startedMs)
    note('rotated meanwhile');
  else if (text === REUSED_CONNECTION_ENDED) note(text);
  else note(`FAILED: ${text}`);
}

/** A new channel each time opens a new connection. */
async function callOverGrpc(isTls: boolean): Promise<void> {
  const { SearchMetricValuesRequestSchema } = catalogV1;
  const request = create(SearchMetricValuesRequestSchema, {
    catalogId: 'nps',
    metricId: 'foot_traffic_monthly',
    billingContext: ORGANISATION_ID,
    featureFilter: ['YOSE'],
  });
  const bytes = Buffer.from(toBinary(SearchMetricValuesRequestSchema, request));
  const client = new Client(
    isTls ? addresses.grpc : addresses.grpcPlaintext,
    isTls
      ? credentials.createSsl(Buffer.from(authorities.join('\n')))
      : credentials.createInsecure(),
    { 'grpc.ssl_target_name_override': 'localhost', 'grpc.use_local_subchannel_pool': 1 },
  );
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  try {
    await new Promise<void>((resolve, reject) => {
      client.makeUnaryRequest(
        '/unacast.catalog.v1.QueryService/SearchMetricValues',
        (value: Buffer) => value,
        (value: Buffer) => value,
        bytes,
        metadata,
        (error) => (error === null ? resolve() : reject(error)),
      );
    });
  } finally {
    client.close();
  }
}

async function publishAgain(): Promise<void> {
  while (!isOver()) {
    await locmetrics('publish', MANIFEST, 'ml_visitation.places').then(
      () => note('published'),
      (error: Error) => note(`FAILED to publish: ${error.message}`),
    );
    await delay(3000);
  }
}

async function revokeTokens(): Promise<void> {
  const ask = async (given: string) =>
    (
      await sendRequest(`${addresses.http}/v3/catalog/listDataReferences`, {
        token: given,
        body: {},
      })
    ).status;
  while (!isOver()) {
    const startedMs = Date.now();
    try {
      const given = (
        await locmetrics('token', 'create', '--org', ORGANISATION_ID, '--name', 'short')
      ).trim();
      if ((await ask(given)) !== 200) note('FAILED: a new token is refused');
      await locmetrics('token', 'revoke', given);
      const statuses = await Promise.all([ask(given), ask(given), ask(given), ask(given)]);
      note(statuses.every((status) => status === 401) ? 'revoked' : 'FAILED to revoke');
    } catch (error) {
      noteError(error, startedMs);
    }
    await delay(2000);
  }
}

async function rotateCertificate(): Promise<string> {
  const issued = await issueCertificates({
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 24 * 3_600_000),
  });
  // Until every worker has the new certificate, new connections may get the old one.
  authorities = [issued.authority, ...authorities.slice(0, 1)];
  lastRotationMs = Date.now();
  await writeFile(`${files.certificate}.new`, issued.certificate);
  await writeFile(`${files.key}.new`, issued.key, { mode: 0o600 });
  await rename(`${files.certificate}.new`, files.certificate);
  await rename(`${files.key}.new`, files.key);
  return issued.authority;
}

async function rotateCertificates(): Promise<void> {
  while (!isOver()) {
    const fresh = await rotateCertificate();
    await delay(1000);
    const startedMs = Date.now();
    await sendRequest(`${addresses.https}/livez`, { token, authorities: [fresh] }).then(
      () => note('certificate rotated'),
      (error: unknown) => noteError(error, startedMs),
    );
    await delay(4000);
  }
}

async function endWorkers(): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    await delay(5000);
    const workers = workersOf(server?.pid ?? 0);
    const pid = workers[turn % workers.length];
    if (pid === undefined) continue;
    const signal = turn % 2 === 0 ? 'SIGTERM' : 'SIGKILL';
    if (signal === 'SIGKILL') lastKillMs = Date.now();
    process.kill(pid, signal);
    note(`worker ended by ${signal}`);
  }
}

/** The memory of all processes of the service, in MB, every five seconds. */
async function watchMemory(): Promise<readonly number[]> {
  const readings: number[] = [];
  for (let next = Date.now(); !isOver(); next += 5000) {
    await delay(Math.max(0, next - Date.now()));
    readings.push(Math.round(memoryOf(server?.pid ?? 0) / 1e6));
    if (readings.length % 12 === 0)
      say(`memory ${readings.at(-1)} MB, ${JSON.stringify([...happened])}`);
  }
  return readings;
}

function report(): void {
  for (const [what, count] of [...happened].toSorted())
    say(`${String(count).padStart(8)}  ${what}`);
  say(`memory in MB: ${memory.join(' ')}`);
  const failed = [...happened].filter(([what]) => what.startsWith('FAILED'));
  const passed = [...happened].filter(([what]) => !what.startsWith('FAILED'));
  count({ passed: passed.length, failed: failed.length });
  end();
}
