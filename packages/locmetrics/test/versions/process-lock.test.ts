import { join } from 'node:path';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { takeProcessLock } from '@locmetrics/data-directory/files/process-lock';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
});

test('one process has a lock at a time, and the next one after its release', () => {
  const path = join(folder, 'one.lock');
  const first = takeProcessLock(path);
  expect(takeProcessLock(path)).toBeUndefined();
  first?.release();
  const second = takeProcessLock(path);
  expect(second).toBeDefined();
  second?.release();
});

test('a lock file that cannot be written is reported with a hint', () => {
  // A folder with the name of the lock file blocks it.
  expect(() => takeProcessLock(folder)).toThrow(
    new DataDirectoryError(
      `${folder} cannot be written.`,
      'Run the command as the user who owns the data directory, on a disk that is not read-only.',
    ),
  );
});
