import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type OpenLedger, openLedger } from '@locmetrics/server/metering/open-ledger';
import type { UsageSync } from '@locmetrics/server/metering/usage-segment';
import type { Observation } from '@locmetrics/server/observe/observation';
import { afterEach, expect, test } from 'vitest';
import { RECORD } from './usage-record.ts';
import { readAll, requestIds, segmentEndings, useUsageFiles } from './usage-under-test.ts';

const files = useUsageFiles();

let ledger: OpenLedger;
let observed: Observation[];
afterEach(() => ledger.close());

function open(sync: UsageSync = 'normal'): OpenLedger {
  observed = [];
  ledger = openLedger({ files: files(), sync, observe: (one) => observed.push(one) });
  return ledger;
}

const recordMany = (ids: readonly string[]) =>
  Promise.all(ids.map((requestId) => ledger.record({ ...RECORD, requestId })));
const numbered = (count: number, name = 'request') =>
  Array.from({ length: count }, (_, index) => `${name}-${String(index).padStart(6, '0')}`);

test('a recorded record is a line of a segment', async () => {
  await open().record(RECORD);
  const [name = ''] = await readdir(files().segments);
  expect(name).toMatch(/^[0-9]{13}-[0-9a-v]{20}\.open\.ndjson$/);
  expect(await readFile(join(files().segments, name), 'utf8')).toBe(
    `{"time":1772600767890,"organisationId":"acme","tokenId":"token1","operation":"listRecords","resource":"shop.stores","rows":3,"bytes":100,"requestId":"request-1"}\n`,
  );
});

test('a full segment is still used while no new one can be opened', async () => {
  open();
  // The records are more than 8 MiB.
  const long = { ...RECORD, resource: 'x'.repeat(2 ** 13) };
  await Promise.all(numbered(1100).map((requestId) => ledger.record({ ...long, requestId })));
  const restore = await takeDescriptors();
  try {
    await ledger.record({ ...RECORD, requestId: 'kept' });
  } finally {
    await restore();
  }
  expect(await segmentEndings(files())).toEqual(['.open.ndjson']);
  await ledger.record({ ...RECORD, requestId: 'next' });
  expect(await segmentEndings(files())).toEqual(
    expect.arrayContaining(['.done.ndjson', '.open.ndjson']),
  );
  expect(requestIds(await readAll(files()))).toEqual([...numbered(1100), 'kept', 'next'].sort());
});

test('only the owner can read segments', async () => {
  await open().record(RECORD);
  const { segments } = files();
  const modes = [segments, ...(await readdir(segments)).map((name) => join(segments, name))].map(
    async (path) => (await stat(path)).mode & 0o777,
  );
  expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
});

test('a process that records nothing has no segment', async () => {
  await open().close();
  expect(await segmentEndings(files())).toEqual([]);
});

test('records that arrive during a write are written together, each once', async () => {
  open();
  const [first = '', ...others] = numbered(1000);
  const writing = recordMany([first]);
  await nextLoopTick();
  await Promise.all([writing, recordMany(others)]);
  expect(observed).toEqual([
    { kind: 'usage_recorded', records: 1 },
    { kind: 'usage_recorded', records: 999 },
  ]);
  expect(requestIds(await readAll(files()))).toEqual(numbered(1000));
});

test('records of one turn of the event loop are written together', async () => {
  open();
  await recordMany(numbered(10));
  expect(observed).toEqual([{ kind: 'usage_recorded', records: 10 }]);
});

test.each(['normal', 'full'] as const)(
  'all records are stored when the ledger is closed, with the durability %s',
  async (sync) => {
    open(sync);
    await recordMany(numbered(10));
    await ledger.close();
    expect(await segmentEndings(files())).toEqual(['.done.ndjson']);
    expect(requestIds(await readAll(files()))).toEqual(numbered(10));
  },
);

test('two ledgers in one folder have a segment each', async () => {
  await open().record({ ...RECORD, requestId: 'first' });
  await ledger.close();
  await open().record({ ...RECORD, requestId: 'second' });
  expect(new Set(await segmentEndings(files()))).toEqual(new Set(['.done.ndjson', '.open.ndjson']));
  expect(requestIds(await readAll(files()))).toEqual(['first', 'second']);
});

test('a large segment gets no more records, so that it can be removed', async () => {
  open();
  const resource = 'x'.repeat(2 ** 20);
  for (let written = 0; written < 9; written += 1) await ledger.record({ ...RECORD, resource });
  expect([...(await segmentEndings(files()))].sort()).toEqual(
    expect.arrayContaining(['.done.ndjson', '.open.ndjson']),
  );
});

test('a failure to record is reported to the caller and, once, to the operator', async () => {
  await writeFile(files().segments, 'in the way');
  open();
  for (let tried = 0; tried < 3; tried += 1) {
    await expect(ledger.record(RECORD)).rejects.toMatchObject({
      name: 'ServiceError',
      reason: 'USAGE_NOT_RECORDED',
      code: 'UNAVAILABLE',
      retryAfterSeconds: 1,
    });
  }
  expect(observed).toEqual([{ kind: 'usage_write_failed', error: expect.any(Error) }]);
  await rm(files().segments);
  await ledger.record({ ...RECORD, requestId: 'again' });
  expect(observed.at(-1)).toEqual({ kind: 'usage_recorded', records: 1 });
  expect(requestIds(await readAll(files()))).toEqual(['again']);
});

test('the next record detects a removed folder, and creates it again', async () => {
  await open().record(RECORD);
  await rm(files().segments, { recursive: true });
  await expect(recordMany(['lost', 'lost too'])).rejects.toMatchObject({
    reason: 'USAGE_NOT_RECORDED',
  });
  await recordMany(['again']);
  expect(requestIds(await readAll(files()))).toContain('again');
});

test('the next record detects a removed segment', async () => {
  await open().record({ ...RECORD, requestId: 'before' });
  const [name = ''] = await readdir(files().segments);
  await rm(join(files().segments, name));
  await expect(ledger.record(RECORD)).rejects.toMatchObject({ reason: 'USAGE_NOT_RECORDED' });
  await ledger.record({ ...RECORD, requestId: 'after' });
  expect(requestIds(await readAll(files()))).toEqual(['after']);
});

test('on a full disk requests fail, answered ones are recorded, and recording continues once there is space', async () => {
  const script = fileURLToPath(new URL('./full-disk-process.ts', import.meta.url));
  const { store, segments } = files();
  // A limit of 16 KiB per file acts like a full disk, also in the middle of a write. Another file has space.
  const { stdout } = await promisify(execFile)('bash', [
    ...['-c', 'ulimit -f 16 && exec "$0" "$@"', process.execPath, script, store, segments],
  ]);
  const { recorded, reasons } = JSON.parse(stdout);
  expect(reasons).toEqual(['USAGE_NOT_RECORDED']);
  expect(recorded.length).toBeGreaterThan(1000);
  expect(recorded.length).toBeLessThan(2000);
  expect(requestIds(await readAll(files()))).toEqual(recorded.sort());
});

/** Prevents this process from opening more files. Returns a function that undoes it. */
async function takeDescriptors(): Promise<() => Promise<void>> {
  const [, soft = ''] =
    /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  // It is started before, because later no process could be started.
  const shell = spawn('sh', { stdio: ['pipe', 'pipe', 'inherit'] });
  const limitTo = async (limit: string): Promise<void> => {
    shell.stdin.write(`prlimit --pid ${process.pid} --nofile=${limit}: && echo\n`);
    await once(shell.stdout, 'data');
  };
  await limitTo('10');
  return async () => {
    await limitTo(soft);
    shell.stdin.end();
    await once(shell, 'close');
  };
}
