import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { openVersionLease, readLeases } from '@locmetrics/data-directory/versions/version-lease';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

let directory: DataDirectory;

beforeEach(async () => {
  directory = dataDirectory(temporaryFolder());
});

afterEach(async () => {
  vi.useRealTimers();
});

const version = (name: string) => ({ datasetName: 'a.a', version: name });
const heldOf = (...names: readonly string[]): readonly string[] => {
  const leases = readLeases(directory);
  return names.filter((name) => leases.isHeld(version(name)));
};

test('leases hold the current versions, and earlier ones for the maximum time of a request', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let now = 0;
  const lease = openVersionLease({ directory, holdMs: 15_000, clock: () => now });
  lease.holdCurrent([version('v1')]);
  expect(heldOf('v1', 'v2')).toEqual(['v1']);
  lease.holdCurrent([version('v2')]);
  expect(heldOf('v1', 'v2')).toEqual(['v1', 'v2']);
  now = 15_000;
  vi.advanceTimersByTime(10_000);
  expect(heldOf('v1', 'v2')).toEqual(['v1', 'v2']);
  now = 15_001;
  vi.advanceTimersByTime(10_000);
  expect(heldOf('v1', 'v2')).toEqual(['v2']);
  lease.close();
});

test('an older version is held from its first request, which alone sees it as new', () => {
  const lease = openVersionLease({ directory, holdMs: 1000 });
  lease.holdCurrent([version('v2')]);
  expect([lease.use(version('v1')), lease.use(version('v1'))]).toEqual([true, false]);
  expect(heldOf('v1', 'v2', 'v3')).toEqual(['v1', 'v2']);
  lease.close();
});

test('a lease ends with its process, and leaves no file', async () => {
  const lease = openVersionLease({ directory, holdMs: 1000 });
  lease.holdCurrent([version('v1')]);
  expect(readLeases(directory).holders).toEqual(new Set([lease.name]));
  lease.close();
  expect(heldOf('v1')).toEqual([]);
  expect(await readdir(directory.leases)).toEqual([]);
});

test('the lease of a process that was silent for more than a minute is removed', async () => {
  const lease = openVersionLease({ directory, holdMs: 1000 });
  lease.holdCurrent([version('v1')]);
  const path = join(directory.leases, `${lease.name}.json`);
  const minuteAgo = new Date(Date.now() - 59_000);
  await utimes(path, minuteAgo, minuteAgo);
  expect(heldOf('v1')).toEqual(['v1']);
  const longerAgo = new Date(Date.now() - 61_000);
  await utimes(path, longerAgo, longerAgo);
  expect(heldOf('v1')).toEqual([]);
  expect(await readdir(directory.leases)).toEqual([]);
  lease.close();
});

test('a lease that cannot be written is observed, and no error is thrown', async () => {
  const failures: unknown[] = [];
  await writeFile(directory.leases, 'in the way');
  const lease = openVersionLease({
    directory,
    holdMs: 1000,
    onFailed: (error) => failures.push(error),
  });
  lease.holdCurrent([version('v1')]);
  expect(failures).toHaveLength(2);
  lease.close();
});
