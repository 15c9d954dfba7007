import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../../packages/locmetrics/test/support/use-temporary-folder.ts';
import { findClickhouse } from '../src/open-clickhouse.ts';

const inFolder = useTemporaryFolder();
const ENTRY_POINT = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A run starts about twenty processes, which takes long on a busy machine. */
const RUN_TIMEOUT_MS = 900_000;

type Run = { readonly code: number | null; readonly data: string; readonly messages: string };

/** Runs the benchmark in a separate process to its end, and checks that it leaves nothing behind. */
async function runBenchmark(
  parameters: readonly string[],
  onMessages: (messages: string, child: ChildProcess) => void = () => {},
): Promise<Run> {
  const temporary = inFolder(`temporary-${runs++}`);
  await mkdir(temporary);
  const child = spawn(process.execPath, [ENTRY_POINT, ...parameters], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let data = '';
  let messages = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    data += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text;
    onMessages(messages, child);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  expect(await readdir(temporary)).toEqual([]);
  return { code, data, messages };
}

let runs = 0;

test('a tiny run checks every workload, writes its results and leaves nothing behind', {
  tags: 'slow',
  timeout: RUN_TIMEOUT_MS,
}, async () => {
  const out = inFolder('results.json');
  const run = await runBenchmark(['--tiny', '--out', out]);
  expect(run.messages).toContain(`Written to ${out}`);
  expect(run.code).toBe(0);
  const results = JSON.parse(await readFile(out, 'utf8'));
  expect(results).toMatchObject({
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    seed: 1,
    parameters: { places: 200, months: 3, names: 2000 },
  });
  expect(results.versions).toMatchObject({
    node: process.versions.node,
    locmetrics: expect.stringMatching(/^0\.1\.0 \(.+, .+\)$/),
  });
  const { W0, W6, W7, W8, W10, ...byRequests } = results.workloads;
  expect(Object.keys(byRequests)).toEqual([
    'W1',
    'W1c8',
    'W1c32',
    'W1long',
    'W1gzip',
    'W1slim',
    'W1rights',
    'W1g',
    'W1g32',
    'W1gTls',
    'W1g32Tls',
    'W2',
    'W3',
    'W4',
    'W5',
    ...['W9z0', 'W9z3', 'W9z6', 'W9z9', 'W9z12', 'W9z15'],
    ...['W11totals', 'W11grown', 'W11quantile', 'W11year'],
    'W12',
    'W13z3',
    'W13z5',
    'W13z7',
  ]);
  for (const [id, systems] of Object.entries<Record<string, object>>(byRequests)) {
    const ours = id === 'W4' ? ['ours', 'oursFirstPage'] : ['ours'];
    const duckdb = id.startsWith('W11') ? ['duckdb'] : [];
    expect(Object.keys(systems)).toEqual([...ours, ...duckdb, 'floor']);
    for (const measured of Object.values(systems)) {
      expect(measured).toMatchObject({ requests: 40, rounds: 1 });
      expect(measured).toMatchObject({ requestsPerSecond: expect.any(Number) });
    }
  }
  expect(byRequests).toMatchObject({
    W1: { ours: { inFlight: 16 } },
    W1c8: { ours: { inFlight: 8 }, floor: { inFlight: 8 } },
    W1c32: { ours: { inFlight: 32 }, floor: { inFlight: 32 } },
  });
  expect(byRequests.W1gzip.ours.answerBytes).toBeLessThan(byRequests.W1.ours.answerBytes / 3);
  // The hidden fields are missing, and the rows are not.
  const share = byRequests.W1rights.ours.answerBytes / byRequests.W1.ours.answerBytes;
  expect(share).toBeGreaterThan(0.8);
  expect(share).toBeLessThan(0.95);
  expect(byRequests.W1long.ours.answerBytes).toBeGreaterThan(900_000);
  expect(Object.keys(W0)).toEqual(
    ['held', 'described', 'called'].flatMap((name) => [name, `${name}Floor`]),
  );
  for (const name of ['held', 'described', 'called']) {
    expect(W0[name]).toMatchObject({ requests: 4000, cpuMicros: expect.any(Number) });
    expect(W0[name].timesFloor).toBeGreaterThan(0);
  }
  expect(run.messages).toMatch(/[1-9]\d* revocations and [1-9]\d* publishes held/);
  expect(Object.keys(W6)).toEqual(['ours', 'oursGrpc', 'floor']);
  for (const measured of Object.values(W6)) {
    expect(measured).toMatchObject({ rows: 600, rounds: 1 });
  }
  expect(W6.floor.answerBytes).toBe(W6.oursGrpc.answerBytes);
  expect(Object.keys(W10)).toEqual([
    'oursCsv',
    'oursNdjson',
    'oursValues',
    'oursSlimValues',
    'oursParquet',
    'duckdbCsv',
    'duckdbParquet',
  ]);
  for (const measured of Object.values(W10)) {
    expect(measured).toMatchObject({ rows: 600, rounds: 1 });
  }
  expect(Object.keys(W7)).toEqual([
    'ours',
    'oursWithoutMarks',
    'oursColumnFile',
    'duckdbSortedFile',
    'duckdbSortedTable',
  ]);
  expect(W7.ours).toMatchObject({ rows: 600, seconds: expect.any(Number) });
  expect(W8.ours).toMatchObject({ failures: 0, worstStallMs: expect.any(Number) });
  for (const id of Object.keys(results.workloads)) expect(run.data).toContain(`\n${id} `);
});

const { chdb, packages } = findClickhouse(process.env);

// Without ClickHouse there is nothing to load.
test.skipIf(chdb === undefined && packages === undefined)(
  'a tiny run over ClickHouse checks the answers of W1 to W5, and leaves nothing behind',
  { tags: 'slow', timeout: RUN_TIMEOUT_MS },
  async () => {
    const out = inFolder('clickhouse.json');
    const only = ['W1', 'W2', 'W3', 'W4', 'W5'];
    const parameters = ['--tiny', '--clickhouse', '--only', only.join(','), '--out', out];
    const run = await runBenchmark(parameters);
    expect(run.messages).toContain(`Written to ${out}`);
    expect(run.code).toBe(0);
    const { workloads, versions } = JSON.parse(await readFile(out, 'utf8'));
    expect(Object.keys(workloads)).toEqual(only);
    const systems = [
      ...(chdb === undefined ? [] : ['oursClickhouse', 'oursClickhouseWithRows']),
      ...(packages === undefined ? [] : ['oursCluster']),
    ];
    for (const [id, measured] of Object.entries<Record<string, object>>(workloads)) {
      const ours = id === 'W4' ? ['ours', 'oursFirstPage'] : ['ours'];
      expect(Object.keys(measured)).toEqual([...ours, ...systems, 'floor']);
      for (const system of systems) expect(measured[system]).toMatchObject({ requests: 40 });
    }
    expect('chdb' in versions).toBe(chdb !== undefined);
    expect('clickhouseCluster' in versions).toBe(packages !== undefined);
  },
);

test('a stopped run ends the processes that it started, and keeps its measurements', {
  tags: 'slow',
  timeout: RUN_TIMEOUT_MS,
}, async () => {
  const out = inFolder('stopped.json');
  let isTold = false;
  const run = await runBenchmark(['--tiny', '--only', 'W2,W8', '--out', out], (messages, child) => {
    // The publish in the middle of W8 has not started yet.
    if (!isTold && messages.includes('W8: ')) isTold = child.kill('SIGTERM');
  });
  expect(run.messages).toContain('Stopped before the end.');
  expect(run.code).toBe(1);
  expect(run.data).toContain('\nW2 ');
  expect(Object.keys(JSON.parse(await readFile(out, 'utf8')).workloads)).toEqual(['W2']);
});

test('help lists every flag, and starts nothing', async () => {
  const { code, data } = await runBenchmark(['--help']);
  expect(code).toBe(0);
  for (const flag of ['--only', '--rounds', '--seconds', '--seed', '--concurrency', '--places']) {
    expect(data).toContain(flag);
  }
});

test.each([
  [['--round', '3'], "unknown option '--round'\n(Did you mean --rounds?)"],
  [['--only', 'W1,W99'], "There is no 'W99'; known are W0, W1, W1c8, W1c32"],
  [['--places', '0'], 'It is a whole number from 1 to 1000000.'],
  [['W1'], 'too many arguments'],
])('%j is refused with what to write instead', { tags: 'slow' }, async (parameters, message) => {
  const { code, messages } = await runBenchmark(parameters);
  expect(messages).toContain(message);
  expect(code).toBe(2);
});
