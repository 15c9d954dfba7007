import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { listenLocally } from '../support/listen-locally.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { FailedStart, Start } from './failing-starts-process.ts';

const PROCESS = fileURLToPath(new URL('./failing-starts-process.ts', import.meta.url));

let data: TestData;
let folder: string;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  folder = temporaryFolder();
});
afterAll(() => data.remove());

test('a start that fails for a fault leaves no file, port, timer, process or lock', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  const { address: used } = await listenLocally(createServer());
  const failed = await startEach([
    { flags: await flagsOf('control', damageControl) },
    { flags: await flagsOf('current', (path) => writeFile(join(path, 'current.json'), 'text')) },
    {
      flags: { ...(await flagsOf('tls', (path) => writeFile(join(path, 'tls'), ''))), grpc: ANY },
    },
    { flags: { ...(await flagsOf('metrics')), metrics: used } },
    { flags: { ...(await flagsOf('port')), grpcPlaintext: used } },
  ]);
  expect(failed).toEqual([
    { error: expect.stringContaining('control.sqlite'), left: [] },
    { error: expect.stringContaining('current.json'), left: [] },
    { error: expect.stringContaining('tls'), left: [] },
    { error: expect.stringContaining('EADDRINUSE'), left: [] },
    { error: expect.stringContaining('EADDRINUSE'), left: [] },
  ]);
});

test('a start that fails after any of its parts is open closes all of them', {
  tags: 'slow',
}, async () => {
  const flags = { ...(await flagsOf('parts')), grpc: ANY, metrics: ANY };
  const failed = await startEach([{ flags, failsAfterEachPart: true }]);
  expect(failed.length).toBeGreaterThan(10);
  expect(failed).toEqual(
    failed.map((_, index) => ({ error: `Failed after ${index + 1} parts.`, left: [] })),
  );
});

async function damageControl(path: string): Promise<void> {
  for (const end of ['-wal', '-shm']) await rm(join(path, `control.sqlite${end}`), { force: true });
  await writeFile(join(path, 'control.sqlite'), 'This is not a database. '.repeat(1000));
}

const ANY = '127.0.0.1:0';

/** The flags for a service over a copy of the data, which `damage` changes. */
async function flagsOf(name: string, damage: (path: string) => Promise<void> = async () => {}) {
  const path = join(folder, name);
  await cp(data.directory.root, path, { recursive: true });
  await damage(path);
  return { data: path, http: ANY, grpc: 'off', workers: '1', accessLog: 'off' };
}

async function startEach(starts: readonly Start[]): Promise<readonly FailedStart[]> {
  const child = spawn(process.execPath, [PROCESS, ...starts.map((one) => JSON.stringify(one))], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
