// @module-tag slow

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachNewSql } from '@locmetrics/column-store/attach-database';
import {
  type AttachedVersions,
  openAttachedVersions,
} from '@locmetrics/column-store/engine/attached-versions';
import { openFreedMemory } from '@locmetrics/column-store/engine/freed-memory';
import { openInstance } from '@locmetrics/column-store/open-instance';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/* A version with a column file of 64 MB that does not compress, and an engine that reads all of it. */

const FILE_MB = 64;
const MEMORY_LIMIT_BYTES = 512 * 2 ** 20;
// A test needs no more of a version than an object.
const VERSION = {} as ReadableVersion;

let folder: string;
let engine: Awaited<ReturnType<typeof openEngine>>;

beforeAll(async () => {
  folder = temporaryFolder();
  await writeVersion();
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  engine = await openEngine();
});

afterEach(async () => {
  vi.useRealTimers();
  await engine.close();
});

const openTestInstance = () =>
  openInstance({
    temporaryDirectory: join(folder, 'temporary'),
    memoryLimitBytes: MEMORY_LIMIT_BYTES,
    threads: 1,
  });

async function writeVersion(): Promise<void> {
  const instance = await openTestInstance();
  const connection = await instance.connect();
  const rows = (FILE_MB * 2 ** 20) / 8;
  await connection.run(attachNewSql(folder, 'written'));
  await connection.run(
    `CREATE TABLE written.records AS SELECT random() AS number FROM range(${rows})`,
  );
  connection.closeSync();
  instance.closeSync();
}

async function openEngine() {
  const instance = await openTestInstance();
  const connection = await instance.connect();
  const memory = openFreedMemory(await instance.connect(), MEMORY_LIMIT_BYTES);
  const attaching = await instance.connect();
  const versions = openAttachedVersions({
    connection: attaching,
    directoryOf: () => folder,
    onDetached: memory.give,
  });
  const list = async (sql: string) => (await (await connection.run(sql)).getRowsJS()).flat();
  return {
    read: (isDoneOnce: boolean) => readAll(versions, list, isDoneOnce),
    list,
    close: async () => {
      await versions.close();
      await memory.close();
      for (const one of [connection, attaching]) one.closeSync();
      instance.closeSync();
    },
  };
}

async function readAll(
  versions: AttachedVersions,
  list: (sql: string) => Promise<unknown>,
  isDoneOnce: boolean,
): Promise<void> {
  const sumOf = (database: string) => `SELECT sum(number) FROM ${database}.records`;
  await versions.use([VERSION], (databaseOf) => list(sumOf(databaseOf(VERSION))), { isDoneOnce });
}

const attached = () =>
  engine.list(
    "SELECT database_name FROM duckdb_databases() WHERE database_name LIKE 'version%' ORDER BY 1",
  );

test('files that only work done once has read are detached soon after it', async () => {
  await engine.read(true);
  expect(await attached()).toEqual(['version_1']);
  vi.advanceTimersByTime(10_000);
  await expect.poll(attached).toEqual([]);
});

test('files that callers read stay attached, and after work done once as long as they go on', async () => {
  await engine.read(false);
  vi.advanceTimersByTime(5 * 60_000);
  await engine.read(true);
  for (let turn = 0; turn < 5; turn += 1) {
    vi.advanceTimersByTime(4_000);
    await engine.read(false);
    expect(await attached()).toEqual(['version_1']);
  }
  vi.advanceTimersByTime(20_000);
  await expect.poll(attached).toEqual([]);
  await engine.read(false);
  vi.advanceTimersByTime(9 * 60_000);
  expect(await attached()).toEqual(['version_2']);
  vi.advanceTimersByTime(2 * 60_000);
  await expect.poll(attached).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'the memory of a detached file is returned to the system, and the limit stays',
  async () => {
    await engine.read(true);
    const before = residentMb();
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => before - residentMb()).toBeGreaterThan(FILE_MB * 0.8);
    expect(await engine.list("SELECT current_setting('memory_limit')")).toEqual(['512.0 MiB']);
  },
);

/** Without mapped files, which the system takes back by itself. */
function residentMb(): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
