import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataDirectoryError } from '../../src/catalog/data-directory-error.ts';
import { takeProcessLock } from '../../src/catalog/process-lock.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locmetrics-lock-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

test('one has a lock at a time, and the next when it is released', () => {
  const path = join(folder, 'one.lock');
  const first = takeProcessLock(path);
  expect(takeProcessLock(path)).toBeUndefined();
  first?.release();
  const second = takeProcessLock(path);
  expect(second).toBeDefined();
  second?.release();
});

test('a lock that cannot be written is told, with what to do', () => {
  // A folder stands in the way.
  expect(() => takeProcessLock(folder)).toThrow(
    new DataDirectoryError(
      `${folder} cannot be written.`,
      'Run the command as the user whose data directory it is, on a disk that is not read-only.',
    ),
  );
});
